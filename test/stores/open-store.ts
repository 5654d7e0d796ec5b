import type { Store } from '../../src/core/ports/index.ts';
import { postgresStore } from '../../src/parts/stores/postgres.ts';
import { sqliteStore } from '../../src/parts/stores/sqlite.ts';

/** Which store a process is to open, as a word of its command line. */
export type StoreAddress =
  | { readonly path: string; readonly durability?: 'full' | 'normal' }
  | { readonly connectionString: string; readonly schema: string };

export function openStore(address: StoreAddress): Store {
  return 'path' in address ? sqliteStore(address) : postgresStore(address);
}
