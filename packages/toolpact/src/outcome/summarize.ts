import { expectArgument } from './expect-argument.ts';
import type { Failure, ItemFailure } from './failure.ts';
import { followItems, leadingItem } from './follow-items.ts';
import { makeFailure } from './make-failure.ts';
import type { Outcome } from './outcome.ts';

/** One answered call of a batch. */
export interface BatchItem<TData = unknown> {
  readonly id: string;
  readonly outcome: Outcome<TData>;
}

/**
 * Summarizes a batch in one outcome: `ok` when no item failed, `partial` when some did, `all_failed` when none succeeded. Data lies in
 * call order, with null where an item has none. Items that were skipped because of a failure are no failures of their own.
 */
export function summarize<TData>(items: readonly BatchItem<TData>[]): Outcome<(TData | null)[]> {
  expectArgument(
    items?.every?.((item) => item?.outcome?.meta !== undefined) === true,
    'summarize takes the answers of a batch: [{ id, outcome }, …]',
  );
  const data: (TData | null)[] = [];
  const failed: ItemFailure[] = [];
  const skipped: ItemFailure[] = [];
  const total = items.length;
  let [tookMs, attempts, waiting] = [0.001, 0, 0];
  for (const [index, { id, outcome }] of items.entries()) {
    const { status, meta } = outcome;
    data.push(status === 'ok' || status === 'partial' ? outcome.data : null);
    if (status === 'error') (outcome.error.code === 'skipped' ? skipped : failed).push({ index, id, error: outcome.error });
    if (status === 'pending') waiting += 1;
    tookMs = Math.max(tookMs, meta.tookMs);
    attempts += meta.attempts;
  }
  const failures = failed.length > 0 ? failed : skipped;
  const note = (count: number, what: string): string[] => (count > 0 ? [`${count} of ${total} items ${what}`] : []);
  const warnings = [...note(waiting, 'are still pending'), ...note(skipped.length, 'were skipped')];
  const meta = Object.freeze({ tookMs, attempts, ...(warnings.length > 0 && { warnings }) });
  return Object.freeze(
    failures.length === 0
      ? { status: 'ok', data, meta }
      : failed.length + skipped.length < total
        ? { status: 'partial', data, failures, total, meta }
        : { status: 'error', error: allFailed(failures), failures, meta },
  );
}

/** Quotes the item that says what to do, so that message and advice are about the same thing. */
function allFailed(failures: readonly ItemFailure[]): Failure {
  const leading = leadingItem(failures);
  const which = leading === failures[0] ? 'The first' : `Item ${leading?.id ?? leading?.index}`;
  const message = `All ${failures.length} items failed. ${which}: ${leading?.error.message}`;
  return followItems(makeFailure('all_failed', { message }), failures);
}
