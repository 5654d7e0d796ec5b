import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import { idempotency } from '../calls/idempotency/idempotency.ts';
import { journal } from '../calls/journal/journal.ts';
import { defer } from '../calls/waits/defer.ts';
import { createToolbox, defineTool } from '../index.ts';
import type { RecordDraft, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';

// Timers take at most 2,147,483,647 ms, and do not wait at all when asked for more.
const year = 31_536_000_000;

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

/** A tool that takes a minute, and how often its claims and its process were written down meanwhile. */
function setUp(timeoutMs: number) {
  const written: string[] = [];
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    put: (draft: RecordDraft, expect) => {
      written.push(draft.space);
      return memory.put(draft, expect);
    },
  };
  const slow = defineTool({
    name: 'slow',
    description: 'Takes a minute.',
    timeoutMs,
    run: () => takes(60_000, 'done'),
  });
  return { store, slow, written, report: () => undefined };
}

test('an owner that is slow is not robbed while it renews its lease', async () => {
  const { store, slow, report, written } = setUp(120_000);
  const hasty = defineTool({ name: 'slow', description: 'Takes no time.', effects: 'idempotent', timeoutMs: 120_000, run: () => 'robbed' });
  const use = () => [idempotency({ store, leaseMs: 3000 })];
  const first = createToolbox([slow], { use: use(), report }).call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(0);
  const second = createToolbox([hasty], { use: use(), report }).call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(61_000);
  expect([await first, await second]).toMatchObject([{ data: 'done' }, { data: 'done', meta: { replayed: true } }]);
  // Once a second, and when it began and ended; the other one came in vain once.
  expect(written.length).toBeGreaterThan(50);
});

test('a call that comes while a tool may be late for a year waits for its result', async () => {
  const { store, slow, report } = setUp(120_000);
  const box = createToolbox([slow], { use: [idempotency({ store, lateMs: year })], report });
  const first = box.call('slow', {}, { idempotencyKey: 'k', timeoutMs: 1000 });
  await vi.advanceTimersByTimeAsync(2000);
  const second = box.call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([await first, await second]).toMatchObject([{ status: 'error' }, { status: 'ok', data: 'done' }]);
});

test('claims and processes with a lease of a year are not renewed all the time', async () => {
  const { store, slow, report, written } = setUp(120_000);
  const box = createToolbox([slow], { use: [idempotency({ store, leaseMs: year }), journal({ store, leaseMs: year })], report });
  const outcome = box.call('slow', {}, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([(await outcome).status, written.sort()]).toEqual([
    'ok',
    ['call', 'call-end', 'call-running', 'claim', 'claim', 'owner', 'secret'],
  ]);
});

test('a call that is deferred after a year is not deferred at once', async () => {
  const { store, slow, report } = setUp(Number.POSITIVE_INFINITY);
  const box = createToolbox([slow], { use: [defer({ store, afterMs: year })], report });
  const outcome = box.call('slow', {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await outcome).status).toBe('ok');
});
