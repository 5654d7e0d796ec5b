import type { FailureKind } from 'toolpact';

/** Explains one of the documented numbers: its meaning, when it is used, and what its reader should do. */
type ErrorCodeRow = {
  readonly number: number;
  readonly meaning: string;
  readonly scenario: string;
  readonly advice: string;
  /** The kind this number reads as. */
  readonly kind: FailureKind | 'ok' | 'partial';
  /** The failure code that selects this number where its kind alone would select another one. */
  readonly code?: string;
};

/** The seventeen documented numbers. Encoding, decoding, schemas and docs all follow this table. */
export const errorCodes = {
  SUCCESS: row(0, 'Success', 'The call did what was asked.', 'Use `data`.', 'ok'),
  INVALID_REQUEST_FORMAT: row(
    4001,
    'Invalid request format',
    'The tool name is unknown, malformed or ambiguous.',
    'Correct the name; the message lists the nearest ones.',
    'unknown_tool',
  ),
  MISSING_REQUIRED_FIELD: row(
    4002,
    'Missing required field',
    'A parameter without a default was not sent.',
    'Add the parameter and call again.',
    'invalid_input',
    'missing_required_field',
  ),
  INVALID_PARAMETER_TYPE: row(
    4003,
    'Invalid parameter type',
    'A parameter has the wrong type.',
    'Send the type that the schema requires.',
    'invalid_input',
  ),
  INVALID_URL_FORMAT: row(
    4004,
    'Invalid URL format',
    'A parameter is not a valid URL.',
    'Send an absolute URL.',
    'invalid_input',
    'invalid_url_format',
  ),
  NO_RESULTS_FOUND: row(
    4005,
    'No results found',
    'The search ran and nothing matched.',
    'Search with other words, or conclude that there are none.',
    'not_found',
  ),
  RESOURCE_NOT_INITIALIZED: row(
    4006,
    'Resource not initialized',
    'The session or its resource could not be opened.',
    'Create the session or wait for it, then call again.',
    'not_ready',
  ),
  API_KEY_NOT_CONFIGURED: row(
    5001,
    'API key not configured',
    'The tool needs a key that its operator has not set.',
    'Tell the operator; a caller cannot fix this.',
    'not_configured',
  ),
  API_REQUEST_FAILED: row(
    5002,
    'API request failed',
    'The upstream service refused the request, or failed.',
    'Call again later if the tool may be repeated.',
    'upstream',
  ),
  API_RESPONSE_PARSE_ERROR: row(
    5003,
    'API response parse error',
    'The response of the upstream service could not be parsed.',
    'Try another tool; repeating gives the same result.',
    'bad_response',
  ),
  UNEXPECTED_ERROR: row(
    5004,
    'Unexpected error',
    'The tool threw an unexpected error.',
    'Do not repeat; the operator finds the cause under the trace id.',
    'internal',
  ),
  TIMEOUT_ERROR: row(
    5005,
    'Timeout error',
    'The call passed its deadline.',
    'Check whether it took effect, then call again with a longer deadline.',
    'timeout',
  ),
  CRAWLING_ERROR: row(
    5006,
    'Crawling error',
    'A page could not be fetched.',
    'Try another page or another method.',
    'upstream',
    'crawling_error',
  ),
  SUMMARIZATION_ERROR: row(
    5007,
    'Summarization error',
    'The fetched content could not be summarized.',
    'Use the raw content, or call again later.',
    'upstream',
    'summarization_error',
  ),
  ALL_REQUESTS_FAILED: row(
    5008,
    'All requests failed',
    'Every item of a batch failed.',
    'Read the items in `data`; each says why it failed.',
    'all_failed',
  ),
  PARTIAL_FAILURE: row(
    5009,
    'Partial failure',
    'Some items of a batch failed.',
    'Use what succeeded, and repeat only what failed.',
    'partial',
    'partial_failure',
  ),
  BACKEND_NOT_INITIALIZED: row(
    5010,
    'Backend not initialized',
    'The backend of the tool has not been warmed up.',
    'Wait for the backend to warm up, then call again.',
    'not_ready',
    'backend_not_initialized',
  ),
} as const satisfies Record<string, ErrorCodeRow>;

type Numbers = { readonly [TName in keyof typeof errorCodes]: (typeof errorCodes)[TName]['number'] };

/** The documented numbers by name. */
export const ErrorCode: Numbers = Object.freeze(
  Object.fromEntries(Object.entries(errorCodes).map(([name, { number }]) => [name, number])),
) as Numbers;

/** One of the documented numbers. */
export type ErrorCode = Numbers[keyof Numbers];

function row<const TNumber extends number>(
  number: TNumber,
  meaning: string,
  scenario: string,
  advice: string,
  kind: ErrorCodeRow['kind'],
  code?: string,
): ErrorCodeRow & { readonly number: TNumber } {
  return Object.freeze({ number, meaning, scenario, advice, kind, ...(code !== undefined && { code }) });
}
