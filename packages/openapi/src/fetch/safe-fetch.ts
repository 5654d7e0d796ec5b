import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fail } from 'toolpact';
import { refuseOptions, untilAborted } from 'toolpact/internal';
import { checkAddresses, checkUrl, type UrlRules } from './check-url.ts';
import { type HostAddress, sendPinnedRequest } from './pinned-request.ts';

/** How pages are fetched, and what may be asked. */
export interface SafeFetchOptions extends UrlRules {
  /** Finds the addresses of a name. It is asked once per hop. @default the system's resolver */
  readonly lookup?: ((host: string) => Promise<readonly HostAddress[]>) | undefined;
  /** How many redirects are followed. @default 5 */
  readonly maxRedirects?: number | undefined;
  /** How large a page may be, unpacked. @default 2_000_000 */
  readonly maxBytes?: number | undefined;
  /** How long one page may take, redirects included. @default 15_000 */
  readonly timeoutMs?: number | undefined;
  /** @default toolpact */
  readonly userAgent?: string | undefined;
}

/** The response to a fetch. */
type SafeResponse = {
  /** The URL after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Options of one fetch. */
export interface SafeFetchCall {
  readonly signal?: AbortSignal | undefined;
  /** Is asked before each request, the first one included, and stops it by throwing. */
  readonly beforeHop?: ((url: URL, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Fetches a URL that a model supplied. Rejects with a `ToolFailure` if the URL is refused, otherwise with the error of the request. */
export type SafeFetch = (url: string, call?: SafeFetchCall) => Promise<SafeResponse>;

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Creates a fetch that reaches the public internet only. Each hop is checked by its spelling and by all addresses of its name, and
 * connects to exactly these addresses: a name that gets another address a moment later changes nothing.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  refuseOptions<SafeFetchOptions>('createSafeFetch', options, {
    lookup: true,
    maxRedirects: true,
    maxBytes: true,
    timeoutMs: true,
    userAgent: true,
    allowHosts: true,
    ports: true,
  });
  const { lookup = resolve, maxRedirects = 5, maxBytes = 2_000_000, timeoutMs = 15_000, userAgent = 'toolpact' } = options;
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
  };
  return async (given, { signal: callers, beforeHop } = {}) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = callers === undefined ? deadline : AbortSignal.any([callers, deadline]);
    let next = given;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const { url, host } = checkUrl(next, options, hop === 0 ? 'caller' : 'page');
      url.hash = '';
      const addresses = await addressesOf(host, lookup, signal);
      checkAddresses(
        host,
        addresses.map(({ address }) => address),
        options,
      );
      await beforeHop?.(url, signal);
      // A connection that was cut off because the time was over looks like one that broke.
      const response = await sendPinnedRequest({ url, addresses, headers, maxBytes, signal }).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
      const { location } = response.headers;
      if (!redirects.includes(response.status) || location === undefined) return { url: url.href, ...response };
      next = URL.parse(location, url)?.href ?? location;
    }
    throw fail('bad_response', `The page redirects more than ${maxRedirects} times.`);
  };
}

async function addressesOf(
  host: string,
  lookup: NonNullable<SafeFetchOptions['lookup']>,
  signal: AbortSignal,
): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family as 4 | 6 }];
  const found = await untilAborted(lookup(host), signal);
  if (found.length === 0) throw Object.assign(new Error(`no address is known for ${host}`), { code: 'ENOTFOUND', hostname: host });
  return found;
}

async function resolve(host: string): Promise<readonly HostAddress[]> {
  return (await systemLookup(host, { all: true })) as HostAddress[];
}
