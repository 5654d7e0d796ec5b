import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads one of the numbers by which a response of the form `{ code, message, data, meta }` names its error. */
export function readResponseCode(code: number): readonly Reading[] {
  return lookUp(codes, code);
}

/** Tells whether a number lies where these numbers lie. */
export function isResponseCode(code: number): boolean {
  return code > 4000 && code < 5011;
}

const codes: CodeTable = {
  4001: ['unknown_tool', 50],
  4002: ['invalid_input', 61], // a required field is missing
  4003: ['invalid_input', 61],
  4004: ['invalid_input', 61], // malformed URL
  4005: ['not_found', 60],
  4006: ['not_ready', 60],
  5001: ['not_configured', 66],
  5002: ['upstream', 45],
  5003: ['bad_response', 50],
  5004: ['internal', 90],
  5005: ['timeout', 60],
  5006: ['upstream', 45],
  5007: ['upstream', 45],
  5008: ['all_failed', 50],
  5010: ['not_ready', 60],
};
