import { readBytes } from 'toolpact/internal';
import { type Client, toClient } from './client.ts';

/** The head of a request, as every listener gives it. Its body is read only when a route asks for it. */
export interface RequestHead {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly search: string;
  /** Reads a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Returns all headers, for code that works with the fetch API. */
  readonly allHeaders: () => Headers;
  /** Reads the body within a limit, and says why where it cannot be had. Never rejects. */
  readonly readBody: (maxBytes: number) => Promise<RequestBody>;
  /** Returns the client that sent the request. */
  readonly client: () => Client;
}

/** The bytes of a body, or why there are none: it is too long, or it broke off. */
export type RequestBody = Uint8Array | 'too_large' | 'broken_off';

/** Returns the head of a request of the fetch API. */
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
    allHeaders: () => headers,
    readBody: (maxBytes) => readBody(request, maxBytes),
    // Runtimes make the signal of a request on first use.
    client() {
      client ??= toClient(request.signal);
      return client;
    },
  };
}

async function readBody(request: Request, maxBytes: number): Promise<RequestBody> {
  try {
    if (!request.headers.has('content-length')) return (await readBytes(request.body, maxBytes)) ?? 'too_large';
    // The runtime measures a body whose length was announced, and the announced length was checked before. A stream would double what a request costs.
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > maxBytes ? 'too_large' : bytes;
  } catch {
    return 'broken_off';
  }
}
