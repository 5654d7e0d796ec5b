import { join } from 'node:path';
import type { Ledger, Store } from 'toolpact/extend';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usePostgres } from '../fixtures/use-postgres.ts';
import { draftOf, fillCalls, filtersOf, fits, pairsOf } from './drafted-calls.ts';
import { leaveCalls, resumeRun, takeOver } from './leave-calls.ts';
import { readAll } from './read-pages.ts';
import { watchWaiting } from './watch-waiting.ts';

// `npm run proof -- calls` does the same with a million calls, and with thousands that wait or were left.
const postgres = usePostgres('many-calls');
const stores: Readonly<Record<string, () => Store>> = {
  SQLite: () => sqliteStore({ path: join(postgres.folder, 'calls.db') }),
  PostgreSQL: () => postgresStore(postgres.connectionString()),
};

describe.each(Object.keys(stores))('on %s', (name) => {
  let store: Store;
  beforeAll(() => {
    store = (stores[name] as () => Store)();
  });
  afterAll(() => store.close());

  test('each filter and each pair of filters finds the matching calls, newest first', async () => {
    const total = 2_000;
    const calls = store.calls as Ledger;
    await fillCalls(calls, total);
    const numbers = Array.from({ length: total }, (_, index) => total - 1 - index);
    for (const filter of pairsOf(filtersOf(total))) {
      const wanted = numbers.filter((number) => fits(number, filter)).map((number) => draftOf(number).id);
      expect(await readAll(calls, filter), JSON.stringify(filter)).toEqual(wanted);
    }
  }, 60_000);

  test('a worker takes over the calls of a dead process, each once and several at a time, while new calls run', async () => {
    await leaveCalls(store, { count: 200 });
    const { takenOver, twice, refused, looks } = await takeOver(store, 200);
    expect({ takenOver, twice, refused }).toEqual({ takenOver: 200, twice: 0, refused: 0 });
    expect(looks).toBeLessThan(150);
  }, 60_000);

  test('a run is resumed several calls at a time, each once', async () => {
    await leaveCalls(store, { count: 60, runId: 'resumed' });
    const { resumed, ok, twice, atOnce } = await resumeRun(store, 'resumed');
    expect({ resumed, ok, twice }).toEqual({ resumed: 60, ok: 60, twice: 0 });
    expect(atOnce).toBeGreaterThan(1);
    expect(atOnce).toBeLessThanOrEqual(8);
  }, 60_000);

  test('waiting for running calls costs the store next to nothing', async () => {
    const { operationsPerSecond } = await watchWaiting(store, 200, 2_000);
    expect(operationsPerSecond).toBeLessThan(20);
  }, 60_000);
});
