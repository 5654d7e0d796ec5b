import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@toolpact/server/client';
import pg from 'pg';
import { createToolbox } from 'toolpact';
import { openStore, type StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { bundleProgram } from '../../proofs/crash/bundle-program.ts';
import { startPostgres } from '../../proofs/fixtures/start-postgres.ts';
import { startMembers } from '../../proofs/fleet/member-fleet.ts';
import type { PostgresMember } from '../../proofs/fleet/run-postgres-fleet.ts';
import { assertOk, callFor, type DurableLane, stepped } from './lane.ts';

/** Writes one entry into a table of our own, in a transaction of its own. */
type InsertRow = (key: string, value: string) => unknown;

/** Creates the SQLite lane by hand: one insert per entry into a file that is as safe as that of the store. */
export function sqliteLane(durability: 'full' | 'normal'): (folder: string) => Promise<DurableLane> {
  return async (folder) => {
    const db = new DatabaseSync(join(folder, `by-hand-${durability}.db`));
    db.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL)`,
    );
    const insert = db.prepare('INSERT INTO entry (key, value) VALUES (?, ?)');
    const address = { path: join(folder, `calls-${durability}.db`), durability };
    return openStoreLane(
      folder,
      address,
      (key, value) => insert.run(key, value),
      async () => db.close(),
    );
  };
}

/** Creates the PostgreSQL lane by hand: one prepared insert per entry on one connection of the same server. */
export function postgresLane(settings: readonly string[]): (folder: string) => Promise<DurableLane> {
  return (folder) => openPostgresLane(folder, settings);
}

async function openPostgresLane(folder: string, settings: readonly string[]): Promise<DurableLane> {
  const server = await startPostgres({ settings });
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query('CREATE TABLE entry (key TEXT PRIMARY KEY, value JSONB NOT NULL)');
  const insert = (key: string, value: string) =>
    client.query({ name: 'insert', text: 'INSERT INTO entry (key, value) VALUES ($1, $2)', values: [key, value] });
  return openStoreLane(folder, { connectionString: server.connectionString, schema: 'bench' }, insert, async () => {
    await client.end();
    await server.remove();
  });
}

async function openStoreLane(folder: string, address: StoreAddress, insert: InsertRow, end: () => Promise<void>): Promise<DurableLane> {
  const store = openStore(address);
  const toolbox = createToolbox([stepped], { store });
  let rows = 0;
  return {
    call: async (steps, effects) => assertOk(await toolbox.call('stepped', { steps, effects })),
    async byHand(entries) {
      for (let entry = 0; entry < entries; entry += 1) {
        rows += 1;
        await insert(`row ${rows}`, JSON.stringify({ v: 1, name: `step ${entry}`, attempt: 1, record: { receipt: `r-${entry}` } }));
      }
    },
    async withWorkers(size, seconds) {
      const own = mkdtempSync(join(folder, `workers-${size}-`));
      const ledger = join(own, 'ledger');
      writeFileSync(ledger, '');
      const program = await bundleProgram(own, new URL('../../proofs/fleet/postgres-member.ts', import.meta.url));
      const member: PostgresMember = { store: address, ledger, leaseMs: 10_000 };
      const servers = await startMembers({ size, program, words: [JSON.stringify(member)] });
      const client = createClient(servers.uri);
      let made = 0;
      const call = async (): Promise<void> => {
        made += 1;
        assertOk(await client.call('order', { id: `${size}-${made}` }));
      };
      // Compilation in a young process is not part of the cost of a call.
      await callFor(seconds, 32, call);
      const ended = await callFor(seconds, 32, call);
      servers.close();
      return ended / seconds;
    },
    async close() {
      await store.close();
      await end();
    },
  };
}
