import { type Outcome, ToolpactError } from '../../outcome/index.ts';
import type { GuardedCall, NewCall } from '../../ports/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import type { StoreAnswer } from '../store/ask-store.ts';
import { showsUnwritten } from '../store/shows-unwritten.ts';

/** An operation of the store that may not have been done. */
export type Unanswered = Extract<StoreAnswer<unknown>, { ok: false }>;

/** Refuses a call of which nobody knows whether the store has begun it: as soon as this process hears of it, it ends. */
export function refuseUnheard({ life }: Pick<CallRegistry, 'life'>, call: GuardedCall, place: NewCall, answer: Unanswered): Outcome {
  life.disown({ tenant: place.tenant, id: place.id });
  // Another process may run it where this one has no chance to end it: one that has steps, or that may be repeated.
  const { steps, effects } = call.tool;
  return refuseUnrecorded(call, answer, (steps && effects !== 'none') || effects === 'idempotent');
}

/** Refuses a call that needs memory and could not be recorded. */
export function refuseUnrecorded(call: GuardedCall, { why, cause, isSilent }: Unanswered, mayRun = false): Outcome {
  // A store that misses a package, or whose file is of another version, is no better in a moment.
  const kind = cause instanceof ToolpactError && cause.code !== 'invalid_argument' ? 'not_configured' : 'not_ready';
  if (!mayRun || (isSilent !== true && showsUnwritten(cause)))
    return call.refuse(kind, `${call.tool.name} did not run, because it could not be recorded: ${why}.`, {
      effect: 'none',
      cause,
    });
  const message = `${call.tool.name} did not run here, but it may have been recorded, and another process may run it: ${why}.`;
  return call.refuse(kind, message, { effect: 'unknown', cause });
}

/** Refuses a call whose tenant has stored as much as it may. */
export function refuseShare(call: GuardedCall): Outcome {
  return call.refuse('rate_limited', `${call.tool.name} did not run: its tenant has reached the storage limit of this hour.`, {
    effect: 'none',
  });
}

/** Refuses a call that would have to wait, where as many wait as may. */
export function refuseFull({ mostWaiting }: Pick<CallRegistry, 'mostWaiting'>, call: GuardedCall): Outcome {
  const message = `${call.tool.name} did not run: it needs an approval, and ${mostWaiting} calls are waiting already.`;
  return call.refuse('rate_limited', message, { effect: 'none' });
}
