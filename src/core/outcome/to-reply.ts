import type { Outcome } from './outcome.ts';
import { type OkOptions, ok, partial, pending, type Reply } from './reply.ts';
import { ToolFailure, toToolFailure } from './tool-failure.ts';

/** Gives what a handler must return so that its call ends like another one did. */
export function toReply(outcome: Outcome): Reply<unknown> {
  return replies[outcome.status](outcome as never);
}

const replies: { readonly [K in Outcome['status']]: (outcome: Extract<Outcome, { status: K }>) => Reply<unknown> } = {
  ok: (outcome) => ok(outcome.data, factsOf(outcome)),
  partial: (outcome) => partial(outcome.data, outcome.failures, { ...factsOf(outcome), total: outcome.total }),
  pending: (outcome) => pending(outcome.pending, outcome.message === undefined ? {} : { message: outcome.message }),
  error: ({ error, data, failures }) => {
    const { kind, message, options } = toToolFailure(error, data);
    const { cause } = error;
    return new ToolFailure(kind, message, {
      ...options,
      ...(cause !== undefined && { cause }),
      ...(failures !== undefined && { failures }),
    });
  },
};

function factsOf({ message, content, meta }: Extract<Outcome, { status: 'ok' | 'partial' }>): OkOptions {
  const { tokenUsage, sourceCounts, routing, resourceType, cacheHit, warnings } = meta;
  const facts = { message, content, tokenUsage, sourceCounts, routing, resourceType, cacheHit, warnings };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}
