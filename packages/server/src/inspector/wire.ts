import { AsyncLocalStorage } from 'node:async_hooks';
import { insideOf } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import type { HttpAnswer } from '../request/http-answer.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { WireMessage } from './page-answers.ts';

/** The messages of the last requests that made calls. */
export interface Wire {
  /** Answers a request and keeps both as long as calls are made for it. */
  readonly listen: (head: RequestHead, answer: (head: RequestHead) => Promise<HttpAnswer>) => Promise<HttpAnswer>;
  /** Returns the messages that made a call. */
  readonly of: (invocationId: string) => readonly WireMessage[];
}

/** A request that is answered, and the calls that were made for it. */
interface Exchange {
  readonly calls: Set<string>;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: Headers;
  requestBody: string;
  status: number;
  answerHeaders: Readonly<Record<string, string>>;
  answerBody: string;
}

/** So many requests are kept, and so many characters of each body. */
const maxKept = 256;
const maxChars = 65_536;
const secretHeader = /authorization|cookie|token|secret|key$/i;
const underWay = new AsyncLocalStorage<Exchange>();

/** Notes that a call was made for the request that is answered now. */
export function noteCall(invocationId: string | undefined): void {
  if (invocationId !== undefined) underWay.getStore()?.calls.add(invocationId);
}

/** Creates what keeps messages. What no call was made for is forgotten at once. */
export function createWire(toolbox: ServedToolbox): Wire {
  const kept: Exchange[] = [];
  const { redactor } = insideOf(toolbox);

  /** Hides secrets as the list of calls does: by the names of fields where it is JSON, and in texts. */
  function show(text: string): string {
    try {
      const value: unknown = JSON.parse(text);
      if (isRecord(value) || Array.isArray(value)) return JSON.stringify(redactor?.json(value), null, 2);
    } catch {
      // Events, or a body that was cut.
    }
    return redactor?.text(text, true) ?? '';
  }

  function showHeaders(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, secretHeader.test(name) ? '[redacted]' : show(value)]));
  }

  function keep(exchange: Exchange): void {
    if (exchange.calls.size === 0 || kept.includes(exchange)) return;
    kept.push(exchange);
    if (kept.length > maxKept) kept.shift();
  }

  return {
    async listen(head, answer) {
      const exchange: Exchange = {
        calls: new Set(),
        method: head.method,
        path: `${head.path}${head.search}`,
        requestHeaders: head.allHeaders(),
        requestBody: '',
        status: 0,
        answerHeaders: {},
        answerBody: '',
      };
      const heard: RequestHead = {
        ...head,
        async readBody(maxBytes) {
          const body = await head.readBody(maxBytes);
          if (typeof body !== 'string') exchange.requestBody = cut(new TextDecoder().decode(body.subarray(0, maxChars * 4)), body.length);
          return body;
        },
      };
      const given = await underWay.run(exchange, () => answer(heard));
      exchange.status = given.status;
      exchange.answerHeaders = given.headers;
      if (typeof given.body === 'string') {
        exchange.answerBody = cut(given.body);
        keep(exchange);
        return given;
      }
      return { ...given, body: given.body.pipeThrough(tap(exchange, () => keep(exchange))) };
    },
    of: (invocationId) =>
      kept
        .filter(({ calls }) => calls.has(invocationId))
        .map(({ method, path, requestHeaders, requestBody, status, answerHeaders, answerBody }) => ({
          request: { method, path: show(path), headers: showHeaders(requestHeaders), body: show(requestBody) },
          answer: { status, headers: showHeaders(Object.entries(answerHeaders)), body: show(answerBody) },
        })),
  };
}

/** Lets a stream through and keeps its beginning. The call of a stream ends after its answer has begun. */
function tap(exchange: Exchange, onPart: () => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(part, stream) {
      if (exchange.answerBody.length < maxChars) exchange.answerBody = cut(exchange.answerBody + decoder.decode(part, { stream: true }));
      onPart();
      stream.enqueue(part);
    },
  });
}

function cut(text: string, length = text.length): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}… (cut from ${length})`;
}
