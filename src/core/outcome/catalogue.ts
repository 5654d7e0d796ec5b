/**
 * The closed vocabulary of failures. Everything that depends on a kind (HTTP statuses, docs, schemas, dialects) is derived from
 * this table or typed against it, so a new kind does not compile until every reader has decided what it means.
 */
export const catalogue = {
  invalid_input: row('fix_input', false, 400, 'The arguments break the schema or a rule of the tool.'),
  unknown_tool: row('fix_input', false, 404, 'No tool has this name, the name is ambiguous, or the tool is disabled.'),
  not_found: row('fix_input', false, 404, 'The thing that was asked for is not there.'),
  unauthenticated: row('reauth', false, 401, 'A credential was rejected or has expired.', 424),
  forbidden: row('ask_user', false, 403, 'The caller is known but not allowed to do this.', 424),
  denied: row('ask_user', false, 403, 'A person, a policy or a guardrail said no; nothing ran.'),
  conflict: row('fix_input', false, 409, 'The thing already exists, or a version or unique key clashes.'),
  not_ready: row('wait', true, 503, 'A session, resource or backend is not initialised yet.'),
  not_configured: row('stop', false, 500, 'A key or setting of our own is missing.'),
  rate_limited: row('wait', true, 429, 'Too many requests, by their count or ours.'),
  budget_exhausted: row('stop', false, 402, 'The tokens, money or quota for this are spent.'),
  timeout: row('wait', true, 504, 'A deadline passed before the answer came.'),
  cancelled: row('stop', false, 499, 'The caller stopped the call.'),
  interrupted: row('verify', false, 503, 'The process that ran the call died.'),
  unreachable: row('wait', true, 503, 'The other side could not be reached: DNS, connect, reset or TLS.'),
  upstream: row('wait', true, 502, 'The other side answered that it failed.'),
  bad_response: row('other_tool', false, 502, "The other side's answer makes no sense."),
  too_large: row('fix_input', false, 413, 'A payload, context or result is beyond a limit.'),
  unsupported: row('other_tool', false, 501, 'The method, media type or operation is not offered.'),
  invalid_output: row('stop', false, 500, 'The tool broke its own output schema.'),
  all_failed: row('stop', false, 502, 'Every item of a batch failed.'),
  internal: row('stop', false, 500, 'Anything else: a bug.'),
} as const satisfies Record<string, CatalogueRow>;

/** Names what went wrong, out of a closed set. */
export type FailureKind = keyof typeof catalogue;

/** Names what the caller should do next. */
export type Recovery = 'fix_input' | 'wait' | 'verify' | 'reauth' | 'ask_user' | 'other_tool' | 'stop';

/** Holds what is true of a kind everywhere. */
export interface CatalogueRow {
  readonly recovery: Recovery;
  /** Whether the same call may succeed later. The runtime may lower it by effect; nothing raises it. */
  readonly retryable: boolean;
  readonly http: number;
  /** The HTTP status when the failure came from upstream, where it differs. */
  readonly httpUpstream: number | undefined;
  readonly when: string;
}

/** Lists codes with a fixed meaning that any tool's failure may carry next to its own declared ones. */
export const reservedCodes = [
  'skipped',
  'repeat_refused',
  'circuit_open',
  'key_reused',
  'approval_expired',
  'arguments_truncated',
  'undecodable',
  'invalid_request_format',
  'missing_required_field',
  'invalid_parameter_type',
  'invalid_url_format',
  'no_results_found',
  'resource_not_initialized',
  'api_key_not_configured',
  'api_request_failed',
  'api_response_parse_error',
  'unexpected_error',
  'timeout_error',
  'crawling_error',
  'summarization_error',
  'all_requests_failed',
  'partial_failure',
  'backend_not_initialized',
] as const;

/** A code with a fixed meaning, see {@link reservedCodes}. */
export type ReservedCode = (typeof reservedCodes)[number];

/** Tells whether a value names a failure kind. */
export function isFailureKind(value: unknown): value is FailureKind {
  return typeof value === 'string' && Object.hasOwn(catalogue, value);
}

/** Gives the HTTP status of a failure: its row's, or the row's upstream status when the other side said so. */
export function httpStatus(failure: { kind: FailureKind; upstream?: object | undefined }): number {
  const { http, httpUpstream } = catalogue[failure.kind];
  return failure.upstream === undefined ? http : (httpUpstream ?? http);
}

function row<const TRecovery extends Recovery, const TRetryable extends boolean>(
  recovery: TRecovery,
  retryable: TRetryable,
  http: number,
  when: string,
  httpUpstream?: number,
): CatalogueRow & { recovery: TRecovery; retryable: TRetryable } {
  return Object.freeze({ recovery, retryable, http, httpUpstream, when });
}
