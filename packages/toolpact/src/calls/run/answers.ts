import { type Meta, makeFailure, type Outcome, statedAdvice } from '../../outcome/index.ts';
import type { CallEnd, GuardedCall, ListedCall } from '../../ports/index.ts';
import { systemClock } from '../../time/index.ts';
import { toEnded } from './listed-call.ts';

/** Says that repeating will not help where a repetition could only replay a call whose effect is not known. */
export function asNotRetryable({ tool }: Pick<GuardedCall, 'tool'>, outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'unknown' || tool.effects !== 'writes' || tool.canReconcile) return outcome;
  const { error } = outcome;
  // Whether its tool says that it writes was known before.
  const writes = error.recovery === 'verify';
  return Object.freeze({ ...outcome, error: makeFailure(error.kind, { ...error, advice: statedAdvice(error), unsafe: true, writes }) });
}

/** A call that others may still run may take effect, whatever it said so far. */
export function asUnknown(outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'none') return outcome;
  return Object.freeze({
    ...outcome,
    error: makeFailure(outcome.error.kind, { ...outcome.error, advice: statedAdvice(outcome.error), effect: 'unknown', writes: true }),
  });
}

/** Returns an outcome as it is stored: without the echo of its input, which is stored with the beginning of its call. */
export function toStored({ input: _, ...outcome }: Outcome): Outcome {
  return outcome as Outcome;
}

/** Says how a call ends, and how it is listed from then on. */
export function toCallEnd(listed: ListedCall, outcome: Outcome, facts: Omit<CallEnd, 'outcome' | 'listed'>): CallEnd {
  return { outcome: toStored(outcome), listed: toEnded(listed, outcome, systemClock.now()), ...facts };
}

/** Creates the `meta` of an outcome that is not that of a run. */
export function bareMeta(call: Pick<Meta, 'tool' | 'invocationId'>): Meta {
  return Object.freeze({ ...call, tookMs: 0.001, attempts: 0 });
}

/** Creates an outcome that no call of its own brings along. */
export function bareOutcome(
  kind: Parameters<typeof makeFailure>[0],
  message: string,
  facts: { readonly tool?: string; readonly advice?: string } = {},
): Outcome {
  const { tool, advice } = facts;
  const meta = bareMeta(tool === undefined ? {} : { tool });
  return Object.freeze({ status: 'error', error: makeFailure(kind, { message, ...(advice !== undefined && { advice }) }), meta });
}
