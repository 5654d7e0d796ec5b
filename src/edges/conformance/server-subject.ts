import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { caseTools } from './server-cases.ts';

/** A fetch handler, as servers on many runtimes are. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** An answer, read whole. Header names are in lower case. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** What is sent besides method and path. An object is sent as JSON, a text as it is. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server as its checks see it. */
export interface ServerSubject {
  readonly send: (method: string, path: string, sending?: Sending) => Promise<ServerAnswer>;
  /** Calls a tool. */
  readonly call: (tool: string, args: unknown, headers?: Readonly<Record<string, string>>, query?: string) => Promise<ServerAnswer>;
  /** Whether it serves the tools of `serverCaseTools`. */
  readonly hasCases: () => Promise<boolean>;
  /** Bodies above this are refused. */
  readonly maxBodyBytes: number;
}

/** Who is asked when nothing else is stated. */
const usualBase = 'http://127.0.0.1:8787';
/** A server that takes longer has not answered. */
const patienceMs = 10_000;

/** Makes what sends the requests of checks, to an address or straight into a handler. */
export function toServerSubject(
  server: string | URL | FetchHandler,
  { headers: always = {}, maxBodyBytes = 1_048_576 }: { headers?: Readonly<Record<string, string>>; maxBodyBytes?: number } = {},
): ServerSubject {
  const base = typeof server === 'function' ? usualBase : String(server).replace(/\/$/, '');
  const send: ServerSubject['send'] = (method, path, { headers = {}, body } = {}) => {
    const bytes = body === undefined ? undefined : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const own = bytes && { 'content-type': 'application/json', 'content-length': `${bytes.byteLength}` };
    const all = { ...own, ...always, ...headers };
    return typeof server === 'function'
      ? sendInto(server, `${base}${path}`, method, all, bytes)
      : sendTo(`${base}${path}`, method, all, bytes);
  };
  let cases: Promise<boolean> | undefined;
  return {
    send,
    maxBodyBytes,
    call: (tool, args, headers = {}, query = '') => send('POST', `/v1/tools/${encodeURIComponent(tool)}${query}`, { headers, body: args }),
    hasCases: () => {
      cases ??= listsCases(send);
      return cases;
    },
  };
}

async function listsCases(send: ServerSubject['send']): Promise<boolean> {
  const { json } = await send('GET', '/v1/tools?limit=1000');
  const names = ((json?.tools ?? []) as readonly { readonly name?: unknown }[]).map(({ name }) => name);
  return Object.values(caseTools).every((name) => names.includes(name));
}

type Headers = Readonly<Record<string, string>>;

/** The host of a request is its address; a handler sees no other. */
async function sendInto(
  server: FetchHandler,
  url: string,
  method: string,
  headers: Headers,
  body?: Uint8Array<ArrayBuffer>,
): Promise<ServerAnswer> {
  const { host, ...rest } = headers;
  const address = host === undefined ? url : url.replace(/\/\/[^/]+/, `//${host}`);
  const response = await server(new Request(address, { method, headers: rest, ...(body !== undefined && { body }) }));
  return toAnswer(response.status, Object.fromEntries(response.headers), await response.text());
}

/** Not with `fetch`, which decides by itself about some of the headers. */
function sendTo(url: string, method: string, headers: Headers, body?: Uint8Array): Promise<ServerAnswer> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const read = (incoming: IncomingMessage): void => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const given = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
      incoming.on('end', () => resolve(toAnswer(incoming.statusCode ?? 0, Object.fromEntries(given), text)));
      incoming.on('error', reject);
    };
    const outgoing = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(patienceMs) }, read);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function toAnswer(status: number, headers: Headers, text: string): ServerAnswer {
  try {
    const json: unknown = JSON.parse(text);
    return { status, headers, text, json: typeof json === 'object' && json !== null ? (json as ServerAnswer['json']) : undefined };
  } catch {
    return { status, headers, text, json: undefined };
  }
}
