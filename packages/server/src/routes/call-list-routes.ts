import { type CallFilter, catalogue, type FailureKind, type JsonObject, type ListedCall } from 'toolpact';
import { isFailureKind, sleep } from 'toolpact/internal';
import { mayCall, namedBy } from '../auth/identity.ts';
import { describe, queryParameter } from '../openapi/operation.ts';
import { formParameters, pageParameters } from '../openapi/parameters.ts';
import { guardSchemas, object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import { encodeFormat } from '../request/response-format.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { askStore, refuseWithoutStore, storeFailed } from './ask-store.ts';
import { type CallSummary, summarizeCalls } from './call-summary.ts';
import { readQueries, readQuery } from './read-query.ts';
import { exampleId, findVisible, idParameter, listVisible, maySee, tenantOf, tenantParameter } from './visible-calls.ts';

const text: JsonObject = { type: 'string' };
const statuses: readonly unknown[] = ['running', 'ok', 'partial', 'error', 'pending'] satisfies ListedCall['status'][];
const exampleTime = '2026-11-16T08:00:00Z';
const manyOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
/** Describes which calls are meant. */
export const filterParameters = [
  queryParameter('tool', 'Only calls of this tool, or of these: `tool=a&tool=b`.', manyOf(text), ['search']),
  queryParameter('status', 'Only calls with this status, or one of these.', manyOf({ enum: [...statuses] as string[] }), ['error']),
  queryParameter('kind', 'Only calls with this kind of failure, or one of these.', manyOf({ enum: Object.keys(catalogue) }), ['timeout']),
  queryParameter('runId', 'Only calls of this run.', text, 'run_cfe213'),
  queryParameter('key', 'Only calls with this idempotency key.', text, 'order-4711'),
  queryParameter('replayOf', 'Only calls that were answered with the outcome of this one.', text, exampleId),
  tenantParameter,
];
/** Describes which time is meant. */
export const spanParameters = [
  queryParameter('since', 'Only calls since this time: ISO 8601, or epoch milliseconds.', text, exampleTime),
  queryParameter('until', 'Only calls until this time.', text, exampleTime),
];
/** Describes which words are looked for. */
export const textParameter = queryParameter('text', 'Only calls that contain this text.', text, 'Kyoto');
const schemas = { ListedCall: guardSchemas.ListedCall };
/** The most calls that are read for one summary. */
const maxSummarized = 10_000;

/** The routes that show calls: the list, its live stream, counts and times, and one call. All are those of the caller's tenant and tools. */
export const callListRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/calls',
    needs: 'store',
    async run(request, server) {
      const filter = readFilter(request, server);
      if (isAnswer(filter)) return filter;
      const page = await listVisible(request, server, filter);
      return isAnswer(page) ? page : encodeJson(traceOf(request.head), page);
    },
    docs: describe(
      'Stored calls',
      'listCalls',
      'List calls',
      'Calls of your tenant, newest first. One page searches at most 10,000 calls, so it may be short, even empty: `next` is set if there may be more.',
      {
        parameters: [
          ...filterParameters,
          ...spanParameters,
          textParameter,
          ...pageParameters.slice(1),
          queryParameter('cursor', 'The `next` of the previous page.', text, '1794816000000_7'),
        ],
        gives: ['One page of calls.', object({ calls: { type: 'array', items: schemaRef('ListedCall') }, next: text }, ['calls'])],
        fails: [400],
        schemas,
      },
    ),
  },
  {
    method: 'GET',
    path: '/v1/calls/stream',
    needs: 'store',
    async run(request, server) {
      const filter = readFilter(request, server);
      if (isAnswer(filter)) return filter;
      const { streamCalls } = await import('./call-stream.ts');
      return streamCalls(server, request, filter, (call) => maySee(request.identity, call));
    },
    docs: describe(
      'Stored calls',
      'streamCalls',
      'Watch calls as they begin and end',
      'Server-sent events: `call` with a call as it is listed, and `progress`; `stalled` while the store does not answer, and `watching` when it does. A client that sends the last event id again, as `Last-Event-ID`, misses nothing of calls that began within 15 minutes before it left; an event may then come twice.',
      {
        parameters: filterParameters,
        gives: {
          200: {
            description: 'Events, until the client goes or the server stops.',
            content: { 'text/event-stream': { schema: schemaRef('ListedCall') } },
          },
        },
        fails: [400],
        schemas,
      },
    ),
  },
  {
    method: 'GET',
    path: '/v1/calls/summary',
    needs: 'store',
    async run(request, server) {
      const summary = await summarize(request, server);
      return isAnswer(summary) ? summary : encodeJson(traceOf(request.head), summary);
    },
    docs: describe(
      'Stored calls',
      'summarizeCalls',
      'Count calls per minute, and how long they take',
      'Of the last hour, or of the given time. Reads the newest 10,000 calls; `complete` says whether those were all.',
      {
        parameters: [...filterParameters, ...spanParameters],
        gives: ['Counts and times.', schemaRef('CallSummary')],
        fails: [400],
        schemas: { CallSummary: guardSchemas.CallSummary },
      },
    ),
  },
  {
    method: 'POST',
    path: '/v1/calls/{id}/cancel',
    needs: 'store',
    async run(request, server) {
      const { head, identity, param: id } = request;
      const { calls } = server.toolboxOf(identity);
      const asked = await askStore(async () => {
        const found = await calls?.get(id);
        const isVisible = found !== undefined && mayCall(identity, found.tool);
        return isVisible && (await calls?.cancel(id, namedBy(identity))) === true;
      });
      if (asked === storeFailed) return refuseWithoutStore(server, request);
      return asked
        ? encodeJson(traceOf(head), { id, asked })
        : server.refuse(request, 'not_found', 'There is no call with this id that still runs.');
    },
    docs: describe(
      'Stored calls',
      'cancelCall',
      'Stop a call that runs, sleeps or waits',
      'Aborts the signal of its handler, in whichever process it runs; the call ends as its handler does. One that sleeps or waits ends as `cancelled` at once. `/v1/calls/{id}` says how it ended.',
      { parameters: [idParameter], gives: ['The call was asked to stop.', object({ id: text, asked: { type: 'boolean' } })], fails: [404] },
    ),
  },
  {
    method: 'GET',
    path: '/v1/calls/{id}',
    outcomes: 'outcome',
    selectsFormat: true,
    needs: 'store',
    async run(request, server) {
      const found = await findVisible(request, server);
      if (isAnswer(found)) return found;
      const { outcome } = found;
      return encodeJson(traceOf(request.head), { ...found, ...(outcome && { outcome: encodeFormat(outcome, request.format) }) });
    },
    docs: describe(
      'Stored calls',
      'findCall',
      'Read a call',
      'By id or handle, within your tenant. Includes who decided about it, when and why, and its open questions.',
      {
        parameters: [idParameter, ...formParameters],
        gives: ['The call.', schemaRef('RecordedCall')],
        fails: [400, 404],
        schemas: { RecordedCall: guardSchemas.RecordedCall },
      },
    ),
  },
];

/** Counts the calls that a request asks for: those of the last hour unless it names a time. */
export async function summarize(request: RouteRequest, server: ServerState): Promise<CallSummary | HttpAnswer> {
  const filter = readFilter(request, server);
  if (isAnswer(filter)) return filter;
  const since = filter.since ?? Date.now() - 3_600_000;
  const calls: ListedCall[] = [];
  let next: string | undefined;
  do {
    const page = await listVisible(request, server, { ...filter, since, limit: 1000, cursor: next });
    if (isAnswer(page)) return page;
    calls.push(...page.calls);
    next = page.next;
    // A store in this process answers at once: other requests get their turn.
    if (next !== undefined) await sleep(0);
  } while (next !== undefined && calls.length < maxSummarized);
  return summarizeCalls(calls, next === undefined);
}

/** Reads which calls are meant from the query. */
export function readFilter(request: RouteRequest, server: ServerState): CallFilter | HttpAnswer {
  const tenantId = tenantOf(request, server);
  if (isAnswer(tenantId)) return tenantId;
  const given = (name: string): string | undefined => readQuery(request.head, name) || undefined;
  const [tool, status, kind] = ['tool', 'status', 'kind'].map((name) => readQueries(request.head, name));
  const limit = given('limit');
  if (status?.every((one) => statuses.includes(one)) === false)
    return server.refuse(request, 'invalid_input', `status must be one of ${statuses.join(', ')}.`);
  if (kind?.every(isFailureKind) === false)
    return server.refuse(request, 'invalid_input', `kind must be one of ${Object.keys(catalogue).join(', ')}.`);
  return {
    tool,
    status: status as readonly ListedCall['status'][] | undefined,
    kind: kind as readonly FailureKind[] | undefined,
    runId: given('runId'),
    key: given('key'),
    replayOf: given('replayOf'),
    tenantId,
    since: toTime(given('since')),
    until: toTime(given('until')),
    text: given('text'),
    limit: limit === undefined ? undefined : Number(limit),
    cursor: given('cursor'),
  };
}

/** Epoch milliseconds come as text. */
function toTime(given: string | undefined): string | number | undefined {
  return given !== undefined && /^\d+$/.test(given) ? Number(given) : given;
}
