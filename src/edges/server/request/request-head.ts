import { readBytes } from '../../../core/json/index.ts';
import { type Client, toStoppable } from './client.ts';

/** The head of a request, as every listener gives it. Its body is read only when a route asks for it. */
export interface RequestHead {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly search: string;
  /** Reads a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Gives which of some headers the request has; undefined for none. */
  readonly sentOf: (names: ReadonlySet<string>) => readonly string[] | undefined;
  /** Gives all headers, for code that works with the fetch API. */
  readonly allHeaders: () => Headers;
  /** Reads the body within a limit, and says why where it cannot be had. Never rejects. */
  readonly readBody: (maxBytes: number) => Promise<RequestBody>;
  /** Gives the client that sent the request. */
  readonly client: () => Client;
}

/**
 * The bytes of a body, or why there are none: it is too long, or it broke off. The bytes lie in an object: a promise that gives them bare would look for a
 * `then` in all their five prototypes.
 */
export type RequestBody = { readonly bytes: Uint8Array } | 'too_large' | 'broken_off';

/** Gives the head of a request of the fetch API. */
export function toRequestHead(request: Request): RequestHead {
  const { method, url, headers } = request;
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('#', from);
  const target = from < 0 ? '/' : url.slice(from, end < 0 ? undefined : end);
  // Some runtimes hide the header that the address was made from.
  const host = () => url.slice(url.indexOf('//') + 2, from < 0 ? undefined : from);
  const mark = target.indexOf('?');
  let client: Client | undefined;
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark),
    header: (name) => headers.get(name) ?? (name === 'host' ? host() : undefined),
    // Asked for one by one: hono's listener makes real headers, which takes long, of those that are looked through.
    sentOf: (names) => {
      let sent: string[] | undefined;
      for (const name of names) {
        if (!headers.has(name)) continue;
        sent ??= [];
        sent.push(name);
      }
      return sent;
    },
    allHeaders: () => headers,
    readBody: (maxBytes) =>
      (headers.has('content-length') ? readAnnounced(request, maxBytes) : readStream(request, maxBytes)).catch(brokenOff),
    // Runtimes make the signal of a request on first use, which costs time.
    client() {
      client ??= toStoppable(request.signal);
      return client;
    },
  };
}

/** Reads a body whose length was announced: the runtime measures it, and the head of the request was checked. */
function readAnnounced(request: Request, maxBytes: number): Promise<RequestBody> {
  return request.arrayBuffer().then((bytes) => (bytes.byteLength > maxBytes ? 'too_large' : { bytes: new Uint8Array(bytes) }));
}

function brokenOff(): RequestBody {
  return 'broken_off';
}

async function readStream(request: Request, maxBytes: number): Promise<RequestBody> {
  const bytes = await readBytes(request.body, maxBytes);
  return bytes === undefined ? 'too_large' : { bytes };
}
