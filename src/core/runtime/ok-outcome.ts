import type { Content, Meta, OkOptions, Outcome, PartialReply, Pending, PendingReply } from '../outcome/index.ts';
import type { Call } from './call.ts';
import { failedOutcome, inputOf } from './error-outcome.ts';
import { itemFailures } from './item-failures.ts';
import { toJsonData } from './to-json-data.ts';

/** Builds the outcome of a call that did what was asked. */
export function okOutcome(call: Call, data: unknown, options: OkOptions | undefined, truncated: boolean): Outcome {
  const content = options?.content ?? (call.plan.toModel === undefined ? undefined : shownContent(call, data));
  const meta = call.meta(options === undefined && !truncated ? undefined : metaOf(call, options ?? {}, truncated));
  const input = inputOf(call);
  const message = options?.message === undefined ? undefined : call.settings.redactor.text(options.message);
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
  const failures = itemFailures(call, reply.failed);
  const content = reply.options.content ?? shownContent(call, data);
  const input = inputOf(call);
  return Object.freeze({
    status: 'partial',
    data,
    message: call.settings.redactor.text(reply.options.message ?? `${failures.length} of ${reply.total} items failed`),
    ...(content !== undefined && { content }),
    failures,
    total: reply.total,
    ...(input !== undefined && { input }),
    meta: call.meta(metaOf(call, reply.options, truncated)),
  });
}

/** Builds the outcome of a call that will answer later. */
export function pendingOutcome(call: Call, { pending, message }: PendingReply): Outcome {
  const json = toJsonData(pending, call.settings.maxResultChars);
  const { ask, ...rest } = (json.ok ? json.value : {}) as Pending;
  if (typeof rest.handle !== 'string')
    return failedOutcome(call, 'invalid_output', { message: 'The tool answered pending without a handle.' });
  const { redactor } = call.settings;
  const input = inputOf(call);
  return Object.freeze({
    status: 'pending',
    pending: Object.freeze({ ...rest, ...(ask !== undefined && { ask: { ...ask, message: redactor.text(String(ask.message)) } }) }),
    ...(message !== undefined && { message: redactor.text(message) }),
    ...(input !== undefined && { input }),
    meta: call.meta(),
  });
}

function shownContent(call: Call, data: unknown): readonly Content[] | undefined {
  try {
    const shown = call.plan.toModel?.(data as never);
    if (shown === undefined || Array.isArray(shown)) return shown as readonly Content[] | undefined;
    if (typeof shown === 'string') return [{ type: 'text', text: shown }];
  } catch {
    // Told below, like anything else that is not content.
  }
  call.warn('toModel failed; the model reads the data as JSON');
  return undefined;
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
