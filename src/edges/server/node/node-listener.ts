import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { type Client, createClient } from '../request/client.ts';
import type { RequestBody, RequestHead } from '../request/request-head.ts';
import type { ToolServer } from '../server-options.ts';
import { sendAnswer, sendUnreadable } from './send-answer.ts';

/** A target that a URL would leave as it is. Others (dot segments, a fragment, odd characters) are read as URLs. */
const plainTarget = /^(?!.*\/(?:\.|%2e))\/[\w\-.~:!$&'()*+,;=@%/]*(?:\?[^#]*)?$/i;
const plainHost = /^[\w.:[\]-]+$/;

/** Where a connection keeps its client. */
const ownClient = Symbol('toolpact.client');
type Connection = Socket & { [ownClient]?: Client | undefined };

/** Makes what answers the requests of Node's HTTP server. */
export function createNodeListener(server: ToolServer, writeTimeoutMs: number): RequestListener {
  const isPlainTarget = remembering((url) => plainTarget.test(url));
  const isPlainHost = remembering((host) => plainHost.test(host) && URL.canParse(`http://${host}`));
  return (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    const { host = '' } = headers;
    const target = isPlainHost(host) ? (isPlainTarget(url) ? url : readTarget(url, host)) : undefined;
    if (target === undefined) return sendUnreadable(outgoing);
    void server.answer(toHead(incoming, target)).then((answer) => sendAnswer(outgoing, answer, writeTimeoutMs));
  };
}

function toHead(incoming: IncomingMessage, target: string): RequestHead {
  const { method = '', headers } = incoming;
  const mark = target.indexOf('?');
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark),
    header: (name) => headers[name] as string | undefined,
    sentOf: (names) => sentOf(headers, names),
    allHeaders: () => toHeaders(incoming),
    readBody: (maxBytes) => readBody(incoming, maxBytes),
    client: () => clientOf(incoming.socket),
  };
}

/** Looks through what was sent, which is mostly less than what could have been. */
function sentOf(headers: IncomingMessage['headers'], names: ReadonlySet<string>): readonly string[] | undefined {
  let sent: string[] | undefined;
  for (const name in headers) {
    if (!names.has(name)) continue;
    sent ??= [];
    sent.push(name);
  }
  return sent;
}

/** Gives the client of a connection: its end is the end of all that the client has asked for. */
function clientOf(socket: Connection): Client {
  const known = socket[ownClient];
  if (known !== undefined) return known;
  const client = createClient(true);
  const made: Client = {
    ...client,
    stop(reason) {
      // Another server may answer the next request of this connection.
      if (socket[ownClient] === made) socket[ownClient] = undefined;
      client.stop(reason);
    },
  };
  socket[ownClient] = made;
  socket.once('close', () => client.stop(new DOMException('The client closed the connection.', 'AbortError')));
  return made;
}

const none = new Uint8Array(0);

function readBody(incoming: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(none);
  return new Promise((resolve) => {
    let whole: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size > maxBytes) {
        incoming.off('data', onData);
        incoming.pause();
        resolve('too_large');
      } else if (whole === undefined) whole = chunk;
      else {
        rest ??= [whole];
        rest.push(chunk);
      }
    };
    incoming.on('data', onData);
    incoming.on('end', () => resolve(rest === undefined ? (whole ?? none) : Buffer.concat(rest, size)));
    // Every request closes; one that was read to its end is settled by then. Without a listener for errors, Node emits none.
    incoming.on('close', () => resolve('broken_off'));
  });
}

/** Nearly all requests name the same few hosts and paths, which need not be checked again. */
function remembering(isRight: (text: string) => boolean): (text: string) => boolean {
  const known = new Set<string>();
  return (text) => {
    if (known.has(text)) return true;
    if (!isRight(text)) return false;
    if (known.size < 256 && text.length <= 256) known.add(text);
    return true;
  };
}

/** Reads the target of a request as a URL would; undefined when it is none. */
function readTarget(url: string, host: string): string | undefined {
  // A backslash would be read as a slash here, and as something else by proxies.
  if (url.includes('\\')) return undefined;
  const whole = url.startsWith('/') ? `http://${host}${url}` : url;
  const read = URL.canParse(whole) ? new URL(whole) : undefined;
  return read === undefined || !/^https?:$/.test(read.protocol) ? undefined : `${read.pathname}${read.search}`;
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value);
  return all;
}
