import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaders } from '../request/security-headers.ts';

/** The answers to requests that Node could not read, by its error code; a request with any other code is not HTTP. */
const refusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The body is too large.'],
};

/** Answers what never became a request, as problem details, and closes its connection; where a request is being answered, after that answer. */
export function refuseClient(error: Error & { readonly code?: string }, socket: Duplex): void {
  const { _httpMessage: answering } = socket as { readonly _httpMessage?: Partial<ServerResponse> | null };
  // Half of an answer may be on its way already; nothing can be said after it.
  if (!socket.writable || error.code === 'ECONNRESET' || answering?.headersSent === true) return void socket.destroy();
  // The request that is being answered came whole, so the error is about what follows it. A refusal would be read as the answer.
  if (answering?.req?.complete === true) {
    answering.shouldKeepAlive = false;
    return;
  }
  const [status, detail] = refusals[error.code ?? ''] ?? [400, 'The request cannot be read.'];
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail });
  const headers = { ...securityHeaders, 'content-type': 'application/problem+json', 'content-length': body.length, connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}
