import type { Outcome } from '../../../core/outcome/index.ts';
import type { GuardedCall } from '../../../core/runtime/index.ts';
import type { ArgumentPrints, CallResult } from './call-request.ts';

/** What an ended call means for one of the same key: its answer, or that the key is free again, or that `reconcile` has to settle it first. */
export type EndedAnswer = { readonly is: 'outcome'; readonly outcome: Outcome } | { readonly is: 'free' | 'lost' };

/** Reads the end of the call that has a key, for a call with that key. */
export function answerEnded(call: GuardedCall, { fields, invocationId, outcome }: CallResult, mine: ArgumentPrints): EndedAnswer {
  if (differingFields(mine, fields).length > 0) return { is: 'outcome', outcome: conflict(call, mine, fields) };
  const isOwn = invocationId === call.invocationId;
  if (!isOwn && outcome.status === 'error') {
    const { effect, retryable } = outcome.error;
    // What took effect and may be retried is remembered, step by step.
    if (effect === 'none' || call.tool.effects !== 'writes' || (effect === 'applied' && retryable)) return { is: 'free' };
    if (effect === 'unknown' && call.tool.canReconcile) return { is: 'lost' };
  }
  return { is: 'outcome', outcome: call.replay(outcome, isOwn ? undefined : { replayed: true }) };
}

/** Names the fields in which two sets of arguments differ. */
export function differingFields(mine: ArgumentPrints, theirs: ArgumentPrints): string[] {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].filter((name) => mine[name] !== theirs[name]).sort();
}

/** So many fields are named: a model does not read thousands. */
const mostNamed = 20;

/** Refuses a call whose key was used with other arguments. */
export function conflict(call: GuardedCall, mine: ArgumentPrints, theirs: ArgumentPrints): Outcome {
  const all = differingFields(mine, theirs);
  const fields = all.slice(0, mostNamed);
  const named = fields.map((field) => (field === '' ? 'the arguments' : `"${field}"`)).join(', ');
  const more = all.length > fields.length ? ` and ${all.length - fields.length} more` : '';
  return call.refuse('conflict', `This key was used before with other arguments: ${named}${more} differ${all.length === 1 ? 's' : ''}.`, {
    code: 'key_reused',
    advice: 'Use a new key, or the same arguments.',
    effect: 'none',
    details: { fields },
  });
}
