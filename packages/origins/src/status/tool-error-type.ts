/** The six error types. */
export const ToolErrorType = {
  /** An upstream service or the platform limits throughput. */
  RATE_LIMIT: 'RATE_LIMIT',
  /** The time budget of the call, or of an upstream service, is spent. */
  TIMEOUT: 'TIMEOUT',
  /** A service further down failed. */
  UPSTREAM: 'UPSTREAM',
  /** The input or the answer breaks its schema. */
  VALIDATION: 'VALIDATION',
  /** A failure that passes: the call may be tried again. */
  RETRYABLE: 'RETRYABLE',
  /** Nothing repairs it but a person. */
  FATAL: 'FATAL',
} as const;

/** One of the six error types. */
export type ToolErrorType = (typeof ToolErrorType)[keyof typeof ToolErrorType];
