import type { Store } from '../../../core/runtime/index.ts';
import type { LimitStore } from '../limits/process-store.ts';

/** What becomes of a call while the store that counts does not answer: it runs uncounted, with a warning, or is refused as `not_ready`. */
export type WhenStoreFails = 'allow' | 'refuse';

/** Throws for numbers that are not more than 0. */
export function assertPositive(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0)) throw new TypeError(`${name} must be more than 0`);
  }
}

/** Throws for options of a guard that cannot do without a store, where there is none. */
export function assertStore(guard: string, options: { readonly store: Store } | undefined): void {
  if (typeof options?.store?.put !== 'function') throw new TypeError(`${guard} needs a store, such as \`memoryStore()\``);
}

/** Throws for a choice that is none, and for a store that is none. */
export function assertLimitStore(store: LimitStore | undefined, whenStoreFails: WhenStoreFails): void {
  if (store !== undefined && (typeof store?.add !== 'function' || typeof store.put !== 'function')) {
    throw new TypeError('store must be a store, such as `memoryStore()`');
  }
  if (whenStoreFails !== 'allow' && whenStoreFails !== 'refuse') throw new TypeError("whenStoreFails must be 'allow' or 'refuse'");
}
