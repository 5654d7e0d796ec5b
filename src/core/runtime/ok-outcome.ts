import {
  type Content,
  classify,
  type ItemFailure,
  type Meta,
  type OkOptions,
  type Outcome,
  type PartialReply,
  type PendingReply,
} from '../outcome/index.ts';
import type { Call } from './call.ts';
import { inputOf } from './error-outcome.ts';

/** Builds the outcome of a call that did what was asked. */
export function okOutcome(call: Call, data: unknown, options: OkOptions | undefined, truncated: boolean): Outcome {
  const content = options?.content ?? (call.plan.toModel === undefined ? undefined : shownContent(call, data));
  const meta = call.meta(options === undefined && !truncated ? undefined : metaOf(call, options ?? {}, truncated));
  const input = inputOf(call);
  const message = options?.message;
  if (content === undefined && message === undefined) {
    return Object.freeze(input === undefined ? { status: 'ok', data, meta } : { status: 'ok', data, input, meta });
  }
  return Object.freeze({
    status: 'ok',
    data,
    ...(message !== undefined && { message }),
    ...(content !== undefined && { content }),
    ...(input !== undefined && { input }),
    meta,
  });
}

/** Builds the outcome of a call of which some items failed. */
export function partialOutcome(call: Call, data: unknown, reply: PartialReply<unknown>, truncated: boolean): Outcome {
  const { redactor, expose } = call.settings;
  const failures = reply.failed.map(({ index, id, error }): ItemFailure => {
    return Object.freeze({ index, ...(id !== undefined && { id }), error: classify(error, { redactor, expose }) });
  });
  const content = reply.options.content ?? shownContent(call, data);
  const input = inputOf(call);
  return Object.freeze({
    status: 'partial',
    data,
    message: reply.options.message ?? `${failures.length} of ${reply.total} items failed`,
    ...(content !== undefined && { content }),
    failures: Object.freeze(failures),
    total: reply.total,
    ...(input !== undefined && { input }),
    meta: call.meta(metaOf(call, reply.options, truncated)),
  });
}

/** Builds the outcome of a call that will answer later. */
export function pendingOutcome(call: Call, { pending, message }: PendingReply): Outcome {
  const input = inputOf(call);
  return Object.freeze({
    status: 'pending',
    pending: Object.freeze(pending),
    ...(message !== undefined && { message }),
    ...(input !== undefined && { input }),
    meta: call.meta(),
  });
}

function shownContent(call: Call, data: unknown): readonly Content[] | undefined {
  try {
    const shown = call.plan.toModel?.(data as never);
    return typeof shown === 'string' ? [{ type: 'text', text: shown }] : shown;
  } catch {
    call.warn('toModel failed; the model reads the data as JSON');
    return undefined;
  }
}

function metaOf(call: Call, options: OkOptions, truncated: boolean): Partial<Meta> {
  const { tokenUsage, sourceCounts, routing, resourceType, cacheHit, warnings = [], empty, noop } = options;
  for (const warning of warnings) call.warn(warning);
  if (empty) call.warn(typeof empty === 'string' ? empty : 'nothing was found');
  if (noop) call.warn(typeof noop === 'string' ? `nothing to do: ${noop}` : 'nothing to do');
  return {
    ...(resourceType !== undefined && { resourceType }),
    ...(cacheHit !== undefined && { cacheHit }),
    ...(tokenUsage !== undefined && { tokenUsage: counts(call, 'tokenUsage', tokenUsage) }),
    ...(sourceCounts !== undefined && { sourceCounts: counts(call, 'sourceCounts', sourceCounts) }),
    ...(routing !== undefined && { routing }),
    ...(truncated && { truncated }),
  };
}

/** Keeps the counts that are counts. */
function counts(call: Call, name: string, given: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const entries = Object.entries(given);
  const valid = entries.filter(([, count]) => Number.isInteger(count) && count >= 0);
  if (valid.length < entries.length) call.warn(`${name} holds values that are not counts; they were left out`);
  return Object.freeze(Object.fromEntries(valid));
}
