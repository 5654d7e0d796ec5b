/** The head of a request, as every listener gives it. Its body is read only when a route asks for it. */
export interface RequestHead {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly search: string;
  /** Reads a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Gives all headers, for code that works with the fetch API. */
  readonly allHeaders: () => Headers;
  /** Reads the body. Gives undefined when it is longer than `maxBytes`; rejects when it breaks off. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Fires when the client is gone or `stop` was called. It may belong to the connection and so outlive the request. */
  readonly signal: AbortSignal;
  /** Stops what runs for this request. */
  readonly stop: (reason: Error) => void;
  /** Whether the signal belongs to a connection, which brings many requests. */
  readonly hasLastingSignal: boolean;
}

/** Gives the head of a request of the fetch API. */
export function toRequestHead(request: Request): RequestHead {
  const { method, url, headers } = request;
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('#', from);
  const target = from < 0 ? '/' : url.slice(from, end < 0 ? undefined : end);
  // Some runtimes hide the header that the address was made from.
  const host = () => url.slice(url.indexOf('//') + 2, from < 0 ? undefined : from);
  const mark = target.indexOf('?');
  let controller: AbortController | undefined;
  const open = (): AbortController => {
    if (controller !== undefined) return controller;
    const made = new AbortController();
    controller = made;
    const { signal } = request;
    if (signal.aborted) made.abort(signal.reason);
    else signal.addEventListener('abort', () => made.abort(signal.reason), { once: true });
    return made;
  };
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark),
    header: (name) => headers.get(name) ?? (name === 'host' ? host() : undefined),
    allHeaders: () => headers,
    readBody: (maxBytes) => readRequestBody(request, maxBytes),
    // Runtimes make the signal of a request on first use, which costs time.
    get signal() {
      return open().signal;
    },
    stop: (reason) => open().abort(reason),
    hasLastingSignal: false,
  };
}

async function readRequestBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  // The runtime has measured a body with an announced length already.
  if (request.headers.has('content-length')) {
    const announced = new Uint8Array(await request.arrayBuffer());
    return announced.byteLength > maxBytes ? undefined : announced;
  }
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  return joinChunks(chunks, size);
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
