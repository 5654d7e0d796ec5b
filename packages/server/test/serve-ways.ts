import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type ServedToolbox, type ServerOptions, type ToolServer } from '../src/index.ts';
import { type HttpLimits, listenWithin } from '../src/node/listen-within.ts';
import { withOrigins } from './with-origins.ts';

/** The two ways to a server: its fetch handler and the Node listener. */
export const ways = ['fetch handler', 'listener'] as const;
export type Way = (typeof ways)[number];

/** An answer, read whole. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly json: any;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, anything else as it is. */
  readonly body?: unknown;
}

export interface Served {
  readonly server: ToolServer;
  readonly url: string;
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Received>;
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
}

/** Any free port of this machine, and limits that no honest client meets. */
export const anywhere = { port: 0, hostname: '127.0.0.1', nextFreePort: false };
export const limits: HttpLimits = { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, writeTimeoutMs: 30_000, maxConnections: 16_384 };

/** Starts a server and gives what sends requests to it on one of the ways. */
export async function serve(
  way: Way,
  toolbox: ServedToolbox,
  options: ServerOptions = {},
  ownLimits: Partial<HttpLimits> = {},
): Promise<Served> {
  const server = createServer(toolbox, { auditLog: false, ...withOrigins, ...options });
  if (way === 'fetch handler') {
    const url = 'http://127.0.0.1:8787';
    return {
      server,
      url,
      send: (method, path, sent) => sendByFetch(server, `${url}${path}`, method, sent),
      close: (how) => server.close(how),
    };
  }
  const { url, close } = await listenWithin(server, anywhere, { ...limits, ...ownLimits });
  return { server, url, send: (method, path, sent) => sendByHttp(`${url}${path}`, method, sent), close };
}

/** Gives a server whose listener answers with another fetch handler. */
export function withFetch(server: ToolServer, fetch: ToolServer['fetch']): ToolServer {
  return {
    ...server,
    fetch,
    async answer(head) {
      const { method, path, search } = head;
      const body = method === 'POST' ? await head.readBody(Number.POSITIVE_INFINITY) : undefined;
      const init = { method, headers: head.allHeaders(), ...(typeof body === 'object' && { body: new Uint8Array(body) }) };
      const response = await fetch(new Request(`http://${head.header('host')}${path}${search}`, init));
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
  };
}

async function sendByFetch(server: ToolServer, url: string, method: string, sent: Sent = {}): Promise<Received> {
  const { headers, body } = toWire(sent);
  const host = headers.host === undefined ? url : url.replace(/\/\/[^/]+/, `//${headers.host}`);
  const request = new Request(host, { method, headers, ...(body !== undefined && { body }) });
  const response = await server.fetch(request);
  return toReceived(response.status, Object.fromEntries(response.headers), await response.text());
}

/** Sends over a socket of its own, or one of an agent's, with whatever headers are given. */
export function sendByHttp(url: string, method: string, sent: Sent = {}, agent: Agent | false = false): Promise<Received> {
  const { headers, body } = toWire(sent);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers, agent }, (incoming: IncomingMessage) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () => resolve(toReceived(incoming.statusCode ?? 0, incoming.headers as Record<string, string>, text)));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function toWire({ headers = {}, body }: Sent): { readonly headers: Record<string, string>; readonly body?: Uint8Array<ArrayBuffer> } {
  if (body === undefined) return { headers: { ...headers } };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes =
    body instanceof Uint8Array ? new Uint8Array(body) : new TextEncoder().encode(isRaw ? (body as string) : JSON.stringify(body));
  return { headers: { 'content-type': 'application/json', 'content-length': String(bytes.byteLength), ...headers }, body: bytes };
}

function toReceived(status: number, headers: Readonly<Record<string, string>>, text: string): Received {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, headers, text, json };
}
