import type { ServerResponse } from 'node:http';
import type { HttpAnswer } from '../request/http-answer.ts';
import { securityHeaders } from '../request/security-headers.ts';

/** Sends an answer. A client that takes no byte of it for `writeTimeoutMs` is disconnected, and so is one whose answer cannot be sent. */
export function sendAnswer(outgoing: ServerResponse, answer: HttpAnswer, writeTimeoutMs: number): void {
  try {
    send(outgoing, answer, writeTimeoutMs);
  } catch {
    outgoing.destroy();
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: HttpAnswer, writeTimeoutMs: number): void {
  if (typeof body !== 'string') {
    outgoing.writeHead(status, headers);
    void pump(outgoing, body, writeTimeoutMs);
    return;
  }
  const length = Buffer.byteLength(body);
  const flat: string[] = [];
  if (status !== 204) flat.push('content-length', String(length));
  for (const name in headers) flat.push(name, headers[name] as string);
  outgoing.writeHead(status, flat);
  // ASCII is the same bytes either way, and takes the shorter way into the socket. Other text goes as bytes: Node would write the headers in its encoding too.
  if (length === body.length) outgoing.end(body, 'latin1');
  else outgoing.end(Buffer.from(body));
  if (outgoing.writableLength > 0) limitWaiting(outgoing, writeTimeoutMs);
}

/** Answers what is no request: its host or its path cannot be read. */
export function sendUnreadable(outgoing: ServerResponse): void {
  const body = JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail: 'The request cannot be read.' });
  const traceId = crypto.randomUUID().replaceAll('-', '');
  outgoing.writeHead(400, { ...securityHeaders, 'content-type': 'application/problem+json', 'x-trace-id': traceId });
  outgoing.end(body);
}

/** Node closes a socket on which nothing moves for this long; the timer starts anew with every byte that the client takes. */
function limitWaiting({ socket }: ServerResponse, writeTimeoutMs: number): void {
  socket?.setTimeout(writeTimeoutMs);
}

async function pump(outgoing: ServerResponse, body: ReadableStream<Uint8Array>, writeTimeoutMs: number): Promise<void> {
  const reader = body.getReader();
  const onClose = (): void => void reader.cancel().catch(() => undefined);
  outgoing.once('close', onClose);
  // The client should see the head before the first event.
  outgoing.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (outgoing.write(value)) continue;
      limitWaiting(outgoing, writeTimeoutMs);
      await drained(outgoing);
      outgoing.socket?.setTimeout(0);
    }
    outgoing.end();
    if (outgoing.writableLength > 0) limitWaiting(outgoing, writeTimeoutMs);
  } catch {
    outgoing.destroy();
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
