import { noTenant } from '../../src/contract/index.ts';
import type { Store } from '../../src/ports/index.ts';

/** Waits for the first answer of a store, for which it connects and makes its tables: a busy machine may take longer for that than guards wait. */
export async function warmUp(store: Store): Promise<void> {
  await store.get({ space: 'warm-up', tenant: noTenant, key: 'warm-up' });
}
