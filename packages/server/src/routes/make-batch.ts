import { type BatchAnswer, type BatchCall, type CallContext, type JsonObject, type JsonValue, type Outcome, summarize } from 'toolpact';
import { authorizeResultRead, readsStoredResult } from '../request/authorize-result-read.ts';
import { capTimeout } from '../request/cap-timeout.ts';
import type { BatchFacts, MadeBatch } from '../request/given-route.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { callerContext } from '../request/read-context.ts';
import { encodeFormat, type ResponseFormat } from '../request/response-format.ts';
import type { RouteRequest } from '../request/route.ts';
import { runWithin } from '../request/run-within.ts';
import { meantBy, searchContext } from '../request/search-tools.ts';
import type { ServerState } from '../request/server-state.ts';

/** Makes the calls of a batch, if its caller may make all of them; else gives the refusal. Its answers are written in a format. */
export async function makeBatch(
  server: ServerState,
  request: RouteRequest,
  batch: BatchFacts,
  format: ResponseFormat,
): Promise<MadeBatch | HttpAnswer> {
  const { identity } = request;
  const { maxTimeoutMs } = server.settings;
  const headers = server.contextOf(request, batch.body);
  if (isAnswer(headers)) return headers;
  // Several calls cannot share the id of one, nor its key.
  const {
    invocationId: _,
    idempotencyKey: key,
    ...given
  }: CallContext = { ...headers.context, ...callerContext(identity), ...searchContext(identity) };
  const calls: BatchCall[] = [];
  for (const [index, call] of batch.calls.entries()) {
    const { name: requestedName, args } = meantBy(server.toolbox, call.tool, call.args);
    const name = server.permit(request, identity, requestedName);
    if (isAnswer(name)) return name;
    const idempotencyKey = call.idempotencyKey ?? (key === undefined ? undefined : keyOf(key, call.id ?? String(index)));
    calls.push({
      ...capTimeout(call, maxTimeoutMs),
      tool: name ?? requestedName,
      args,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }
  const refused = await refuseReads(server, request, calls);
  if (refused !== undefined) return refused;
  const context = capTimeout(capTimeout({ ...batch.context, ...given }, batch.context?.timeoutMs), maxTimeoutMs);
  const answers = await server.inFlight.run(request.head.client(), () => runBatch(server, request, { ...batch, calls, context }));
  return { answers, outcome: toOutcome(answers, context, format), echo: headers.echo };
}

/** Returns each call of a batch a key of its own: the same when the batch is sent again, whatever has become of the others. */
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

function runBatch(
  server: ServerState,
  { head }: RouteRequest,
  { calls, concurrency, stopOnError, context }: BatchFacts,
): Promise<BatchAnswer[]> {
  const { toolbox, settings } = server;
  const own = { ...context, signal: head.client().signal } as CallContext<never>;
  const names = [...new Set(calls.map(({ tool }) => tool))].join(' or ');
  const run = () => server.contain(names, () => toolbox.batch(calls, { concurrency, stopOnError }, own));
  return settings.within === undefined ? run() : runWithin(settings.within, head, run);
}

function isSkipped({ outcome }: BatchAnswer): boolean {
  return outcome.status === 'error' && outcome.error.code === 'skipped';
}

/** Says how the batch went, with every answer, those that were skipped among them. */
function toOutcome(answers: readonly BatchAnswer[], context: CallContext, format: ResponseFormat): Outcome<JsonObject> {
  const results = answers.map(({ id, outcome }) => ({ id, outcome: encodeFormat(outcome, format) })) as unknown as JsonValue;
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
  return Object.freeze({ ...whole, data, meta }) as Outcome<JsonObject>;
}
