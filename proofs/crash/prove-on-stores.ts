import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { startPostgres } from '../fixtures/start-postgres.ts';

/** A store to prove something on, and a folder for programs and ledgers. */
export interface ProvedStore {
  readonly name: string;
  readonly store: StoreAddress;
  readonly folder: string;
}

/** Proves something on SQLite and PostgreSQL, or on one of them. The sentences that a proof gives are promises that were broken: then the process fails. */
export async function proveOnStores(only: string | undefined, prove: (on: ProvedStore) => Promise<readonly string[]>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-'));
  const server = await startPostgres();
  const stores: Readonly<Record<string, StoreAddress>> = {
    sqlite: { path: join(folder, 'proof.db') },
    postgres: { connectionString: server.connectionString, schema: 'proof' },
  };
  try {
    for (const [name, store] of Object.entries(stores)) {
      const broken = only === undefined || only === name ? await prove({ name, store, folder }) : [];
      for (const sentence of broken) console.error(`  ${sentence}`);
      if (broken.length > 0) process.exitCode = 1;
    }
  } finally {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
