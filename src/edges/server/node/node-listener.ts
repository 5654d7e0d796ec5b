import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { type Client, createClient } from '../request/client.ts';
import { remember } from '../request/remember.ts';
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
  const isPlainTarget = remember((url) => plainTarget.test(url) || undefined);
  const isPlainHost = remember((host) => (plainHost.test(host) && URL.canParse(`http://${host}`)) || undefined);
  return (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    const { host = '' } = headers;
    const target = isPlainHost(host) ? (isPlainTarget(url) ? url : readTarget(url, host)) : undefined;
    if (target === undefined) return sendUnreadable(outgoing);
    void server.answer(new NodeHead(incoming, target)).then((answer) => sendAnswer(outgoing, answer, writeTimeoutMs));
  };
}

/** Where a request keeps what asks its client for the body, while the client waits with it. */
const askForBody = Symbol('toolpact.ask-for-body');
type Waiting = IncomingMessage & { [askForBody]?: (() => void) | undefined };

/**
 * Makes what answers a client that waits for permission to send its body (`Expect: 100-continue`): it gets it when the body is read, so
 * that a refusal comes before.
 */
export function continueLater(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const { shouldKeepAlive } = outgoing;
    // A client that is refused may still send the body or not, so what follows on this connection could not be told apart.
    outgoing.shouldKeepAlive = false;
    (incoming as Waiting)[askForBody] = () => {
      outgoing.shouldKeepAlive = shouldKeepAlive;
      outgoing.writeContinue();
    };
    listener(incoming, outgoing);
  };
}

/** A class, because every request would make five functions of its own otherwise. */
class NodeHead implements RequestHead {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly header: RequestHead['header'];
  readonly incoming: IncomingMessage;

  constructor(incoming: IncomingMessage, target: string) {
    const { method = '', headers } = incoming;
    const mark = target.indexOf('?');
    this.method = method;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.search = mark < 0 ? '' : target.slice(mark);
    // No method: many read headers without their request. Not assigned as it is made: V8 puts functions that are assigned to a property among its
    // old objects, where each would keep the headers of its request until the next full collection.
    const header: RequestHead['header'] = (name) => headers[name] as string | undefined;
    this.header = header;
    this.incoming = incoming;
  }

  sentOf(names: ReadonlySet<string>): readonly string[] | undefined {
    return sentOf(this.incoming.headers, names);
  }
  allHeaders(): Headers {
    return toHeaders(this.incoming);
  }
  readBody(maxBytes: number): Promise<RequestBody> {
    return readBody(this.incoming, maxBytes);
  }
  client(): Client {
    return clientOf(this.incoming.socket);
  }
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
  const client = createClient();
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

const none: RequestBody = { bytes: new Uint8Array(0) };

function readBody(incoming: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(none);
  if (incoming.readableEnded) return Promise.resolve(toBody((incoming as { readonly body?: unknown }).body, maxBytes));
  (incoming as Waiting)[askForBody]?.();
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
    incoming.on('end', () => {
      if (whole === undefined) resolve(none);
      else resolve({ bytes: rest === undefined ? whole : Buffer.concat(rest, size) });
    });
    incoming.on('error', () => resolve('broken_off'));
  });
}

/** Takes a body that a framework has read before, as bytes, text or parsed JSON: its stream gives nothing more. */
function toBody(read: unknown, maxBytes: number): RequestBody {
  if (read === undefined) return 'broken_off';
  const bytes = read instanceof Uint8Array ? read : Buffer.from(typeof read === 'string' ? read : JSON.stringify(read));
  return bytes.byteLength > maxBytes ? 'too_large' : { bytes };
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
