import { lookUp, type Reading, tableOf } from '../reading.ts';

/** Reads the name of an exception, the error code, or the type of an error that a tool contract documents. */
export function readErrorName(name: string): readonly Reading[] {
  return lookUp(names, name);
}

const names = tableOf([
  ['internal', 90, 'ToolpactError internal_error'],
  ['internal', 93, 'FATAL'],
  ['invalid_input', 61, 'ContextError InconsistentMetadataError InputError'],
  ['invalid_input', 93, 'VALIDATION'],
  ['rate_limited', 93, 'RATE_LIMIT'],
  ['timeout', 93, 'TIMEOUT'],
  ['unreachable', 70, 'RetryableError TransientError'],
  ['unreachable', 93, 'RETRYABLE'],
  ['upstream', 70, 'UpstreamError UpstreamServiceError external_service_error'],
  ['upstream', 93, 'UPSTREAM'],
]);
