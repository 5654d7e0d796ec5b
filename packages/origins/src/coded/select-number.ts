import type { Failure, FailureKind, Issue } from 'toolpact';
import { errorCodes } from './error-codes.ts';

type Name = keyof typeof errorCodes;

/** The number of each kind, by its name, unless the failure itself says more. */
const numberOfKind = {
  invalid_input: 'INVALID_PARAMETER_TYPE',
  unknown_tool: 'INVALID_REQUEST_FORMAT',
  not_found: 'NO_RESULTS_FOUND',
  unauthenticated: 'API_REQUEST_FAILED',
  forbidden: 'API_REQUEST_FAILED',
  denied: 'INVALID_REQUEST_FORMAT',
  conflict: 'API_REQUEST_FAILED',
  not_ready: 'RESOURCE_NOT_INITIALIZED',
  not_configured: 'API_KEY_NOT_CONFIGURED',
  rate_limited: 'API_REQUEST_FAILED',
  budget_exhausted: 'API_REQUEST_FAILED',
  timeout: 'TIMEOUT_ERROR',
  cancelled: 'UNEXPECTED_ERROR',
  interrupted: 'UNEXPECTED_ERROR',
  unreachable: 'API_REQUEST_FAILED',
  upstream: 'API_REQUEST_FAILED',
  bad_response: 'API_RESPONSE_PARSE_ERROR',
  too_large: 'INVALID_PARAMETER_TYPE',
  unsupported: 'INVALID_REQUEST_FORMAT',
  invalid_output: 'API_RESPONSE_PARSE_ERROR',
  all_failed: 'ALL_REQUESTS_FAILED',
  failed: 'UNEXPECTED_ERROR',
  internal: 'UNEXPECTED_ERROR',
} as const satisfies Record<FailureKind, Name>;

const nameOfCode: ReadonlyMap<string, Name> = new Map(
  (Object.keys(errorCodes) as Name[]).filter((name) => name !== 'SUCCESS').map((name) => [name.toLowerCase(), name]),
);

const nameOfNumber: ReadonlyMap<unknown, Name> = new Map(Object.entries(errorCodes).map(([name, { number }]) => [number, name as Name]));

/**
 * Selects the name of a failure's number: by its code where that is the name of a number, by the number that the tool threw, by where a
 * resource is not ready, by what is wrong with the input, or by its kind.
 */
export function selectNumber({ code, kind, issues, details, upstream }: Failure): Name {
  const named = code === undefined ? undefined : nameOfCode.get(code);
  if (named !== undefined) return named;
  const given = details?.code;
  const thrown = typeof given === 'string' ? nameOfCode.get(given) : nameOfNumber.get(given);
  // A service has numbers and words of its own, which say the same only where the kind agrees. No kind is a partial failure.
  const isOwn = thrown === 'PARTIAL_FAILURE' || (typeof given === 'string' && upstream === undefined);
  if (thrown !== undefined && (isOwn || errorCodes[thrown].kind === kind)) return thrown;
  if (kind === 'not_ready' && details?.stage === 'warm_up') return 'BACKEND_NOT_INITIALIZED';
  if (kind === 'invalid_input' && issues !== undefined && issues.length > 0) {
    if (issues.every(({ problem }) => problem === 'missing')) return 'MISSING_REQUIRED_FIELD';
    if (issues.every(isMalformedUrl)) return 'INVALID_URL_FORMAT';
  }
  return numberOfKind[kind];
}

function isMalformedUrl({ problem, format }: Issue): boolean {
  return problem === 'format' && (format === 'uri' || format === 'url' || format === 'uri-reference');
}
