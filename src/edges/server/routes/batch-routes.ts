import type { Hono } from 'hono';
import type { CallContext } from '../../../core/contract/index.ts';
import { type JsonValue, type Outcome, summarize } from '../../../core/outcome/index.ts';
import type { BatchAnswer, BatchCall } from '../../../core/runtime/index.ts';
import type { Gate } from '../request/gate.ts';
import { type Admitted, admit, answerWith, runWithin } from '../request/make-call.ts';
import type { ReadJson } from '../request/read-json.ts';
import { type Answer, toAsked, toResponse } from '../request/request-head.ts';
import { encodeForm, selectForm } from '../request/response-format.ts';
import type { ServerParts } from '../server-options.ts';
import { checkReader, readsResult } from './authorize-result-read.ts';
import { type BatchRequest, checkBatch, readBatch } from './batch-request.ts';

/** A batch that is ready to run. */
interface ReadyBatch extends Admitted {
  readonly batch: BatchRequest;
  readonly context: CallContext;
  readonly echo: Readonly<Record<string, string>> | undefined;
}

/** Adds the route that makes many calls at once. Its status tells whether all succeeded, some (207), or none. */
export function addBatchRoutes(app: Hono, _: ServerParts, gate: Gate): void {
  app.post('/v1/batch', async ({ req }) => {
    const asked = toAsked(req.raw);
    const admitted = await admit(gate, asked);
    if ('body' in admitted) return toResponse(admitted);
    const ready = readyBatch(gate, admitted, await gate.readBody(req.raw));
    if ('body' in ready) return toResponse(ready);
    const refused = await checkReaders(gate, ready);
    if (refused !== undefined) return toResponse(refused);
    return gate.inFlight.run(asked.signal, async (signal) =>
      toResponse(answerWith(ready, toOutcome(ready, await runBatch(gate, ready, signal)))),
    );
  });
}

function readyBatch(gate: Gate, admitted: Admitted, read: ReadJson): ReadyBatch | Answer {
  const { asked, identity } = admitted;
  if (!('value' in read)) return gate.refuse(asked, read.kind, read.message, read.options);
  const issues = checkBatch(read.value, gate.settings.maxBatch);
  if (issues.length > 0) {
    return gate.refuse(asked, 'invalid_input', `The batch is wrong: ${issues.map(({ message }) => message).join('; ')}.`, { issues });
  }
  const headers = gate.contextOf(asked, identity, read.value);
  if ('status' in headers) return headers;
  // Several calls cannot share the id of one, nor its key.
  const { invocationId: _, idempotencyKey: key, ...given } = headers.context;
  const batch = readBatch(read.value);
  const ids = batch.calls.map(({ id }, index) => id ?? String(index));
  if (key !== undefined && new Set(ids).size < ids.length) {
    const message = 'Two actions have the same message_id, so that an Idempotency-Key cannot tell them apart.';
    return gate.refuse(asked, 'invalid_input', message);
  }
  const calls: BatchCall[] = [];
  for (const [index, call] of batch.calls.entries()) {
    const name = gate.permit(asked, identity, call.tool);
    if (typeof name === 'object') return name;
    const idempotencyKey = call.idempotencyKey ?? (key === undefined ? undefined : keyOf(key, ids[index] ?? ''));
    calls.push({ ...call, tool: name ?? call.tool, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  }
  const form = batch.isOld ? (selectForm(asked, 'coded') ?? admitted.form) : admitted.form;
  return { ...admitted, form, batch: { ...batch, calls }, echo: headers.echo, context: { ...batch.context, ...given } };
}

/** Gives each call of a batch a key of its own: the same when the batch is sent again, whatever has become of the others. */
function keyOf(key: string, id: string): string {
  // An id cannot hold the separator any more, so that no two pairs make the same key.
  return `${key}/${encodeURIComponent(id.toWellFormed())}`;
}

/** A batch that would read what its caller may not read is refused as a whole, like one that calls what it may not call. */
async function checkReaders(gate: Gate, { asked, identity, batch }: ReadyBatch): Promise<Answer | undefined> {
  for (const { tool, args } of batch.calls) {
    if (!readsResult(identity, tool)) continue;
    const refused = await checkReader(gate.toolbox, identity, args);
    if (refused === undefined) continue;
    const { kind, message, maker } = refused;
    return gate.refuse(asked, kind, message, { tool, ...(maker !== undefined && { denied: 'forbidden', identity, meant: maker }) });
  }
  return undefined;
}

function runBatch({ toolbox, settings }: Gate, { asked, batch, context }: ReadyBatch, signal: AbortSignal): Promise<BatchAnswer[]> {
  const { calls, concurrency, stopOnError } = batch;
  const run = () => toolbox.batch(calls, { concurrency, stopOnError }, { ...context, signal } as CallContext<never>);
  return settings.within === undefined ? run() : runWithin(settings.within, asked, run);
}

/** Says how the batch went, with every answer, those that were skipped among them. */
function toOutcome({ batch, context, form }: ReadyBatch, answers: readonly BatchAnswer[]): Outcome {
  const results = answers.map(({ id, outcome }) => (batch.isOld ? encodeForm(outcome, form) : { id, outcome: encodeForm(outcome, form) }));
  const isSkipped = ({ outcome }: BatchAnswer): boolean => outcome.status === 'error' && outcome.error.code === 'skipped';
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
  const isReplayed = answers.every((answer) => isSkipped(answer) || answer.outcome.meta.replayed === true);
  const meta = {
    ...whole.meta,
    traceId,
    ...(context.tenantId !== undefined && { tenantId: context.tenantId }),
    ...(isReplayed && { replayed: true }),
  };
  return Object.freeze({ ...whole, data: data as unknown as JsonValue, meta }) as Outcome;
}
