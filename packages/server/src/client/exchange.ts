import { createParser } from 'eventsource-parser';
import { peek, readPieces, systemClock } from 'toolpact/internal';

/** One server-sent event. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string | undefined;
}

/** One request, ready to be sent. */
export interface Sending {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** Hears the events of an answer that is a stream; true means that this one is the answer, and the last to be read. */
  readonly onEvent?: ((event: StreamEvent) => boolean) | undefined;
}

/** The result of a request: a complete answer, or the reason why there is none. */
export type Exchanged = Answered | Unanswered;

/** An answer, read to its end. */
export interface Answered {
  readonly is: 'answered';
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly url: string;
}

/** No answer: its caller stopped it, its time was over, it is too large, it broke off after it had begun, or the network failed before. */
export interface Unanswered {
  readonly is: 'stopped' | 'late' | 'too_large' | 'cut' | 'broken';
  readonly thrown?: unknown;
  /** Whether the request was not even sent. */
  readonly isUnsent?: boolean;
}

/** Sends a request once and reads its answer. Never rejects. Stopping it closes the connection, by which the server knows. */
export async function exchange(sending: Sending): Promise<Exchanged> {
  const { url, method, headers, body, signal, timeoutMs, onEvent } = sending;
  if (signal?.aborted === true) return { is: 'stopped', isUnsent: true };
  if (!(timeoutMs > 0)) return { is: 'late', isUnsent: true };
  const controller = new AbortController();
  let over: 'stopped' | 'late' | undefined;
  let response: Response | undefined;
  const end = (why: typeof over) => (): void => {
    over ??= why;
    controller.abort();
  };
  const stop = end('stopped');
  const stopTimer = systemClock.after(timeoutMs, end('late'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    // Do not follow redirects: credentials would be sent to another host.
    const request = { method, headers, redirect: 'manual', cache: 'no-store', signal: controller.signal } as const;
    response = await sending.fetch(url, body === undefined ? request : { ...request, body });
    const isStream = onEvent !== undefined && response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? await readStream(response, sending, onEvent) : await readText(response, sending.maxAnswerBytes);
    if (text === undefined) {
      controller.abort();
      return { is: 'too_large' };
    }
    return { is: 'answered', status: response.status, headers: response.headers, body: text, url };
  } catch (thrown) {
    if (over !== undefined) return { is: over };
    if (response === undefined) return { is: 'broken', thrown };
    // The answer came whole, but its body is not compressed as it says: its status is all that can be read.
    return isGarbled(thrown)
      ? { is: 'answered', status: response.status, headers: response.headers, body: '', url }
      : { is: 'cut', thrown };
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', stop);
  }
}

function isGarbled(thrown: unknown): boolean {
  const code = peek(peek(thrown, 'cause'), 'code');
  return typeof code === 'string' && /^(?:Z_DATA_ERROR|ERR__ERROR_FORMAT|ZSTD_error)/.test(code);
}

async function readText(response: Response, limit: number): Promise<string | undefined> {
  let text = '';
  for await (const piece of readTexts(response, limit)) {
    if (piece === undefined) return undefined;
    text += piece;
  }
  return text;
}

/** The limit is that of each event: a stream of many may be endless. */
async function readStream(
  response: Response,
  { maxAnswerBytes }: Sending,
  onEvent: (event: StreamEvent) => boolean,
): Promise<string | undefined> {
  let answer: string | undefined;
  let unread = 0;
  let isTooLarge = false;
  const parser = createParser({
    onEvent({ event = 'message', data, id }) {
      unread = 0;
      isTooLarge ||= data.length > maxAnswerBytes;
      if (!isTooLarge && answer === undefined && onEvent({ event, data, id })) answer = data;
    },
    onComment() {
      unread = 0;
    },
  });
  for await (const piece of readTexts(response, Number.POSITIVE_INFINITY)) {
    unread += piece?.length ?? 0;
    parser.feed(piece ?? '');
    if (isTooLarge || unread > maxAnswerBytes) return undefined;
    if (answer !== undefined) return answer;
  }
  throw new TypeError('the stream ended before the outcome came');
}

/** Returns the text of a body piece by piece; undefined where the limit is passed. */
async function* readTexts(response: Response, limit: number): AsyncGenerator<string | undefined, void, undefined> {
  const decoder = new TextDecoder();
  for await (const piece of readPieces(response.body, limit)) yield piece && decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
