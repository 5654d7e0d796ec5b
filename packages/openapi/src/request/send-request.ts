import { classify, fail } from 'toolpact';
import { isObject, peek } from 'toolpact/internal';
import type { BuiltRequest } from './build-request.ts';

/** The result of a request: an answer, or the address of a redirect that was not followed. */
export interface Answer {
  readonly response: Response;
  readonly redirectedTo: string | undefined;
  /** Whether another request was answered before, which may have changed something. */
  readonly mayHaveRun: boolean;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request. Redirects are followed within the server that was asked; another one is neither shown the credentials nor
 * trusted to name an address.
 */
export async function sendRequest(fetch: Fetch, request: BuiltRequest, signal: AbortSignal): Promise<Answer> {
  let { url, method, body } = request;
  const { headers } = request;
  let mayHaveRun = false;
  for (let hop = 0; ; hop += 1) {
    const response = await ask(
      fetch,
      url,
      { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) },
      mayHaveRun,
    );
    const location = redirects.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return { response, redirectedTo: undefined, mayHaveRun };
    await response.body?.cancel();
    const next = URL.parse(location, url);
    if (next === null) throw fail('bad_response', 'The API redirects to something that is not an address.', upstreamOf(response, url));
    if (next.origin !== new URL(url).origin) return { response, redirectedTo: next.href, mayHaveRun };
    if (hop === maxRedirects)
      throw fail('bad_response', `The API redirects in a circle: ${maxRedirects} times and no end.`, upstreamOf(response, url));
    url = next.href;
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      // The result of the request is read there: what fails from here on does not undo it.
      mayHaveRun ||= method !== 'GET' && method !== 'HEAD';
      method = method === 'HEAD' ? method : 'GET';
      body = undefined;
      headers.delete('content-type');
    }
  }
}

function upstreamOf({ status }: Response, endpoint: string): { upstream: { status: number; endpoint: string } } {
  return { upstream: { status, endpoint } };
}

/** Codes of connections that were never made: nothing was sent, so nothing happened. */
const neverSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;

async function ask(fetch: Fetch, url: string, init: RequestInit, mayHaveRun: boolean): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (thrown) {
    const cause = systemError(thrown);
    if (cause === undefined || !neverSent.test(cause.code)) throw thrown;
    const failure = classify(thrown);
    throw fail(failure.kind, failure.message, { retryable: failure.retryable, effect: mayHaveRun ? 'unknown' : 'none', cause });
  }
}

/** Finds the error with a system code among an error and its causes, also where several addresses were tried. */
function systemError(thrown: unknown): { readonly code: string } | undefined {
  let at: unknown = thrown;
  for (let depth = 0; depth < 5 && isObject(at); depth += 1) {
    const code = peek(at, 'code');
    if (typeof code === 'string' && code !== '') return at as { readonly code: string };
    const errors = peek(at, 'errors');
    at = Array.isArray(errors) ? errors[0] : peek(at, 'cause');
  }
  return undefined;
}
