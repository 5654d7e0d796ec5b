import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall, Store } from '../../ports/index.ts';
import { differingFields, refuseReusedKey } from '../../runtime/index.ts';
import { rerunNote } from '../durable/continued-note.ts';
import { memoryOf } from '../durable/step-memory.ts';
import { askFor } from '../store-access/ask-store.ts';
import { settledOutcome } from '../store-access/pending-calls.ts';
import type { Claim } from './claim.ts';

/** Answers a call from the claim of an earlier one with the same key; undefined where that one still runs, or can be settled. */
export async function answerFrom(call: GuardedCall, store: Store, mine: Claim['fields'], claim: Claim): Promise<Outcome | undefined> {
  const { fields, state, outcome } = claim;
  if (differingFields(mine, fields).length > 0) return refuseReusedKey(call, mine, fields);
  if (outcome === undefined || mayRunAgain(call, claim)) return undefined;
  if (state === 'done') return call.replay(await settledOutcome(store, call.tenantId, outcome, askFor(call, store)), { replayed: true });
  if (state !== 'unknown' || call.tool.canReconcile) return undefined;
  call.markMayHaveEffect();
  return call.replay(outcome, { replayed: true });
}

/** Checks whether a call is the rerun of one that failed. */
export function mayRunAgain({ notes }: GuardedCall, { state, outcome }: Claim): boolean {
  return notes.has(rerunNote) && (state === 'unknown' || (state === 'done' && outcome?.status === 'error'));
}

/** Decides about a call that its owner left behind; undefined when it may run again. */
export async function settleLost(call: GuardedCall): Promise<Outcome | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  const memory = memoryOf(call);
  // Its steps are remembered: it runs from its top, and each step decides for itself.
  if (memory !== undefined && !(call.tool.canReconcile && (await memory.isDoubtful()))) return undefined;
  const found = await call.reconcile();
  if (memory !== undefined && (found === 'none' || found === undefined)) {
    if (found === 'none') memory.clearDoubts();
    return undefined;
  }
  if (found === 'none') return undefined;
  if (found !== undefined) return call.replay(found);
  return call.refuse(
    'interrupted',
    `An earlier call of ${call.tool.name} with this key was interrupted, and it is not known whether it took effect. It was not run again.`,
    { effect: 'unknown' },
  );
}

/** Refuses a call that writes, and lets any other run. One that has seen another call with its key cannot say that nothing happened. */
export function withoutStore(
  call: GuardedCall,
  next: () => Promise<Outcome>,
  { why, cause }: { readonly why: string; readonly cause?: unknown },
): Outcome | Promise<Outcome> {
  if (call.tool.effects === 'writes') {
    return call.refuse('not_ready', `${call.tool.name} could not be made safe against being done twice, so it did not run: ${why}.`, {
      cause,
    });
  }
  call.warn(`not protected against repetition: ${why}`);
  return next();
}
