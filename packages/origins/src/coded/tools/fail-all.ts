import { classify, fail, type ItemFailure, type JsonValue, type ToolFailure } from 'toolpact';
import type { Settled } from './map-limited.ts';

type Failed = Extract<Settled<unknown>, { ok: false }>;

/** Returns the items that failed. */
export function failedOf(settled: readonly Settled<unknown>[]): Failed[] {
  return settled.filter((item): item is Failed => !item.ok);
}

/** Returns what a caller may read about an error, without any words that its author did not write for callers. */
export function tell(error: unknown): string {
  const { message, upstream } = classify(error, { expose: 'authored' });
  return upstream?.status === undefined ? message : `${message} (HTTP ${upstream.status})`;
}

/** Creates the failure of a call of which every item failed. */
export function failAll(failed: readonly Failed[], what: string, data: JsonValue): unknown {
  const message = `All ${failed.length} ${what} failed. The first: ${tell(failed[0]?.error)}`;
  return fail('all_failed', message, { failures: itemsOf(failed), data, cause: failed[0]?.error });
}

/** Creates a failure again with data attached that is worth having all the same, and what failed apart from it. */
export function withData(failure: unknown, data: JsonValue, failed: readonly Failed[] = []): ToolFailure {
  const {
    kind,
    message,
    advice: _advice,
    recovery: _,
    attempt: _attempt,
    cause: _cause,
    debugId: _debugId,
    effect: _effect,
    ...stated
  } = classify(failure, { expose: 'authored' });
  return fail(kind, message, { ...stated, data, cause: failure, ...(failed.length > 0 && { failures: itemsOf(failed) }) });
}

function itemsOf(failed: readonly Failed[]): ItemFailure[] {
  return failed.map(({ index, error }) => ({ index, error: classify(error, { expose: 'authored' }) }));
}
