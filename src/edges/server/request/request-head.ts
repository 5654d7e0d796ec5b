/** A request as routes need it, whichever listener it came through. */
export interface Asked {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query with its question mark, or nothing. */
  readonly search: string;
  /** Reads a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly signal: AbortSignal;
  /** Whether the signal belongs to a connection and outlives this request. */
  readonly isLasting?: boolean;
}

/** An answer that any listener can send. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Gives a request of the fetch API as routes need it. */
export function toAsked(request: Request): Asked {
  const { method, url, headers } = request;
  const from = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('#', from);
  const target = from < 0 ? '/' : url.slice(from, end < 0 ? undefined : end);
  // Not every runtime shows the header that the address was made from.
  const host = () => url.slice(url.indexOf('//') + 2, from < 0 ? undefined : from);
  const mark = target.indexOf('?');
  return {
    method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark),
    header: (name) => headers.get(name) ?? (name === 'host' ? host() : undefined),
    // Listeners make the signal of a request on first use, so it is not asked for before somebody needs it.
    get signal() {
      return request.signal;
    },
  };
}

/** Responses made of answers, which say all they have to. */
const whole = new WeakSet<Response>();

/** Gives an answer as a response of the fetch API. */
export function toResponse({ status, headers, body }: Answer): Response {
  const response = new Response(body, { status, headers });
  whole.add(response);
  return response;
}

/** Tells whether a response was made of an answer. */
export function isWhole(response: Response): boolean {
  return whole.has(response);
}
