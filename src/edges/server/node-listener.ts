import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Answer, Asked } from './asked.ts';
import { securityHeaders } from './security-headers.ts';
import type { DirectRoute, ToolServer } from './server-parts.ts';

/** What a Node HTTP server calls. */
export interface NodeListener {
  readonly onConnection: (socket: Socket) => void;
  readonly onRequest: RequestListener;
}

/** Larger bodies go the usual way, which reads them piece by piece. */
const mostBytes = 65_536;
/** Whatever a URL would not leave as it is (dot segments, a fragment, odd characters) goes the usual way, which makes one. */
const plainTarget = /^(?!.*\/(?:\.|%2e))\/[\w\-.~:!$&'()*+,;=@%/]*(?:\?[^#]*)?$/i;
const plainHost = /^[\w.:[\]-]+$/;
const none = new Uint8Array(0);

/**
 * Makes what answers requests of Node's HTTP server: plain requests that a direct route knows are answered right here, all others by the fetch
 * handler. Both go through the same steps.
 */
export function createNodeListener(server: ToolServer, fastPath: boolean): NodeListener {
  const { inFlight, find, maxBodyBytes } = server['~direct'];
  const usual = getRequestListener(server.fetch, { overrideGlobalObjects: false, errorHandler: () => unreadable() });
  // A connection has one caller; its end is the end of all it has asked for.
  const callers = new WeakMap<Socket, AbortController>();
  const most = Math.min(mostBytes, maxBodyBytes);
  // Nearly all requests name the same few hosts.
  const hosts = new Set<string>();

  function isPlain({ method, url = '', headers: { host = '', expect, 'transfer-encoding': encoding } }: IncomingMessage): boolean {
    if (method !== 'POST' || expect !== undefined || encoding !== undefined || !plainTarget.test(url)) return false;
    if (hosts.has(host)) return true;
    if (!plainHost.test(host) || !URL.canParse(`http://${host}`)) return false;
    if (hosts.size < 64) hosts.add(host);
    return true;
  }

  function callerOf(socket: Socket): AbortSignal {
    const known = callers.get(socket);
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    // Requests may be sent before the earlier ones are answered.
    setMaxListeners(0, controller.signal);
    const release = inFlight.hold(controller);
    callers.set(socket, controller);
    socket.once('close', () => {
      release();
      controller.abort();
    });
    return controller.signal;
  }

  function answerDirectly(route: DirectRoute, asked: Asked, body: Uint8Array, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const leave = inFlight.enter();
    const finish = (answer: Answer | undefined): void => {
      leave();
      if (answer === undefined) {
        // The body is read already; this is where the other listener looks for one.
        Object.assign(incoming, { rawBody: Buffer.from(body.buffer, body.byteOffset, body.byteLength) });
        void usual(incoming, outgoing);
      } else send(outgoing, answer, inFlight.draining);
    };
    const answer = route.answer(asked, body);
    const fail = (): void => {
      leave();
      outgoing.destroy();
    };
    if (answer instanceof Promise) answer.then(finish, fail);
    else finish(answer);
  }

  return {
    onConnection: (socket) => void socket.setNoDelay(true),
    onRequest(incoming, outgoing) {
      if (inFlight.draining) outgoing.setHeader('connection', 'close');
      const length = fastPath && isPlain(incoming) ? announcedLength(incoming, most) : undefined;
      const asked = length === undefined ? undefined : toAsked(incoming, callerOf);
      const route = asked && find(asked);
      if (asked === undefined || route === undefined) return void usual(incoming, outgoing);
      if (length === 0) return answerDirectly(route, asked, none, incoming, outgoing);
      readAll(incoming, (body) => answerDirectly(route, asked, body, incoming, outgoing));
    },
  };
}

/** Gives the length of a body that is small enough; undefined for any other. */
function announcedLength({ headers }: IncomingMessage, most: number): number | undefined {
  const announced = headers['content-length'];
  const length = announced === undefined ? 0 : Number(announced);
  return length <= most ? length : undefined;
}

function toAsked(incoming: IncomingMessage, callerOf: (socket: Socket) => AbortSignal): Asked {
  const { method = '', url = '/', headers, socket } = incoming;
  const mark = url.indexOf('?');
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    search: mark < 0 ? '' : url.slice(mark),
    header: (name) => headers[name] as string | undefined,
    signal: callerOf(socket),
    isLasting: true,
  };
}

/** Reads a body; one that does not come to its end has nobody left to answer. */
function readAll(incoming: IncomingMessage, then: (body: Uint8Array) => void): void {
  let first: Buffer | undefined;
  let chunks: Buffer[] | undefined;
  incoming.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk;
    else if (chunks === undefined) chunks = [first, chunk];
    else chunks.push(chunk);
  });
  incoming.on('end', () => then(chunks === undefined ? (first ?? none) : Buffer.concat(chunks)));
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer, draining: boolean): void {
  const length = Buffer.byteLength(body);
  const flat: string[] = ['content-length', String(length)];
  for (const name in headers) flat.push(name, headers[name] as string);
  if (draining && headers.connection === undefined) flat.push('connection', 'close');
  outgoing.writeHead(status, flat);
  // ASCII is the same bytes either way, and takes the shorter way into the socket. Other text goes as bytes: Node would write the headers in its encoding too.
  if (length === body.length) outgoing.end(body, 'latin1');
  else outgoing.end(Buffer.from(body));
}

/** Answers what is no request: its host or its path cannot be read. */
function unreadable(): Response {
  const detail = 'The request cannot be read.';
  const headers = { ...securityHeaders, 'content-type': 'application/problem+json', 'x-trace-id': crypto.randomUUID().replaceAll('-', '') };
  return new Response(JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail }), { status: 400, headers });
}
