import { expect, test } from 'vitest';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool } from '../../index.ts';
import type { Ledger } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

skipTime();

test('a store that hangs costs a call two seconds, and the call does not run', async () => {
  let runs = 0;
  const pay = defineTool({ name: 'pay', description: 'Pays.', idempotency: { key: () => 'k' }, run: () => (runs += 1) });
  const store = memoryStore();
  const calls: Ledger = { ...(store.calls as Ledger), begin: () => new Promise(() => undefined) };
  const box = createToolbox([pay], { store: { ...store, calls }, report: () => undefined });
  const askedAt = Date.now();
  const outcome = await box.call('pay', {});
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
  expect([Date.now() - askedAt, runs]).toEqual([2000, 0]);
});
