import type { SafeFetch } from '@toolpact/openapi';
import { classify, fail } from 'toolpact';
import { decodeText } from './decode-text.ts';
import { extractInThread } from './extract-in-thread.ts';

/** A page as a model reads it. */
export interface Page {
  /** The URL after all redirects. */
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

type Reader = (text: string, signal: AbortSignal | undefined) => Promise<Omit<Page, 'url'>> | Omit<Page, 'url'>;

const plain: Reader = (text) => ({ title: '', text: text.trim() });
const html: Reader = (text, signal) => extractInThread(text, { signal });

/** How each content type is read; the first that fits. */
const readers: readonly (readonly [type: RegExp, read: Reader])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, html],
  [/^text\/|^application\/(?:json|xml|yaml|x-yaml|javascript|x-ndjson|toml)$|\+(?:json|xml)$/, plain],
];

/** Fetches a page and gives its text. Rejects with a failure whose code is `crawling_error`, or `invalid_url_format`. */
export async function readPage(url: string, fetch: SafeFetch, call: NonNullable<Parameters<SafeFetch>[1]>): Promise<Page> {
  try {
    const response = await fetch(url, call);
    if (response.status < 200 || response.status > 299) throw refusal(response);
    const type = typeOf(response);
    const read = readers.find(([pattern]) => pattern.test(type))?.[1];
    if (read === undefined) throw fail('unsupported', `The page is ${nameOf(type)}; only HTML, text, JSON and XML can be read.`);
    const page = await read(decodeText(response.body, response.headers['content-type']), call.signal);
    // Fail: an empty text would look like a page that says nothing.
    if (page.text === '') throw fail('unsupported', 'The page has no text that can be read; it may need a browser that runs its scripts.');
    return { url: response.url, ...page };
  } catch (thrown) {
    throw asCrawlingError(thrown, call.signal);
  }
}

/** Keeps the kind of a page's failure; the code says where it happened. */
function asCrawlingError(thrown: unknown, signal: AbortSignal | undefined): Error {
  const stopped = signal?.aborted === true && !isTimeout(signal.reason);
  const { kind, message, code, retryable, retryAfterMs, upstream } = classify(thrown, { expose: 'authored', stopped });
  return fail(kind, message, {
    code: code === 'invalid_url_format' ? code : 'crawling_error',
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(upstream !== undefined && { upstream }),
    cause: thrown,
  });
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function refusal({ status, headers, url }: Awaited<ReturnType<SafeFetch>>): Error {
  return Object.assign(new Error(`The page answered HTTP ${status}`), { status, headers, url });
}

/** A page that does not say what it is, is what it looks like. */
function typeOf({ headers, body }: Awaited<ReturnType<SafeFetch>>): string {
  const [said = ''] = (headers['content-type'] ?? '').split(';');
  const type = said.trim().toLowerCase();
  if (type !== '' && type !== 'application/octet-stream') return type;
  const head = new TextDecoder('latin1').decode(body.subarray(0, 1024)).trimStart();
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (/^<(?:!doctype html|html|head|body)/i.test(head)) return 'text/html';
  return head.includes('\u0000') ? 'application/octet-stream' : 'text/plain';
}

function nameOf(type: string): string {
  return type === 'application/pdf' ? 'a PDF document, which this tool cannot read' : `of the type ${type.slice(0, 80)}`;
}
