import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { type Postgres, startPostgres } from '../fixtures/start-postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { checkAndExplain } from './explain.ts';
import { runLane } from './run-lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-crash-'));
/** Longer than any machine takes for an answer, so that every call has to go well. */
const storeMs = 30_000;
let server: Postgres;
let program: string;

beforeAll(async () => {
  [server, program] = await Promise.all([startPostgres(), bundleProgram(folder, new URL('live-once.ts', import.meta.url), storeMs)]);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, address: () => StoreAddress])[] = [
  ['sqlite', () => ({ path: join(folder, 'shared.db') })],
  ['postgres', () => ({ connectionString: server.connectionString, schema: 'crash' })],
];

// `npm run proof -- crashes` kills 200 times on each store, at every point of a call; here the process dies at eight of them.
test.concurrent.each(stores)(
  'a process that is killed again and again on %s loses no reported outcome and does nothing twice (8 kills)',
  async (store, address) => {
    const history = await runLane({ name: store, program, store: address(), folder, seed: 1, storeMs, kills: 8 });
    expect(checkAndExplain(store, [history])).toEqual([]);
    expect(history.lives.filter(({ end }) => end !== 'by itself')).toHaveLength(8);
  },
  240_000,
);
