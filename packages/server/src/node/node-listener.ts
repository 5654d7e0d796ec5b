import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Client, createClient } from '../request/client.ts';
import type { RequestBody, RequestHead } from '../request/request-head.ts';
import type { ToolServer } from '../server-options.ts';
import { sendAnswer, sendUnreadable } from './send-answer.ts';

const plainHost = /^[\w.:[\]-]+$/;
/** A target without dot segments, fragments and odd characters. */
const plainTarget = /^(?!.*\/(?:\.|%2e))\/[\w\-.~:!$&'()*+,;=@%/]*(?:\?[^#]*)?$/i;

/** Creates a listener that answers the requests of Node's HTTP server. */
export function createNodeListener(server: ToolServer, writeTimeoutMs: number): RequestListener {
  return (incoming, outgoing) => {
    const target = readTarget(incoming);
    if (target === undefined) return sendUnreadable(outgoing);
    void server.answer(toRequestHead(incoming, outgoing, target)).then((answer) => sendAnswer(outgoing, answer, writeTimeoutMs));
  };
}

/** Where a request keeps what asks its client for the body, while the client waits with it. */
const askForBody = Symbol('toolpact.ask-for-body');
type WaitingMessage = IncomingMessage & { [askForBody]?: (() => void) | undefined };

/**
 * Creates a listener for clients that wait for permission to send their body (`Expect: 100-continue`): they get it when the body is read, so
 * that a refusal comes before.
 */
export function continueLater(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const { shouldKeepAlive } = outgoing;
    // A client that is refused may still send the body or not, so what follows on this connection could not be told apart.
    outgoing.shouldKeepAlive = false;
    (incoming as WaitingMessage)[askForBody] = () => {
      outgoing.shouldKeepAlive = shouldKeepAlive;
      outgoing.writeContinue();
    };
    listener(incoming, outgoing);
  };
}

/** The path of a request and its query, as a URL has them. */
type Target = Pick<URL, 'pathname' | 'search'>;

/** Reads the target of a request as a URL would; undefined when it or the host is none. */
function readTarget({ url = '/', headers: { host = '' } }: IncomingMessage): Target | undefined {
  if (!plainHost.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  const mark = url.indexOf('?');
  const pathname = mark < 0 ? url : url.slice(0, mark);
  // A URL would leave such a target as it is, and making one takes a tenth of a request.
  if (plainTarget.test(url)) return { pathname, search: url.slice(pathname.length) };
  // A backslash would be read as a slash here, and as something else by proxies.
  if (pathname.includes('\\')) return undefined;
  const target = URL.parse(url.startsWith('/') ? `http://${host}${url}` : url);
  return target !== null && /^https?:$/.test(target.protocol) ? target : undefined;
}

function toRequestHead(incoming: IncomingMessage, outgoing: ServerResponse, { pathname, search }: Target): RequestHead {
  const { method = '', headers } = incoming;
  let client: Client | undefined;
  return {
    method,
    path: pathname,
    search,
    header: (name) => headers[name] as string | undefined,
    allHeaders: () => toHeaders(incoming),
    readBody: (maxBytes) => readBody(incoming, maxBytes),
    client() {
      client ??= toClient(outgoing);
      return client;
    },
  };
}

/** Creates the client of a request. It is gone when the connection closes before the answer was sent. */
function toClient(outgoing: ServerResponse): Client {
  const client = createClient();
  const leave = (): void => {
    if (!outgoing.writableFinished) client.stop(new DOMException('The client closed the connection.', 'AbortError'));
  };
  if (outgoing.closed) leave();
  else outgoing.once('close', leave);
  return client;
}

const emptyBody = new Uint8Array(0);

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return emptyBody;
  if (incoming.readableEnded) return toBody((incoming as { readonly body?: unknown }).body, maxBytes);
  // Refused before its client is asked for it.
  if (Number(length) > maxBytes) return 'too_large';
  (incoming as WaitingMessage)[askForBody]?.();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      incoming.off('data', onData);
      incoming.pause();
      resolve('too_large');
    };
    incoming.on('data', onData);
    incoming.on('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.on('error', () => resolve('broken_off'));
  });
}

/** Takes a body that a framework has read before, as bytes, text or parsed JSON: its stream gives nothing more. */
function toBody(parsedBody: unknown, maxBytes: number): RequestBody {
  if (parsedBody === undefined) return 'broken_off';
  const bytes =
    parsedBody instanceof Uint8Array ? parsedBody : Buffer.from(typeof parsedBody === 'string' ? parsedBody : JSON.stringify(parsedBody));
  return bytes.byteLength > maxBytes ? 'too_large' : bytes;
}

function toHeaders({ headers }: IncomingMessage): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join(', ') : value);
  return all;
}
