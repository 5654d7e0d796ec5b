import type { Store } from '../../src/ports/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

/** Which store a process is to open, as a word of its command line. */
export type StoreAddress =
  | { readonly path: string; readonly durability?: 'full' | 'normal' }
  | { readonly connectionString: string; readonly schema: string };

export function openStore(address: StoreAddress): Store {
  return 'path' in address ? sqliteStore(address) : postgresStore(address);
}
