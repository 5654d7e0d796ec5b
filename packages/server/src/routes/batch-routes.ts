import type { BatchAnswer, BatchCall, CallContext } from 'toolpact';
import { type JsonObject, type JsonValue, type Outcome, summarize } from 'toolpact';
import { failureRefs, failureStatuses } from '../openapi/failures.ts';
import { answer, body, formHeaders, operation } from '../openapi/operation.ts';
import { callParameters, formParameters, keyParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { authorizeResultRead, readsStoredResult } from '../request/authorize-result-read.ts';
import { capTimeout } from '../request/cap-timeout.ts';
import { encodeOutcome } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { callerContext } from '../request/read-context.ts';
import { defaultFormats, encodeFormat, type ResponseFormat, selectFormat, spokenFormat } from '../request/response-format.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import { runWithin } from '../request/run-within.ts';
import type { ServerState } from '../request/server-state.ts';
import { type BatchRequest, checkBatch, readBatch } from './batch-request.ts';
import { executionSchema } from './call-routes.ts';

/** A batch whose caller may make all of its calls. */
export interface PreparedBatch {
  readonly request: RouteRequest;
  readonly format: ResponseFormat;
  readonly batch: BatchRequest;
  readonly context: CallContext;
  readonly echo: Readonly<Record<string, string>> | undefined;
}

const batchNote =
  'No call can harm another. Calls that were skipped are reported as such. With an `Idempotency-Key` every call has a key of its own, made of that and its `id` (its place where it has none): ' +
  'a batch that is sent again runs only what has not run, and `Idempotency-Replayed` is `true` when nothing has.';

/** The route that makes many calls at once. Its status says whether all succeeded, some (207), or none. */
export const batchRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/batch',
    format: 'outcome',
    selectsFormat: true,
    startsWork: true,
    read: 'json',
    async run(request, server) {
      const prepared = await prepareBatch(server, request);
      if (isAnswer(prepared)) return prepared;
      const { format, echo } = prepared;
      const answers = await server.inFlight.run(request.head.client(), () => runBatch(server, prepared));
      return encodeOutcome(toOutcome(prepared, answers), format, echo);
    },
    docs: {
      group: 'More ways to call',
      operation: operation('runBatch', 'Make many calls at once', batchNote, {
        parameters: [keyParameter, ...callParameters, ...formParameters],
        requestBody: body(
          'The calls, in either form.',
          { oneOf: [callsSchema(), actionsSchema()] },
          { calls: [{ id: 'a', tool: 'add', args: { a: 1, b: 2 } }] },
        ),
        responses: {
          200: answer('All calls succeeded; `data.results` holds their outcomes.', schemaRef('OkOutcome'), formHeaders),
          207: answer('Some calls succeeded; `data.results` holds all outcomes.', schemaRef('PartialOutcome'), formHeaders),
          ...failureRefs(failureStatuses),
        },
      }),
    },
  },
];

function callsSchema(): JsonObject {
  const text: JsonObject = { type: 'string' };
  const key: JsonObject = { type: 'string', minLength: 1, maxLength: 512, description: 'The Idempotency-Key of this call alone.' };
  const timeoutMs: JsonObject = {
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Milliseconds for the call, at most what the server allows.',
  };
  const call = {
    ...object({ id: text, tool: text, args: { type: 'object' }, timeoutMs, idempotencyKey: key }, ['tool']),
    additionalProperties: false,
  };
  return object(
    { calls: { type: 'array', minItems: 1, items: call }, concurrency: { type: 'integer', minimum: 1 }, stopOnError: { type: 'boolean' } },
    ['calls'],
  );
}

function actionsSchema(): JsonObject {
  const actions: JsonObject = { type: 'array', minItems: 1, items: executionSchema };
  return object({ actions, parallel: { type: 'boolean' }, stop_on_error: { type: 'boolean' } }, ['actions']);
}

/** Checks that the caller may make all calls of a batch, and reads its headers. */
export async function prepareBatch(server: ServerState, request: RouteRequest): Promise<PreparedBatch | HttpAnswer> {
  const { head, identity, value, format } = request;
  const { maxBatch, maxTimeoutMs } = server.settings;
  const issues = checkBatch(value, maxBatch);
  if (issues.length > 0) {
    const message = `The batch is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
    const malformed = issues.some(({ path }) => path.length === 0);
    return server.refuse(request, 'invalid_input', message, { issues, malformed });
  }
  const headers = server.contextOf(request, value);
  if (isAnswer(headers)) return headers;
  // Several calls cannot share the id of one, nor its key.
  const { invocationId: _, idempotencyKey: key, ...given }: CallContext = { ...headers.context, ...callerContext(identity) };
  const batch = readBatch(value, server.toolbox);
  const ids = batch.calls.map(({ id }, index) => id ?? String(index));
  if (key !== undefined && new Set(ids).size < ids.length) {
    const message = 'Two actions have the same message_id, so that an Idempotency-Key cannot tell them apart.';
    return server.refuse(request, 'invalid_input', message);
  }
  const calls: BatchCall[] = [];
  for (const [index, call] of batch.calls.entries()) {
    const name = server.permit(request, identity, call.tool);
    if (isAnswer(name)) return name;
    const idempotencyKey = call.idempotencyKey ?? (key === undefined ? undefined : keyOf(key, ids[index] ?? ''));
    calls.push({ ...capTimeout(call, maxTimeoutMs), tool: name ?? call.tool, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  }
  const refused = await refuseReads(server, request, calls);
  if (refused !== undefined) return refused;
  return {
    request,
    format: batch.isOld ? (selectFormat(head, spokenFormat(server.settings.dialect?.name) ?? defaultFormats.coded) ?? format) : format,
    batch: { ...batch, calls },
    echo: headers.echo,
    context: capTimeout(capTimeout({ ...batch.context, ...given }, batch.context.timeoutMs), maxTimeoutMs),
  };
}

/** Gives each call of a batch a key of its own: the same when the batch is sent again, whatever has become of the others. */
function keyOf(key: string, id: string): string {
  // An encoded id cannot hold the separator, so that no two pairs make the same key.
  return `${key}/${encodeURIComponent(id.toWellFormed())}`;
}

/** A batch that would read what its caller may not read is refused as a whole, like one that calls what it may not call. */
async function refuseReads(
  { toolbox, refuse }: ServerState,
  request: RouteRequest,
  calls: readonly BatchCall[],
): Promise<HttpAnswer | undefined> {
  const { identity } = request;
  for (const { tool, args } of calls) {
    if (!readsStoredResult(identity, tool)) continue;
    const refused = await authorizeResultRead(toolbox, identity, args);
    if (refused === undefined) continue;
    const { kind, message, maker } = refused;
    return refuse(request, kind, message, { tool, ...(maker !== undefined && { denied: 'forbidden', identity, meant: maker }) });
  }
  return undefined;
}

/** Makes the calls of a batch. */
export function runBatch(server: ServerState, { request, batch, context }: PreparedBatch): Promise<BatchAnswer[]> {
  const { toolbox, settings } = server;
  const { head } = request;
  const { calls, concurrency, stopOnError } = batch;
  const own = { ...context, signal: head.client().signal } as CallContext<never>;
  const names = [...new Set(calls.map(({ tool }) => tool))].join(' or ');
  const run = () => server.contain(names, () => toolbox.batch(calls, { concurrency, stopOnError }, own));
  return settings.within === undefined ? run() : runWithin(settings.within, head, run);
}

/** Checks whether a call was not made because another one had failed. */
export function isSkipped({ outcome }: BatchAnswer): boolean {
  return outcome.status === 'error' && outcome.error.code === 'skipped';
}

/** Says how the batch went, with every answer, those that were skipped among them. */
function toOutcome({ batch, context, format }: PreparedBatch, answers: readonly BatchAnswer[]): Outcome {
  const results = answers.map(({ id, outcome }) =>
    batch.isOld ? encodeFormat(outcome, format) : { id, outcome: encodeFormat(outcome, format) },
  );
  const skipped = answers.filter(isSkipped).length;
  const data = {
    results,
    total: answers.length,
    executed: answers.length - skipped,
    skipped,
    success_count: answers.filter(({ outcome }) => outcome.status === 'ok').length,
  };
  const whole = summarize(answers);
  const traceId = context.traceId ?? answers[0]?.outcome.meta.traceId ?? '';
  const isReplayed = answers.every((one) => isSkipped(one) || one.outcome.meta.replayed === true);
  const meta = {
    ...whole.meta,
    traceId,
    ...(context.tenantId !== undefined && { tenantId: context.tenantId }),
    ...(isReplayed && { replayed: true }),
  };
  return Object.freeze({ ...whole, data: data as unknown as JsonValue, meta }) as Outcome;
}
