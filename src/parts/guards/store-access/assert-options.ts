import { ToolpactError } from '../../../core/outcome/index.ts';
import type { Store } from '../../../core/runtime/index.ts';
import type { LimitStore } from '../limits/process-store.ts';

/** What becomes of a call while the store that counts does not answer: it runs uncounted, with a warning, or is refused as `not_ready`. */
export type WhenStoreFails = 'allow' | 'refuse';

/** Throws for numbers that are not more than 0. */
export function assertPositive(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0))
      throw new ToolpactError('invalid_option', `${name} must be more than 0`, { option: name });
  }
}

/** The longest time that is stored, a hundred years: `Infinity` has no date, and not every database takes it. */
export const longestMs = 3_155_760_000_000;

/** Gives a time that can be added to a moment and stored. What is no number stays what it is, so that it can be refused. */
export function toStorableMs(ms: number): number {
  return typeof ms === 'number' ? Math.min(ms, longestMs) : ms;
}

/** Throws for options of a guard that cannot do without a store, where there is none. */
export function assertStore(guard: string, options: { readonly store: Store } | undefined): void {
  if (typeof options?.store?.put !== 'function')
    throw new ToolpactError('missing_store', `${guard} needs a store, such as \`memoryStore()\``, { guard });
}

/** Throws for a choice that is none, and for a store that is none. */
export function assertLimitStore(store: LimitStore | undefined, whenStoreFails: WhenStoreFails): void {
  if (store !== undefined && (typeof store?.add !== 'function' || typeof store.put !== 'function')) {
    throw new ToolpactError('invalid_option', 'store must be a store, such as `memoryStore()`', { option: 'store' });
  }
  if (whenStoreFails !== 'allow' && whenStoreFails !== 'refuse')
    throw new ToolpactError('invalid_option', "whenStoreFails must be 'allow' or 'refuse'", { option: 'whenStoreFails' });
}
