import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../start-postgres.ts';
import type { StoreAddress } from '../stores/open-store.ts';
import { bundleProgram } from './bundle-program.ts';
import { checkHistory } from './check-history.ts';
import { phases } from './lifetime.ts';
import { type History, runLane } from './run-lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-crash-'));
const patienceMs = 240_000;
let server: Postgres;
let program: string;

beforeAll(async () => {
  [server, program] = await Promise.all([startPostgres(), bundleProgram(folder)]);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, address: () => StoreAddress])[] = [
  ['sqlite', () => ({ path: join(folder, 'shared.db') })],
  ['postgres', () => ({ connectionString: server.connectionString, schema: 'crash' })],
];

const killed = (histories: readonly History[]) => histories.flatMap(({ lives }) => lives.filter(({ end }) => end !== 'by itself'));

// `npm run proof` kills 200 times on each store.
describe.concurrent('a process that is killed again and again', () => {
  test.each(stores)(
    'on %s loses no outcome it reported and does nothing twice (70 kills)',
    async (store, address) => {
      const lanes = [1, 2].map((seed) =>
        runLane({ name: `${store}-${seed}`, program, store: address(), folder, seed, kills: 35, everyPoint: true }),
      );
      const histories = await Promise.all(lanes);
      expect(histories.flatMap((history) => checkHistory(history))).toEqual([]);
      expect(killed(histories).length).toBeGreaterThanOrEqual(70);
      const died = killed(histories).map(({ plan, end }) => (end === 'from outside' ? end : plan.dies?.at));
      expect(new Set(died)).toEqual(new Set([...phases, 'from outside']));
    },
    patienceMs,
  );

  test(
    'is caught where its store acknowledges what it forgets',
    async () => {
      const history = await runLane({
        name: 'lies',
        program,
        store: { path: join(folder, 'lies.db') },
        folder,
        seed: 3,
        kills: 12,
        forgets: 2,
      });
      const broken = checkHistory(history).map((sentence) => sentence.replace(/lies-\d+-\w+/, 'it'));
      expect(broken).toContain('the call it was executed twice');
    },
    patienceMs,
  );
});
