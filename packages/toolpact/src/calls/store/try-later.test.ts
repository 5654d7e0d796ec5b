import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { tryLater } from './try-later.ts';

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

test('what has failed is tried again until it succeeds', async () => {
  const isDone = vi.fn(async () => isDone.mock.calls.length === 2);
  void tryLater(isDone, 100);
  expect(isDone).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isDone).toHaveBeenCalledTimes(2);
});

test('and is given up after three times', async () => {
  const isDone = vi.fn(async () => false);
  void tryLater(isDone, 100);
  await vi.advanceTimersByTimeAsync(1000);
  expect(isDone).toHaveBeenCalledTimes(3);
});

test('a store that was away for a moment when a call ended still learns its outcome', async () => {
  const store = memoryStore();
  let isAway = false;
  const ledger = store.calls as Ledger;
  const end: Ledger['end'] = (run, how) => (isAway ? Promise.reject(new Error('failing over')) : ledger.end(run, how));
  const run = vi.fn(() => {
    isAway = true;
    return 'paid';
  });
  const pay = defineTool({ name: 'pay', description: 'Pays.', idempotency: { key: () => 'o1' }, run });
  const box = (use: Store) => createToolbox([pay], { store: use, report: () => undefined });
  const first = await box({ ...store, calls: { ...ledger, end } }).call('pay', {}, { runId: 'r1' });
  expect([first.status, first.meta.warnings?.length]).toEqual(['ok', 1]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(await box(store).call('pay', {})).toMatchObject({ data: 'paid', meta: { replayed: true } });
  expect(await box(store).calls.resume('r1')).toMatchObject([{ how: 'recorded', outcome: { data: 'paid' } }]);
  expect(run).toHaveBeenCalledTimes(1);
});
