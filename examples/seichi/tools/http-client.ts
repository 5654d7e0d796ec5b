import { setTimeout as sleep } from 'node:timers/promises';
import { classify, fail, ToolFailure } from 'toolpact';
import { exchange } from './exchange.ts';
import { createFlights } from './flights.ts';
import { createRequestLimiter, type RequestLimit } from './request-limiter.ts';
import { createResponseCache } from './response-cache.ts';

/** One request for JSON. */
export interface HttpRequest {
  /** Whom people know the other side as; limits count per name and origin. */
  readonly upstream: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON, by POST. Without it the request is a GET. */
  readonly body?: unknown;
  readonly limit: RequestLimit;
  readonly timeoutMs: number;
  /** How long an answer is used again without asking; 0 keeps nothing. */
  readonly ttlMs: number;
  /** How long to wait for a turn. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The JSON of an answer. */
export interface HttpAnswer {
  readonly json: unknown;
  /** Whether it was kept from an earlier request, perhaps confirmed by the upstream. */
  readonly cached: boolean;
}

/** Asks upstreams for JSON, under limits and with a cache that all who use it share. */
export interface HttpClient {
  readonly ask: (request: HttpRequest) => Promise<HttpAnswer>;
}

/** Options of a client; each has a default. */
export interface HttpClientOptions {
  readonly fetch?: typeof fetch;
  /** The current time in epoch milliseconds. */
  readonly now?: () => number;
  /** Waits; rejects when the signal fires. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** @default 1000 */
  readonly maxEntries?: number;
  /** How many characters of answers are kept. @default 33_554_432 */
  readonly maxCachedChars?: number;
  /** How large an answer may be. @default 16_777_216 */
  readonly maxBytes?: number;
}

/** Creates a client. One is enough for a process: see {@link sharedHttpClient}. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { now = Date.now, maxEntries = 1000, maxCachedChars = 2 ** 25, maxBytes = 2 ** 24 } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, undefined, signal && { signal }));
  // Waits are measured with a monotonic clock, which cannot be set back.
  const limiter = createRequestLimiter({ now: options.now ?? (() => performance.now()), pause });
  const cache = createResponseCache({ maxEntries, maxChars: maxCachedChars });

  const flights = createFlights<Fetched>();

  async function ask(request: HttpRequest): Promise<HttpAnswer> {
    const { upstream, url, body, ttlMs, signal } = request;
    const text = body === undefined ? undefined : JSON.stringify(body);
    // The response to one credential is not for another.
    const key = `${request.headers.authorization ?? ''}\n${url}\n${text ?? ''}`;
    // A response that must not be stored must not be shared either.
    const fetched = await (ttlMs > 0 ? share(request, text, key) : load(request, text, key, signal));
    return { json: parse(upstream, fetched.text), cached: fetched.cached };
  }

  async function share(request: HttpRequest, body: string | undefined, key: string): Promise<Fetched> {
    let isOurs = false;
    const begin = (stop: AbortSignal): Promise<Fetched> => {
      isOurs = true;
      return load(request, body, key, stop);
    };
    for (;;) {
      try {
        return await flights.join(key, request.signal, begin);
      } catch (thrown) {
        // The time limit of the caller that started the work has passed, not ours.
        if (isOurs || !(thrown instanceof ToolFailure) || thrown.kind !== 'rate_limited') throw thrown;
      }
    }
  }

  async function load(request: HttpRequest, body: string | undefined, key: string, signal: AbortSignal | undefined): Promise<Fetched> {
    const { upstream, url, limit, timeoutMs, ttlMs, patienceMs } = request;
    const kept = ttlMs > 0 ? cache.get(key) : undefined;
    if (kept !== undefined && now() < kept.freshUntil) return { text: kept.text, cached: true };

    const counted = `${upstream} (${new URL(url).host})`;
    await limiter.pass(counted, limit, patienceMs, signal);
    const headers = {
      accept: 'application/json',
      ...request.headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // Only what a GET gave can be confirmed.
      ...(kept?.etag !== undefined && body === undefined && { 'if-none-match': kept.etag }),
      ...(kept?.lastModified !== undefined && body === undefined && { 'if-modified-since': kept.lastModified }),
    };
    const answer = await exchange({ upstream, url, headers, body, timeoutMs, maxBytes, signal, fetch: options.fetch ?? fetch });
    const freshUntil = now() + ttlMs;
    if (answer.status === 304 && kept !== undefined) {
      cache.set(key, { ...kept, freshUntil });
      return { text: kept.text, cached: true };
    }
    if (answer.status < 200 || answer.status > 299) {
      const error = toError(upstream, answer, request.headers.authorization?.replace(/^\S+\s+/, ''));
      const { kind, retryAfterMs } = classify(error, { now: now() });
      if (kind === 'rate_limited' && retryAfterMs !== undefined) limiter.hold(counted, retryAfterMs);
      throw error;
    }
    const { text, headers: given } = answer;
    if (ttlMs > 0) {
      // Only JSON is stored.
      parse(upstream, text);
      cache.set(key, { text, etag: given.get('etag') ?? undefined, lastModified: given.get('last-modified') ?? undefined, freshUntil });
    }
    return { text, cached: false };
  }

  return { ask };
}

let shared: HttpClient | undefined;

/** Returns the client of this process, so that limits and cache are the same for every tool and every call. */
export function sharedHttpClient(): HttpClient {
  shared ??= createHttpClient();
  return shared;
}

/** An answer as text, so that everybody who waited for it gets a value of his own. */
interface Fetched {
  readonly text: string;
  readonly cached: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: string;
}

/** Creates the error for a failed response, with everything that says what it means and when to come back, and without a key that it echoes. */
function toError(upstream: string, { status, headers, url, text }: Answer, secret: string | undefined): Error {
  // Anything shorter is not a secret, but a word that any message may contain.
  const hide = (said: string): string => (secret !== undefined && secret.length > 4 ? said.replaceAll(secret, '…') : said);
  let body: unknown = hide(text).slice(0, 500);
  try {
    // It may be spelled with escapes, which only parsing undoes.
    body = JSON.parse(text, (_, value) => (typeof value === 'string' ? hide(value) : value));
  } catch {
    // Then it says what it says as text.
  }
  return Object.assign(new Error(`${upstream} answered HTTP ${status}`), { status, headers, url, body });
}

function parse(upstream: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = text.trim() === '' ? 'nothing' : /^\s*</.test(text) ? 'a page' : 'something that is cut off or no JSON';
    throw fail('bad_response', `${upstream} answered with ${what} where JSON was expected.`, { cause });
  }
}
