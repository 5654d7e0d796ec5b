import { derivedAdvice } from './advice-for.ts';
import type { Effect, Failure, ItemFailure } from './failure.ts';

/**
 * Returns the failure of a whole batch what follows from its items: the worst effect, and what to do next. What may have taken effect comes
 * first; waiting helps only where it helps every item; otherwise the first item that needs something else says what to do.
 */
export function followItems(failure: Failure, items: readonly ItemFailure[]): Failure {
  const errors = items.map(({ error }) => error);
  const leading = leadingItem(items)?.error;
  if (leading === undefined) return failure;
  const { recovery, retryable } = leading;
  const wait = errors.reduce((most, { retryAfterMs = 0 }) => Math.max(most, retryAfterMs), 0);
  const { retryAfterMs: _, ...rest } = failure;
  const changed: Failure = {
    ...rest,
    recovery,
    retryable,
    effect: worstFirst.find((worst) => errors.some(({ effect }) => effect === worst)) ?? 'none',
    ...(recovery === 'wait' && wait > 0 && { retryAfterMs: wait }),
  };
  return Object.freeze({ ...changed, advice: derivedAdvice(changed) });
}

const worstFirst: readonly Effect[] = ['applied', 'unknown'];

/** Finds the item that says what to do about all of them. */
export function leadingItem(items: readonly ItemFailure[]): ItemFailure | undefined {
  return (
    items.find(({ error }) => error.recovery === 'verify') ??
    items.find(({ error }) => error.recovery !== 'wait') ??
    items.find(({ error }) => !error.retryable) ??
    items[0]
  );
}
