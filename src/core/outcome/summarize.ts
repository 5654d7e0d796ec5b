import { catalogue } from './catalogue.ts';
import type { ItemFailure } from './failure.ts';
import { makeFailure } from './make-failure.ts';
import type { Outcome } from './outcome.ts';

/** One answered call of a batch. */
export interface BatchItem<TData = unknown> {
  readonly id: string;
  readonly outcome: Outcome<TData>;
}

/**
 * Says how a batch went in one outcome: `ok` when no item failed, `partial` when some did, `all_failed` when all did. Data lies in call
 * order, with null where an item has none.
 */
export function summarize<TData>(items: readonly BatchItem<TData>[]): Outcome<(TData | null)[]> {
  const data = items.map(({ outcome }) => ('data' in outcome && outcome.status !== 'error' ? outcome.data : null));
  const failures = items.flatMap(({ id, outcome }, index): ItemFailure[] =>
    outcome.status === 'error' ? [{ index, id, error: outcome.error }] : [],
  );
  const waiting = items.filter(({ outcome }) => outcome.status === 'pending').length;
  const meta = Object.freeze({
    tookMs: items.reduce((longest, { outcome }) => Math.max(longest, outcome.meta.tookMs), 0.001),
    attempts: items.reduce((sum, { outcome }) => sum + outcome.meta.attempts, 0),
    ...(waiting > 0 && { warnings: [`${waiting} of ${items.length} items are still pending`] }),
  });
  if (failures.length === 0) return Object.freeze({ status: 'ok', data, meta });
  const total = items.length;
  if (failures.length < total) {
    return Object.freeze({ status: 'partial', data, message: `${failures.length} of ${total} items failed`, failures, total, meta });
  }
  return Object.freeze({ status: 'error', error: allFailed(failures), failures, meta });
}

/** Waiting helps only where it helps every item; otherwise the first item that needs something else says what to do. */
function allFailed(failures: readonly ItemFailure[]): ReturnType<typeof makeFailure> {
  const errors = failures.map(({ error }) => error);
  const stuck = errors.find(({ retryable }) => !retryable);
  const effects = new Set(errors.map(({ effect }) => effect));
  const failure = makeFailure('all_failed', {
    message: `All ${failures.length} items failed. The first: ${errors[0]?.message ?? ''}`,
    retryable: stuck === undefined,
    retryAfterMs: stuck === undefined ? Math.max(0, ...errors.map(({ retryAfterMs = 0 }) => retryAfterMs)) || undefined : undefined,
    effect: effects.has('applied') ? 'applied' : effects.has('unknown') ? 'unknown' : 'none',
  });
  return Object.freeze({ ...failure, recovery: stuck?.recovery ?? catalogue.rate_limited.recovery });
}
