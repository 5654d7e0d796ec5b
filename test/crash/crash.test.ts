import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../start-postgres.ts';
import type { StoreAddress } from '../stores/open-store.ts';
import { bundleProgram } from './bundle-program.ts';
import { checkHistory } from './check-history.ts';
import { checkAndExplain } from './explain.ts';
import { phases } from './lifetime.ts';
import { type History, runLane } from './run-lane.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-crash-'));
/** Each process may take a minute before it counts as hung; many live one after the other. */
const patienceMs = 540_000;
/** Longer than any machine takes for an answer, so that every call has to go well; and short enough to be missed on purpose. */
const [longMs, shortMs] = [30_000, 1_000];
let server: Postgres;
let program: string;
let impatient: string;

beforeAll(async () => {
  const bundle = (storeMs: number) => bundleProgram(folder, './live-once.ts', storeMs);
  [server, program, impatient] = await Promise.all([startPostgres(), bundle(longMs), bundle(shortMs)]);
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
        runLane({ name: `${store}-${seed}`, program, store: address(), folder, seed, storeMs: longMs, kills: 35, everyPoint: true }),
      );
      const histories = await Promise.all(lanes);
      expect(checkAndExplain(store, histories)).toEqual([]);
      expect(killed(histories).length).toBeGreaterThanOrEqual(70);
      const died = killed(histories).map(({ plan, end }) => (end === 'from outside' ? end : plan.dies?.at));
      expect(new Set(died)).toEqual(new Set([...phases, 'from outside']));
    },
    patienceMs,
  );

  test(
    'on a PostgreSQL that often answers too late does nothing twice, and says what it could not protect or record (6 kills)',
    async () => {
      const store = { connectionString: server.connectionString, schema: 'late' };
      const late = { oneOf: 40, byMs: 2 * shortMs };
      const history = await runLane({ name: 'late', program: impatient, store, folder, seed: 4, storeMs: shortMs, late, kills: 6 });
      expect(checkAndExplain('late', [history])).toEqual([]);
      expect(killed([history]).length).toBeGreaterThanOrEqual(6);
      expect(history.lives.some(({ told }) => told.some(({ type }) => type === 'late'))).toBe(true);
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
        storeMs: longMs,
        kills: 12,
        forgets: 2,
      });
      const broken = checkHistory(history).map((sentence) => sentence.replace(/lies-\d+-\w+/, 'it'));
      expect(broken).toContain('the call it was executed twice');
    },
    patienceMs,
  );
});
