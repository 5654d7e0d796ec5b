import { type CodeTable, lookUp, type Reading } from '../reading.ts';

/** Reads a JSON-RPC error code. */
export function readJsonRpcCode(code: number): readonly Reading[] {
  return lookUp(codes, code);
}

const codes: CodeTable = {
  [-32700]: ['bad_response', 50], // parse error
  [-32603]: ['upstream', 45], // internal error
  [-32602]: ['invalid_input', 61], // invalid params
  [-32601]: ['unsupported', 60], // method not found
  [-32600]: ['invalid_input', 61], // invalid request
  [-32005]: ['rate_limited', 60], // limit exceeded
  [-32002]: ['not_found', 60], // resource not found
  [-32001]: ['timeout', 30], // request timeout
};
