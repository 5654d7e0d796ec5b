import {
  type Content,
  type JsonObject,
  type Meta,
  type OkOptions,
  type Outcome,
  type PartialReply,
  type Pending,
  type PendingReply,
  pendingReasons,
  withoutAbsent,
} from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { failedOutcome } from './error-outcome.ts';
import { isCount, itemFailures } from './item-failures.ts';
import { inputOf, toJsonOnly, withoutSecrets } from './to-json-data.ts';

/** Builds the outcome of a call that did what was asked. */
export function okOutcome(call: Call, data: unknown, options: OkOptions | undefined, truncated: boolean): Outcome {
  if (options === undefined && call.plan.toModel === undefined) {
    const meta = call.meta(truncated ? { truncated } : undefined);
    const input = inputOf(call);
    return Object.freeze(input === undefined ? { status: 'ok', data, meta } : { status: 'ok', data, input, meta });
  }
  return dataOutcome(call, { status: 'ok', data }, options, truncated);
}

/** Builds the outcome of a call of which some items failed. */
export function partialOutcome(call: Call, data: unknown, { options, failed, total }: PartialReply<unknown>, truncated: boolean): Outcome {
  const failures = itemFailures(call, failed);
  // A number that is none would be read as how many items there were.
  const least = failures.length + (Array.isArray(data) ? data.length : 1);
  return dataOutcome(call, { status: 'partial', data, failures, total: isCount(total) ? total : least }, options, truncated);
}

/** Builds the outcome of a call that will answer later. What it asks of a person is shown whole, but for secrets. */
export function pendingOutcome(call: Call, { pending, message }: PendingReply): Outcome {
  const { ask, ...rest } = (toJsonOnly(pending) ?? {}) as Pending;
  if (typeof rest.handle !== 'string')
    return failedOutcome(call, 'invalid_output', {
      message: `${call.plan.name} answered pending without a handle, by which its result could be read.`,
    });
  const { redactor } = call;
  return withoutAbsent({
    status: 'pending',
    pending: withoutAbsent({
      ...rest,
      // Readers know no other reasons.
      reason: pendingReasons.includes(rest.reason) ? rest.reason : 'running',
      // Of a schema only the texts: its keys name what is asked for, a password too.
      ask:
        ask &&
        (JSON.parse(JSON.stringify({ ...ask, message: `${ask.message}` }), (_, held: unknown) =>
          typeof held === 'string' ? redactor.text(held, true) : held,
        ) as typeof ask),
    }),
    message: hideSecrets(message, (text) => redactor.text(text, true)),
    input: inputOf(call),
    meta: call.meta(),
  });
}

function dataOutcome(call: Call, facts: Partial<Outcome>, options: OkOptions = {}, truncated: boolean): Outcome {
  const { message } = options;
  return withoutAbsent({
    ...facts,
    message: hideSecrets(message, call.redactor.text),
    content: contentOf(call, (facts as { readonly data: unknown }).data, options.content),
    input: inputOf(call),
    // Last, because warnings can come up until here.
    meta: call.meta(metaOf(call, options, truncated)),
  });
}

/** Returns the message of a reply without secrets; a handler without types may have given null for none. */
function hideSecrets(message: string | null | undefined, hide: (text: string) => string): string | undefined {
  return message === undefined || message === null ? undefined : hide(message);
}

function contentOf(call: Call, data: unknown, stated: readonly Content[] | undefined): readonly Content[] | undefined {
  try {
    const shown: unknown = stated ?? call.plan.toModel?.(data as never);
    if (shown === undefined) return;
    const blocks = withoutSecrets(call, toJsonOnly(typeof shown === 'string' ? [{ type: 'text', text: shown }] : shown)) as Content[];
    // Providers refuse a whole request for a block of another type.
    if (blocks.every(({ type }) => /^(text|image|audio|resource)$/.test(type))) return blocks;
  } catch {
    // Reported below, like anything else that is not content.
  }
  const problem = stated === undefined ? 'toModel failed or gave' : 'the reply has';
  call.warn(`${problem} content that is not a list of text, image, audio and resource blocks; the model reads the data as JSON`);
  return undefined;
}

function metaOf(call: Call, options: OkOptions, truncated: boolean): Partial<Meta> {
  const { warnings, empty, noop, routing, resourceType, cacheHit } = options;
  for (const warning of warnings ?? []) call.warn(warning);
  if (empty === true) call.warn('nothing was found');
  else if (typeof empty === 'string' && empty !== '') call.warn(empty);
  if (noop === true) call.warn('nothing to do');
  else if (typeof noop === 'string' && noop !== '') call.warn(`nothing to do: ${noop}`);
  return withoutAbsent({
    resourceType,
    cacheHit,
    tokenUsage: counts(call, options, 'tokenUsage'),
    sourceCounts: counts(call, options, 'sourceCounts'),
    routing: routing && (toJsonOnly(routing, call) as JsonObject),
    truncated: truncated ? true : undefined,
  });
}

/** Keeps the counts that are counts. */
function counts(call: Call, options: OkOptions, name: 'tokenUsage' | 'sourceCounts'): Readonly<Record<string, number>> | undefined {
  const given = options[name];
  if (given === undefined || given === null) return undefined;
  const entries = Object.entries(given);
  const valid = entries.filter(([, count]) => isCount(count));
  const dropped = entries.filter((entry) => !valid.includes(entry)).map(([key]) => key);
  if (dropped.length > 0) call.warn(`${name} holds values that are not counts; they were left out: ${dropped.join(', ')}`);
  return Object.freeze(Object.fromEntries(valid));
}
