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
