import type { Readable } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isRecord } from 'toolpact/internal';

/** A line that is longer ends the connection: the SDK's transport takes no more. */
const maxBytes = 10 * 1024 * 1024;

const message = 'Invalid request: jsonrpc must be "2.0", method a text, and params an object or left out.';

/**
 * Answers requests that the SDK's transport cannot read, such as one with `params: null`: it drops them, and a client would wait for the
 * answer until its own time is over. Reads along and takes nothing from the input; the function given back ends it.
 */
export function answerMalformed(input: Readable, send: (message: JSONRPCMessage) => Promise<void>): () => void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const read = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...pieces, rest.subarray(0, end)]).toString();
      pieces = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
      const answer = answerTo(line);
      // The client may be gone.
      if (answer !== undefined) send(answer).catch(() => undefined);
    }
    bytes += rest.length;
    if (bytes <= maxBytes) pieces.push(rest);
  };
  input.on('data', read);
  return () => void input.off('data', read);
}

function answerTo(line: string): JSONRPCMessage | undefined {
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    // Not a message, so that it has no id either.
    return undefined;
  }
  if (!isRecord(request) || !('method' in request) || isJSONRPCRequest(request)) return undefined;
  const { id } = request;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return { jsonrpc: '2.0', id, error: { code: -32600, message } };
}
