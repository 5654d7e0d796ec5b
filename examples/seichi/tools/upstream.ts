import type { HttpAnswer, HttpClient } from './http-client.ts';
import type { RequestLimit } from './request-limiter.ts';

/** Options of every service that the tools ask. */
export interface UpstreamOptions {
  /** Where it is: http or https, with a path if need be. */
  readonly baseUrl?: string;
  /** How many requests it is sent, by all tools of this process together. */
  readonly limit?: RequestLimit;
  /** How long one request may take. */
  readonly timeoutMs?: number;
  /** How long its answers are used again without asking. */
  readonly ttlMs?: number;
}

/** The call a request is made for. */
export interface AskingCall {
  readonly signal: AbortSignal;
  readonly remainingMs: number;
}

/** A service, ready to be asked for JSON. */
export interface Upstream {
  readonly name: string;
  readonly get: (path: string, call: AskingCall) => Promise<HttpAnswer>;
  readonly post: (path: string, body: unknown, call: AskingCall) => Promise<HttpAnswer>;
}

/** Binds a service to the client that asks it. Throws for an address that cannot be used. */
export function createUpstream(
  name: string,
  settings: Required<UpstreamOptions>,
  http: HttpClient,
  headers: Readonly<Record<string, string>>,
): Upstream {
  const { limit, timeoutMs, ttlMs } = settings;
  const base = checkBaseUrl(name, settings.baseUrl);
  for (const [setting, value] of Object.entries({ timeoutMs, 'limit.requests': limit.requests, 'limit.windowMs': limit.windowMs })) {
    if (!(value > 0)) throw new TypeError(`${name}: ${setting} must be a number above 0`);
  }
  try {
    new Headers(headers);
  } catch {
    // The platform's own message quotes the value, which may be a key.
    throw new TypeError(`${name}: the user agent or key it is sent holds a character that cannot be sent`);
  }
  const ask = (path: string, body: unknown, { signal, remainingMs }: AskingCall): Promise<HttpAnswer> =>
    // Half of what is left may go by waiting for a turn; the rest is for the answer.
    http.ask({ upstream: name, url: base + path, headers, body, limit, timeoutMs, ttlMs, patienceMs: remainingMs / 2, signal });
  return { name, get: (path, call) => ask(path, undefined, call), post: ask };
}

function checkBaseUrl(name: string, baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new TypeError(`${name}: its address must be http or https`);
  if (url.username !== '' || url.password !== '') throw new TypeError(`${name}: its address must not hold a credential`);
  if (url.search !== '' || url.hash !== '') throw new TypeError(`${name}: its address must end before "?" and "#"`);
  return url.href.replace(/\/+$/, '');
}
