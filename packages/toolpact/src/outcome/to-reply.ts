import type { Outcome } from './outcome.ts';
import { type OkOptions, ok, partial, pending, type Reply } from './reply.ts';
import { toToolFailure } from './tool-failure.ts';
import { withoutAbsent } from './without-absent.ts';

/** Returns what a handler must return so that its call ends like another one did. */
export function toReply(outcome: Outcome): Reply<unknown> {
  return replies[outcome.status](outcome as never);
}

const replies: { readonly [K in Outcome['status']]: (outcome: Extract<Outcome, { status: K }>) => Reply<unknown> } = {
  ok: (outcome) => ok(outcome.data, optionsOf(outcome)),
  partial: (outcome) => partial(outcome.data, outcome.failures, { ...optionsOf(outcome), total: outcome.total }),
  pending: ({ pending: wait, message }) => pending(wait, message === undefined ? {} : { message }),
  error: ({ error, data, failures }) => toToolFailure(error, data, { cause: error.cause, failures }),
};

/** Returns the facts about a result that its handler could have stated. */
function optionsOf({ message, content, meta }: Extract<Outcome, { status: 'ok' | 'partial' }>): OkOptions {
  const { tokenUsage, sourceCounts, routing, resourceType, cacheHit, warnings } = meta;
  return withoutAbsent({ message, content, tokenUsage, sourceCounts, routing, resourceType, cacheHit, warnings });
}
