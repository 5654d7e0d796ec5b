import { setMaxListeners } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Answer, Asked } from '../request/request-head.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { DirectRoute, ToolServer } from '../server-options.ts';

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
  const isPlainTarget = remembering((url) => plainTarget.test(url));
  const isPlainHost = remembering((host) => plainHost.test(host) && URL.canParse(`http://${host}`));

  /** Tells whether a request is such that making a `Request` of it would change nothing. */
  function isPlain({ method, url = '', headers: { host = '', expect, 'transfer-encoding': encoding } }: IncomingMessage): boolean {
    return method === 'POST' && expect === undefined && encoding === undefined && isPlainTarget(url) && isPlainHost(host);
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

/** Nearly all requests name the same few hosts and paths, and what was found right about those need not be found again. */
function remembering(isRight: (text: string) => boolean): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return true;
    if (!isRight(text)) return false;
    if (known.size < 256) known.add(text);
    return true;
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
