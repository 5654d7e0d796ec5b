import type { Outcome } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import { type ArgumentFingerprints, differingFields, freesKey, refuseReusedKey } from 'toolpact/internal';
import type { CallResult } from './call-request.ts';

/** What an ended call means for one of the same key: its answer, or that the key is free again, or that `reconcile` has to settle it first. */
export type EndedAnswer = { readonly is: 'outcome'; readonly outcome: Outcome } | { readonly is: 'free' | 'lost' };

/** Reads the end of the call that has a key, for a call with that key. */
export function answerEnded(call: GuardedCall, { fields, invocationId, outcome }: CallResult, mine: ArgumentFingerprints): EndedAnswer {
  if (differingFields(mine, fields).length > 0) return { is: 'outcome', outcome: refuseReusedKey(call, mine, fields) };
  const isOwn = invocationId === call.invocationId;
  if (!isOwn && outcome.status === 'error') {
    if (freesKey(call.tool, outcome.error)) return { is: 'free' };
    if (outcome.error.effect === 'unknown' && call.tool.canReconcile) return { is: 'lost' };
  }
  return { is: 'outcome', outcome: call.replay(outcome, isOwn ? undefined : { replayed: true }) };
}
