import { ToolpactError } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';

/** How to treat calls while the store that counts does not answer: run them uncounted, with a warning, or refuse them as `not_ready`. */
export type WhenStoreFails = 'allow' | 'refuse';

export const whenStoreFailsRule: readonly WhenStoreFails[] = ['allow', 'refuse'];

/** The longest time that is stored, a hundred years: `Infinity` has no date, and not every database takes it. */
const longestMs = 3_155_760_000_000;

/** Gives a time that can be added to a moment and stored. A value that is not a number stays as it is, so that it can be refused. */
export function toStorableMs(ms: number): number {
  return typeof ms === 'number' ? Math.min(ms, longestMs) : ms;
}

/** Throws for the options of a guard that needs a store and gets none. */
export function assertStore(guard: string, options: { readonly store: Store } | undefined): void {
  if (typeof options?.store?.put !== 'function')
    throw new ToolpactError('missing_store', `${guard} needs a store, such as \`memoryStore()\``, { guard });
}
