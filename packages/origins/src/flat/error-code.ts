/** The six standard error codes. */
export const ErrorCode = {
  /** A service of others failed. */
  EXTERNAL_SERVICE_ERROR: 'external_service_error',
  /** A rate limit was exceeded. */
  RATE_LIMITED: 'rate_limited',
  /** A request took too long. */
  TIMEOUT: 'timeout',
  /** The thing asked for was not found. */
  NOT_FOUND: 'not_found',
  /** The input is not valid. */
  INVALID_INPUT: 'invalid_input',
  /** Something unexpected failed inside. */
  INTERNAL_ERROR: 'internal_error',
} as const;

/** One of the six standard error codes. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** The documented description of each code. */
export const errorCodes: Readonly<Record<ErrorCode, string>> = Object.freeze({
  external_service_error: 'Third-party API failure',
  rate_limited: 'Rate limit exceeded',
  timeout: 'Request timeout',
  not_found: 'Resource not found',
  invalid_input: 'Validation error',
  internal_error: 'Unexpected internal error',
});
