import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { openStore, type StoreAddress } from './open-store.ts';

const postgres = usePostgres('closed');
const addresses: Readonly<Record<string, () => StoreAddress>> = {
  SQLite: () => ({ path: join(postgres.folder, 'closed.db') }),
  PostgreSQL: () => ({ connectionString: postgres.connectionString(), schema: 'closed' }),
};

test.each(Object.keys(addresses))('calls whose program closes its store at once are listed as they ended on %s', async (name) => {
  const address = (addresses[name] as () => StoreAddress)();
  const one = defineTool({ name: 'one', description: 'Gives 1.', effects: 'none', run: () => 1 });
  const once = defineTool({ name: 'once', description: 'Runs once.', idempotency: { key: () => 'k' }, run: () => 1 });
  for (let run = 0; run < 2; run += 1) {
    const store = openStore(address);
    const toolbox = createToolbox([one, once], { store, report: () => undefined });
    await toolbox.call('one', {});
    await toolbox.call('once', {});
    await store.close();
  }
  const store = openStore(address);
  const { calls } = await createToolbox([one, once], { store }).calls.list();
  expect(calls.map(({ tool, status }) => `${tool} ${status}`).toSorted()).toEqual(['once ok', 'once ok', 'one ok', 'one ok']);
  await store.close();
});

test('a PostgreSQL store that is closed while somebody begins to watch its calls gives its connection back', async () => {
  const pool = new pg.Pool({ connectionString: postgres.connectionString() });
  for (let turn = 0; turn < 8; turn += 1) {
    const store = postgresStore({ pool, schema: 'closed' });
    await store.calls?.get('t', 'none');
    store.calls?.watch(() => undefined);
    for (let turns = 0; turns < turn; turns += 1) await Promise.resolve();
    await store.close?.();
    // Sooner than a connection without listeners is given back.
    await expect.poll(() => pool.totalCount - pool.idleCount, { timeout: 2_000 }).toBe(0);
  }
  await pool.end();
});

test('a program that has watched calls on PostgreSQL lives until its store is closed', async () => {
  const store = fileURLToPath(new URL('../../src/stores/postgres.ts', import.meta.url));
  const address = { connectionString: postgres.connectionString(), schema: 'closed' };
  const code = `import { createServer } from 'node:net';
    import { postgresStore } from ${JSON.stringify(store)};
    for (let turn = 0; turn < 20; turn += 1) {
      const store = postgresStore(${JSON.stringify(address)});
      // Watching keeps no process alive, so something else has to.
      const alive = createServer().listen(0, '127.0.0.1');
      await new Promise((heard) => store.calls.watch(heard));
      alive.close();
      await store.close();
    }
    console.log('closed');`;
  // One that ends before has left the promise of `close` unsettled, and fails.
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout).toBe('closed\n');
});
