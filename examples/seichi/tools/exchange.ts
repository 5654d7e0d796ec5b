import { fail } from 'toolpact';

/** A request, ready to be sent. */
export interface Exchange {
  readonly upstream: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With a body the request is a POST. */
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly fetch: typeof fetch;
}

/** An answer, read to its end. */
export interface ExchangedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: string;
}

const mostRedirects = 3;

/** Sends a request once and reads its answer, within its time and up to its size. The caller's signal closes the connection. */
export async function exchange(request: Exchange): Promise<ExchangedAnswer> {
  const { upstream, url, timeoutMs, signal } = request;
  const controller = new AbortController();
  const late = fail('timeout', `${upstream} did not answer within ${timeoutMs} ms.`, { cause: 'TimeoutError' });
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const stop = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await follow(request, controller.signal);
  } catch (cause) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (cause instanceof TypeError) throw Object.assign(new Error(`the connection to ${upstream} failed`, { cause }), { url });
    throw cause;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Ends what may still be on its way: the body of an answer that was too large, or that led elsewhere.
    controller.abort();
  }
}

async function follow(request: Exchange, signal: AbortSignal): Promise<ExchangedAnswer> {
  const { upstream, headers, body, maxBytes } = request;
  const init = { headers, redirect: 'manual', signal } as const;
  let url = httpUrl(upstream, request.url);
  for (let step = 0; step <= mostRedirects; step += 1) {
    const response = await request.fetch(url, body === undefined ? init : { ...init, method: 'POST', body });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || response.status === 304 || next === null) {
      return { status: response.status, headers: response.headers, text: await readText(upstream, response, maxBytes), url: url.href };
    }
    await response.body?.cancel();
    url = redirected(upstream, url, next, response.status, body !== undefined);
  }
  throw fail('bad_response', `${upstream} redirects in circles.`);
}

/** Follows redirects on the host that the operator configured, and to no other host. */
function redirected(upstream: string, from: URL, to: string, status: number, posted: boolean): URL {
  const url = httpUrl(upstream, URL.canParse(to, from.href) ? new URL(to, from).href : to);
  const isSame = url.hostname === from.hostname && (url.port === from.port || from.protocol !== url.protocol);
  const isDowngrade = from.protocol === 'https:' && url.protocol === 'http:';
  if (!isSame || isDowngrade) throw fail('bad_response', `${upstream} redirects to another host, which is not followed.`);
  if (posted && status !== 307 && status !== 308) throw fail('bad_response', `${upstream} redirects a request that cannot be redirected.`);
  return url;
}

function httpUrl(upstream: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw fail('bad_response', `${upstream} has an address that is not http or https.`);
  return url;
}

/** Reads a body as text; fails as soon as it is larger than allowed. */
async function readText(upstream: string, response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw fail('too_large', `The answer of ${upstream} is larger than ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
