import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../packages/toolpact/src/json/index.ts';
import { createRunningClock, withTimeLimit } from '../../../packages/toolpact/src/time/index.ts';
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

/** The request besides method and path. An object is sent as JSON, a text as it is. */
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

/** The server that is asked when no other is stated. */
const defaultBase = 'http://127.0.0.1:8787';
/** A server that takes longer has not answered. */
const defaultPatienceMs = 10_000;
/** After this many requests without an answer no more are sent: each would cost the same time again. */
const maxSilences = 3;

/** Options of a server under test. */
export interface SubjectOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBodyBytes?: number;
  readonly patienceMs?: number;
}

/** Creates a sender for the requests of checks, to an address or straight into a handler. */
export function toServerSubject(
  server: string | URL | FetchHandler,
  { headers: always = {}, maxBodyBytes = 1_048_576, patienceMs = defaultPatienceMs }: SubjectOptions = {},
): ServerSubject {
  const base = typeof server === 'function' ? defaultBase : String(server).replace(/\/$/, '');
  let silences = 0;
  const send: ServerSubject['send'] = async (method, path, { headers = {}, body } = {}) => {
    if (silences >= maxSilences) throw new Error('it has stopped answering');
    const bytes = body === undefined ? undefined : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const own = bytes && { 'content-type': 'application/json', 'content-length': `${bytes.byteLength}` };
    const all = { ...own, ...always, ...headers };
    const answer = await within(patienceMs, (signal) =>
      typeof server === 'function'
        ? sendInto(server, `${base}${path}`, method, all, bytes)
        : sendTo(`${base}${path}`, method, all, signal, bytes),
    );
    if (answer !== undefined) return answer;
    silences += 1;
    throw new Error(`no answer within ${patienceMs} ms`);
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

/** Stops waiting in the end; undefined if no answer came by then. */
async function within<T>(patienceMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const stop = new AbortController();
  const answer = send(stop.signal);
  answer.catch(() => undefined);
  try {
    return await withTimeLimit(answer, { ms: patienceMs, onLate: () => undefined, clock: createRunningClock() });
  } finally {
    stop.abort();
  }
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
async function sendTo(url: string, method: string, headers: Headers, signal: AbortSignal, body?: Uint8Array): Promise<ServerAnswer> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const read = (incoming: IncomingMessage): void => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const given = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
      incoming.on('end', () => resolve(toAnswer(incoming.statusCode ?? 0, Object.fromEntries(given), text)));
      incoming.on('error', reject);
    };
    const outgoing = request(url, { method, headers, agent: false, signal }, read);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function toAnswer(status: number, headers: Headers, text: string): ServerAnswer {
  try {
    const json: unknown = JSON.parse(text);
    return { status, headers, text, json: isObject(json) ? (json as ServerAnswer['json']) : undefined };
  } catch {
    return { status, headers, text, json: undefined };
  }
}
