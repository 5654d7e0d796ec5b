import { fileURLToPath } from 'node:url';
import { postgresStore } from 'toolpact/stores/postgres';
import { expect, test } from 'vitest';
import { runNode } from '../../../proofs/fixtures/run-node.ts';
import { startPostgres } from '../../../proofs/fixtures/start-postgres.ts';
import { warmUp } from '../../toolpact/test/stores/warm-up.ts';
import { startTestRestate } from './with-restate.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const story = 'examples/durable-order/main.ts';
const hooks = ['--no-warnings', '--import', './scripts/resolve-peers.ts'];

// On SQLite it runs with the other stories.
test('the order that dies in the middle is finished on PostgreSQL', async () => {
  const postgres = await startPostgres();
  try {
    // The tables are there as in any application that has run before: to make them takes longer than guards wait where the machine is busy.
    const store = postgresStore(postgres.connectionString);
    await warmUp(store);
    await store.close();
    const { code, stdout } = await runNode([...hooks, story, 'postgres'], { cwd: root, env: { DATABASE_URL: postgres.connectionString } });
    expect([code, stdout]).toEqual([0, expect.stringContaining("'shipped A-1'")]);
  } finally {
    await postgres.remove();
  }
});

test('the order that dies in the middle is finished on Restate', async () => {
  const restate = await startTestRestate({ mayBeLonely: false });
  try {
    const env = { RESTATE_INGRESS: restate.ingress, RESTATE_ADMIN: restate.admin };
    const { code, stdout } = await runNode([...hooks, story, 'restate'], { cwd: root, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("'shipped A-1'")]);
  } finally {
    await restate.remove();
  }
});
