import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads a gRPC status. The numbers are small, so a caller looks for other signs of gRPC first. */
export function readGrpcStatus(status: number): readonly Reading[] {
  return lookUp(statuses, status);
}

const statuses: CodeTable = {
  1: ['cancelled', 52], // CANCELLED
  2: ['upstream', 45], // UNKNOWN
  3: ['invalid_input', 61], // INVALID_ARGUMENT
  4: ['timeout', 60], // DEADLINE_EXCEEDED
  5: ['not_found', 60], // NOT_FOUND
  6: ['conflict', 60], // ALREADY_EXISTS
  7: ['forbidden', 70], // PERMISSION_DENIED
  8: ['rate_limited', 60], // RESOURCE_EXHAUSTED
  9: ['invalid_input', 61], // FAILED_PRECONDITION
  10: ['conflict+', 70], // ABORTED
  11: ['invalid_input', 61], // OUT_OF_RANGE
  12: ['unsupported', 60], // UNIMPLEMENTED
  13: ['upstream', 45], // INTERNAL
  14: ['upstream', 45], // UNAVAILABLE
  15: ['bad_response', 50], // DATA_LOSS
  16: ['unauthenticated', 60], // UNAUTHENTICATED
};
