import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads the name of an exception, or the error code, that a tool contract documents. */
export function readErrorName(name: string): readonly Reading[] {
  return lookUp(names, name);
}

const names: CodeTable = {
  ContextError: ['invalid_input', 61],
  InconsistentMetadataError: ['invalid_input', 61],
  InputError: ['invalid_input', 61],
  ToolpactError: ['internal', 90],
  TransientError: ['unreachable', 70],
  UpstreamError: ['upstream', 70],
  UpstreamServiceError: ['upstream', 70],
  external_service_error: ['upstream', 70],
  internal_error: ['internal', 90],
};
