import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool } from '../index.ts';
import type { Ledger, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';

// Timers take at most 2,147,483,647 ms, and do not wait at all when asked for more.
const year = 31_536_000_000;

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

const report = () => undefined;

/** A tool that takes a minute, and how often its process gave a sign of life meanwhile. */
function setUp(timeoutMs: number) {
  const heartbeat = vi.fn((store: Store) => store.calls as Ledger);
  const memory = memoryStore();
  const open = (): Store => ({
    ...memory,
    calls: { ...(memory.calls as Ledger), heartbeat: (beat) => heartbeat(memory).heartbeat(beat) },
  });
  const slow = defineTool({ name: 'slow', description: 'Takes a minute.', timeoutMs, run: () => takes(60_000, 'done') });
  return { open, slow, heartbeat };
}

test('an owner that is slow is not robbed while it renews its lease', async () => {
  const { open, slow, heartbeat } = setUp(120_000);
  const hasty = defineTool({ name: 'slow', description: 'Takes no time.', effects: 'idempotent', timeoutMs: 120_000, run: () => 'robbed' });
  const calls = { leaseMs: 3000 };
  const first = createToolbox([slow], { store: open(), calls, report }).call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(0);
  const second = createToolbox([hasty], { store: open(), calls, report }).call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(61_000);
  expect([await first, await second]).toMatchObject([{ data: 'done' }, { data: 'done', meta: { replayed: true } }]);
  // Once a second.
  expect(heartbeat.mock.calls.length).toBeGreaterThan(50);
});

test('a call that comes while a tool may be late for a year waits for its result', async () => {
  const { open, slow } = setUp(120_000);
  const box = createToolbox([slow], { store: open(), calls: { lateMs: year }, report });
  const first = box.call('slow', {}, { idempotencyKey: 'k', timeoutMs: 1000 });
  await vi.advanceTimersByTimeAsync(2000);
  const second = box.call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await first, await second]).toMatchObject([{ status: 'error' }, { status: 'ok', data: 'done' }]);
});

test('a process with a lease of a year does not give signs of life all the time', async () => {
  const { open, slow, heartbeat } = setUp(120_000);
  const box = createToolbox([slow], { store: open(), calls: { leaseMs: year }, report });
  const outcome = box.call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([(await outcome).status, heartbeat.mock.calls.length]).toEqual(['ok', 1]);
});

test('a call that is deferred after a year is not deferred at once', async () => {
  const { open, slow } = setUp(Number.POSITIVE_INFINITY);
  const box = createToolbox([slow], { store: open(), declare: () => ({ deferAfterMs: year }), report });
  const outcome = box.call('slow', {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await outcome).status).toBe('ok');
});
