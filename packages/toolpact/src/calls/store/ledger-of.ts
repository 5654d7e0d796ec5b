import { ToolpactError } from '../../outcome/index.ts';
import type { Ledger, Store } from '../../ports/index.ts';

/** Returns the calls that a store remembers; throws for a store that remembers none. */
export function ledgerOf(store: Store): Ledger {
  if (store.calls === undefined)
    throw new ToolpactError('invalid_option', `the store "${store.name}" remembers no calls: it lacks \`calls\``, { option: 'store' });
  return store.calls;
}
