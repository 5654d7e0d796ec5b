import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelTurn, Wire } from './wire.ts';

/** The server's reply to a request. */
export type Reply =
  | ModelTurn
  /** The provider fails. */
  | { readonly status: number; readonly headers?: Record<string, string> }
  /** An answer that is not the provider's. */
  | { readonly body: string; readonly type: string }
  /** A stream that breaks off after some events, politely or not. */
  | { readonly breaks: 'end' | 'reset'; readonly turn: ModelTurn; readonly after: number }
  /** A body of the test's own, in the provider's form. */
  | { readonly raw: object }
  /** No answer at all; the test is told once the request is there. */
  | { readonly silent: () => void };

export interface ScriptedServer {
  readonly origin: string;
  /** The bodies of all requests so far, with what the server itself remembered. */
  readonly requests: readonly Record<string, unknown>[];
  readonly close: () => Promise<void>;
}

/** Serves a provider on loopback. Each request is checked as the provider checks it, refused with 400, or given the next reply. */
export async function serveScript(wire: Wire, replies: readonly Reply[]): Promise<ScriptedServer> {
  const requests: Record<string, unknown>[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const reply = replies[requests.length];
    const last = { body: requests.at(-1) as never, turn: (replies[requests.length - 1] ?? {}) as ModelTurn };
    const body = (wire.resume?.(sent as never, last) ?? sent) as Record<string, unknown>;
    requests.push(body);
    const refused = wire.check(body as never);
    if (refused !== undefined) return json(response, 400, wire.toError(400, refused));
    if (reply === undefined) return json(response, 400, wire.toError(400, 'the script has no further turn'));
    const isStreamed = body.stream === true || request.url?.includes('streamGenerateContent') === true;
    await answer(response, reply, isStreamed, wire);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function answer(response: ServerResponse, reply: Reply, isStreamed: boolean, wire: Wire): Promise<void> {
  if ('silent' in reply) return reply.silent();
  if ('status' in reply) return json(response, reply.status, wire.toError(reply.status, 'the provider is unwell'), reply.headers);
  if ('raw' in reply) return json(response, 200, reply.raw);
  if ('body' in reply) {
    response.writeHead(200, { 'content-type': reply.type }).end(reply.body);
    return;
  }
  const turn = 'turn' in reply ? reply.turn : reply;
  if (!isStreamed) return json(response, 200, wire.toJson(turn));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = wire.toEvents(turn);
  if (!('breaks' in reply)) {
    response.end(events.join(''));
    return;
  }
  await new Promise((resolve) => response.write(events.slice(0, reply.after).join(''), resolve));
  if (reply.breaks === 'end') response.end();
  // The other side must have read what was written before the connection goes.
  else setTimeout(() => response.destroy(), 20);
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
