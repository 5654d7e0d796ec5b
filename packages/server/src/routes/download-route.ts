import type { CallPage, JsonObject, RecordedCall } from 'toolpact';
import { describe, queryParameter } from '../openapi/operation.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import { securityHeaders } from '../request/security-headers.ts';
import type { ServerState } from '../request/server-state.ts';
import { filterParameters, readFilter, spanParameters, textParameter } from './call-list-routes.ts';
import { toOtlpSpans, traceBegin, traceEnd } from './otlp-spans.ts';
import { readCount, readQuery } from './read-query.ts';
import { findVisible, listVisible } from './visible-calls.ts';

/** How calls are written to a file: what stands before, between and after them. */
interface DownloadForm {
  readonly contentType: string;
  readonly extension: string;
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** Writes a call; some calls are written as nothing. */
  readonly write: (call: RecordedCall) => Promise<string>;
}

const forms: Readonly<Record<string, DownloadForm>> = {
  jsonl: {
    contentType: 'application/x-ndjson',
    extension: 'jsonl',
    begin: '',
    between: '\n',
    end: '\n',
    write: async (call) => JSON.stringify(call),
  },
  otlp: {
    contentType: 'application/json',
    extension: 'otlp.json',
    begin: traceBegin,
    between: ',',
    end: traceEnd,
    write: async (call) => (await toOtlpSpans(call)).map((span) => JSON.stringify(span)).join(','),
  },
};

/** The most calls in one file, and how many are listed and read at once. */
const maxCalls = 10_000;
const pageSize = 100;
const readAtOnce = 8;
const encoder = new TextEncoder();
const text: JsonObject = { type: 'string' };

/** The route that gives calls as a file: a line of JSON for each, or traces as OpenTelemetry's collectors read them. */
export const downloadRoute: Route = {
  method: 'GET',
  path: '/v1/calls/download',
  needs: 'store',
  async run(request, server) {
    const name = readQuery(request.head, 'format') || 'jsonl';
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) return server.refuse(request, 'invalid_input', `format must be one of ${Object.keys(forms).join(', ')}.`);
    const limit = readCount(request.head, 'limit', maxCalls, 1);
    if (limit === undefined) return server.refuse(request, 'invalid_input', 'limit must be a whole number from 1.');
    const pages = readPages(request, server, Math.min(limit, maxCalls));
    // The first page is read before anything is sent, so that a request that cannot be answered is refused.
    const first = await pages.next();
    if (!first.done && isAnswer(first.value)) return first.value;
    return {
      status: 200,
      headers: {
        ...securityHeaders,
        'content-type': form.contentType,
        'content-disposition': `attachment; filename="calls.${form.extension}"`,
      },
      body: toStream(writeCalls(form, first, pages, request, server)),
    };
  },
  docs: describe(
    'Stored calls',
    'downloadCalls',
    'Download calls',
    'Whole calls, newest first, as `GET /v1/calls/{id}` gives them: one line of JSON for each (`jsonl`), or as traces of OpenTelemetry in JSON (`otlp`), which collectors take. At most 10,000.',
    {
      parameters: [
        queryParameter('format', 'The form of the file.', { enum: Object.keys(forms) }, 'jsonl'),
        ...filterParameters,
        ...spanParameters,
        textParameter,
        queryParameter('limit', 'The most calls.', { type: 'integer', minimum: 1, maximum: maxCalls }, 1000),
      ],
      gives: {
        200: {
          description: 'The file.',
          content: { 'application/x-ndjson': { schema: text }, 'application/json': { schema: { type: 'object' } } },
        },
      },
      fails: [400],
    },
  ),
};

/** Reads pages of the list until there are enough calls. A store that fails in between ends the file. */
async function* readPages(
  request: RouteRequest,
  server: ServerState,
  most: number,
): AsyncGenerator<CallPage['calls'] | HttpAnswer, undefined> {
  const filter = readFilter(request, server);
  if (isAnswer(filter)) {
    yield filter;
    return;
  }
  let [left, cursor]: [number, string | undefined] = [most, undefined];
  do {
    const page = await listVisible(request, server, { ...filter, limit: Math.min(pageSize, left), cursor });
    if (isAnswer(page)) {
      yield page;
      return;
    }
    yield page.calls;
    left -= page.calls.length;
    cursor = page.next;
  } while (cursor !== undefined && left > 0);
}

async function* writeCalls(
  form: DownloadForm,
  first: IteratorResult<CallPage['calls'] | HttpAnswer, undefined>,
  rest: AsyncIterable<CallPage['calls'] | HttpAnswer>,
  request: RouteRequest,
  server: ServerState,
): AsyncGenerator<string> {
  let before = form.begin;
  let isEmpty = true;
  async function* pages() {
    if (!first.done) yield first.value;
    yield* rest;
  }
  for await (const page of pages()) {
    // Sent bytes cannot be taken back: a file without its end shows that it is not whole.
    if (isAnswer(page)) throw new Error('The store did not answer.');
    for (let at = 0; at < page.length; at += readAtOnce) {
      const found = await Promise.all(page.slice(at, at + readAtOnce).map(({ id }) => findVisible({ ...request, param: id }, server)));
      for (const call of found) {
        // A call that was forgotten meanwhile is left out.
        const written = isAnswer(call) ? '' : await form.write(call);
        if (written === '') continue;
        yield before + written;
        before = form.between;
        isEmpty = false;
      }
    }
  }
  yield isEmpty ? form.begin + (form.begin === '' ? '' : form.end) : form.end;
}

/** Returns texts as a body. Nothing is read that nobody waits for. */
function toStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await texts.next();
      if (done === true) stream.close();
      else stream.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}
