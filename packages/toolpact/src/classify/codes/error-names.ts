import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads the name of an exception, the error code, or the type of an error that a tool contract documents. */
export function readErrorName(name: string): readonly Reading[] {
  return lookUp(names, name);
}

const names: CodeTable = {
  ContextError: ['invalid_input', 61],
  FATAL: ['internal', 93],
  InconsistentMetadataError: ['invalid_input', 61],
  InputError: ['invalid_input', 61],
  RATE_LIMIT: ['rate_limited', 93],
  RETRYABLE: ['unreachable', 93],
  RetryableError: ['unreachable', 70],
  TIMEOUT: ['timeout', 93],
  ToolpactError: ['internal', 90],
  TransientError: ['unreachable', 70],
  UPSTREAM: ['upstream', 93],
  UpstreamError: ['upstream', 70],
  UpstreamServiceError: ['upstream', 70],
  VALIDATION: ['invalid_input', 93],
  external_service_error: ['upstream', 70],
  internal_error: ['internal', 90],
};
