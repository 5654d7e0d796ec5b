import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads a JSON-RPC error code. During a call, words say more than a code that leaves its meaning to whoever throws. */
export function readJsonRpcCode(code: number): readonly Reading[] {
  return lookUp(codes, code);
}

/** Checks whether a code leaves its meaning to whoever throws it. */
export function isThrowersChoice(code: unknown): boolean {
  return code === internalError || (typeof code === 'number' && code <= -32000 && code >= -32099);
}

const internalError = -32603;

const codes: CodeTable = {
  [-32700]: ['bad_response', 50], // parse error
  [internalError]: ['upstream', 45],
  [-32602]: ['invalid_input', 33], // invalid params
  [-32601]: ['unsupported', 60], // method not found
  [-32600]: ['invalid_input', 33], // invalid request
  [-32005]: ['rate_limited', 60], // limit exceeded
  [-32002]: ['not_found', 60], // resource not found
  [-32001]: ['timeout', 30], // request timeout
};
