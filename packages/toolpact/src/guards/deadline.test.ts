import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seed, seededStore } from '../../../../proofs/fixtures/seeded-store.ts';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import { fail, type Outcome } from '../outcome/index.ts';
import type { Guard, Store } from '../ports/index.ts';
import { defineTool } from '../runtime/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/index.ts';
import { budget } from './limits/budget.ts';
import { circuitBreaker } from './limits/circuit-breaker.ts';
import { concurrency } from './limits/concurrency.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { repeatBreaker } from './repeat-breaker.ts';
import { cache } from './results/cache.ts';
import { retry } from './retry.ts';

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

const silent: ToolboxOptions = { report: () => undefined };

/** A store that takes its time for everything. */
function slowStore(ms: number): Store {
  const store = seededStore();
  const slow =
    <TArgs extends readonly unknown[], TResult>(ask: (...args: TArgs) => Promise<TResult>) =>
    (...args: TArgs): Promise<TResult> =>
      takes(ms).then(() => ask(...args));
  // The secret of a store is read once per process, not once per call.
  const get: Store['get'] = (at) => (at.space === seed.space ? store.get(at) : slow(store.get)(at));
  return { ...store, get, put: slow(store.put), remove: slow(store.remove), add: slow(store.add) };
}

/** All limits at once, around a tool that takes 100 ms and fails as often as told. */
function setUp(storeMs: number, failures: number, tookMs = 100) {
  let runs = 0;
  const store = slowStore(storeMs);
  const act = defineTool({
    name: 'act',
    description: 'x',
    effects: 'none',
    cache: { ttlMs: 1000 },
    retry: { attempts: 100, baseMs: 100, maxMs: 100 },
    run: async () => {
      runs += 1;
      await takes(tookMs);
      return runs <= failures ? fail('upstream', 'Down.') : 'done';
    },
  });
  const use: readonly Guard[] = [
    repeatBreaker(),
    budget({ store }),
    rateLimit({ limit: 100, store }),
    circuitBreaker({ store }),
    concurrency({ max: 1 }),
    cache({ store }),
    retry(() => 0.999),
  ];
  const toolbox = createToolbox([act], { ...silent, use });
  return {
    call: (timeoutMs: number, userId: string) => toolbox.call('act', {}, { timeoutMs, userId, runId: 'r', budgetTokens: 10 }),
    runs: () => runs,
  };
}

/** Gives a call's outcome and when it came. */
async function timed(call: Promise<Outcome>): Promise<[string, number]> {
  const from = performance.now();
  const outcome = await call;
  return [outcome.status === 'error' ? outcome.error.kind : outcome.status, Math.round(performance.now() - from)];
}

describe('the deadline of a call', () => {
  test('covers slow stores, the queue and all attempts together', async () => {
    // 20 ms for the store of each of four guards before the run, then attempts of 100 ms with pauses of 99 ms.
    const { call, runs } = setUp(20, 2);
    const only = timed(call(5000, 'a'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await only).toEqual(['ok', 4 * 20 + 100 + 99 + 100 + 99 + 100]);
    expect(runs()).toBe(3);
  });

  test.each([
    ['while its tool runs', 150, 1],
    ['while its tool runs for the second time', 350, 2],
    ['while its tool runs for the third time', 500, 3],
  ])('ends it %s', async (_, timeoutMs, attempts) => {
    const { call, runs } = setUp(20, 100);
    const only = timed(call(timeoutMs, 'a'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await only).toEqual(['timeout', timeoutMs]);
    expect(runs()).toBe(attempts);
  });

  test.each([
    ['a pause', 250, 'upstream', 1],
    ['a store', 60, 'not_ready', 0],
  ])('is not spent on %s that does not fit into it', async (_, timeoutMs, kind, attempts) => {
    const { call, runs } = setUp(20, 100);
    const only = timed(call(timeoutMs, 'a'));
    await vi.advanceTimersByTimeAsync(60_000);
    const [reported, at] = await only;
    expect(reported).toBe(kind);
    expect(at).toBeLessThan(timeoutMs);
    expect(runs()).toBe(attempts);
  });

  test('ends it while it waits for its turn, and its turn goes to the next', async () => {
    const { call, runs } = setUp(0, 0, 1000);
    const calls = [timed(call(5000, 'a')), timed(call(600, 'b')), timed(call(5000, 'c'))];
    await vi.advanceTimersByTimeAsync(60_000);
    const [first, second, third] = await Promise.all(calls);
    expect(first?.[0]).toBe('ok');
    expect(second).toEqual(['timeout', 600]);
    expect(third?.[0]).toBe('ok');
    expect(third?.[1]).toBeGreaterThanOrEqual(2000);
    expect(runs()).toBe(2);
  });

  test('leaves no timer behind', async () => {
    const { call } = setUp(20, 100);
    const from = vi.getTimerCount();
    const calls = Array.from({ length: 20 }, (_, index) => call(300, `u${index}`));
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(calls);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(from);
  });
});
