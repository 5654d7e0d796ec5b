import { describe, expect, onTestFinished, test } from 'vitest';
import { spill } from '../../guards/results/spill.ts';
import { createToolbox, defineTool } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';

const forever = Number.POSITIVE_INFINITY;

describe.each([
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(':memory:')],
])('what is kept for ever, on %s', (_, open) => {
  test('is kept', async () => {
    const store = open();
    onTestFinished(async () => void (await store.close()));
    const pay = defineTool({ name: 'pay', description: 'Pays.', steps: true, run: (_, ctx) => ctx.step('charge', () => 'charged') });
    const ask = defineTool({ name: 'ask', description: 'Asks.', approval: true, run: () => 1 });
    const box = createToolbox([pay, ask], {
      store,
      calls: { keepMs: forever, lateMs: forever },
      approvals: { expiresMs: forever },
      declare: () => ({ idempotency: { ttlMs: forever }, deferAfterMs: forever }),
      use: [spill({ store, retentionMs: forever })],
      report: () => undefined,
    });
    const context = { idempotencyKey: 'k' };
    expect(await box.call('pay', {}, context)).toMatchObject({ status: 'ok', data: 'charged' });
    expect(await box.call('pay', {}, context)).toMatchObject({ status: 'ok', meta: { replayed: true } });
    expect(await box.call('ask', {})).toMatchObject({ status: 'pending', pending: { reason: 'approval' } });
  });
});

test('a misspelt option of a method is refused', async () => {
  const store = memoryStore();
  const { approvals, calls } = createToolbox([], { store });
  expect(await calls.wait('x', { timeoutMS: 1 } as never)).toMatchObject({ error: { kind: 'not_configured' } });
  await expect(calls.list({ limitt: 1 } as never)).rejects.toMatchObject({ code: 'unknown_option' });
  await expect(approvals.list({ limitt: 1 } as never)).rejects.toMatchObject({ code: 'unknown_option' });
  await expect(approvals.decide('x', 'approve', { bye: 'ann' } as never)).rejects.toMatchObject({ code: 'unknown_option' });
});
