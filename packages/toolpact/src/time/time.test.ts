import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { maxTimerMs, systemClock, toTimerMs } from './clock.ts';
import { retryPauseMs } from './retry-pause.ts';
import { sleep } from './sleep.ts';
import { windowWaitMs } from './window-wait.ts';
import { withTimeLimit } from './with-time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  [0, 1],
  [-5, 1],
  [20, 20],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('a timer asked to wait %d ms waits %d ms', (asked, waited) => expect(toTimerMs(asked)).toBe(waited));

test('a timer that is set for longer than any timer can wait does not fire at once', () => {
  const run = vi.fn();
  systemClock.after(maxTimerMs * 2, run);
  vi.advanceTimersByTime(1000);
  expect(run).not.toHaveBeenCalled();
});

test('sleep ends when its time is over', async () => {
  const slept = sleep(100).then(() => 'awake');
  await vi.advanceTimersByTimeAsync(99);
  expect(await Promise.race([slept, Promise.resolve('asleep')])).toBe('asleep');
  await vi.advanceTimersByTimeAsync(1);
  expect(await slept).toBe('awake');
});

test('sleep ends when its signal fires, and leaves no timer and no listener behind', async () => {
  const stop = new AbortController();
  const removed = vi.spyOn(stop.signal, 'removeEventListener');
  const slept = sleep(100, stop.signal);
  stop.abort();
  await slept;
  expect(vi.getTimerCount()).toBe(0);
  expect(removed).toHaveBeenCalledTimes(1);
  await sleep(100, stop.signal);
});

test('withTimeLimit gives the result of work that ends in time', async () => {
  expect(await withTimeLimit(Promise.resolve(1), { ms: 10, onLate: () => 'late' })).toBe(1);
  await expect(withTimeLimit(Promise.reject(new Error('broken')), { ms: 10, onLate: () => 'late' })).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});

test('withTimeLimit does not wait longer than its limit', async () => {
  const limited = withTimeLimit(new Promise<never>(() => undefined), { ms: 10, onLate: () => 'late' });
  await vi.advanceTimersByTimeAsync(10);
  expect(await limited).toBe('late');
});

test.each([
  ['while the work goes on', (stop: AbortController) => void Promise.resolve().then(() => stop.abort())],
  ['before it began', (stop: AbortController) => stop.abort()],
])('withTimeLimit ends at once when its signal fires %s, and lets its timer go', async (_when, abort) => {
  const stop = new AbortController();
  abort(stop);
  const limited = withTimeLimit(new Promise<never>(() => undefined), { ms: 10, signal: stop.signal, onLate: () => 'stopped' });
  expect(await limited).toBe('stopped');
  expect(vi.getTimerCount()).toBe(0);
});

test('withTimeLimit waits for ever where its time is longer than any timer', async () => {
  const work = Promise.withResolvers<string>();
  const limited = withTimeLimit(work.promise, { ms: Number.POSITIVE_INFINITY, onLate: () => 'late' });
  await vi.advanceTimersByTimeAsync(maxTimerMs + 1000);
  work.resolve('done');
  expect(await limited).toBe('done');
});

test('withTimeLimit rejects with what onLate throws, and ignores a late failure of the work', async () => {
  const work = Promise.withResolvers<never>();
  const limited = withTimeLimit(work.promise, {
    ms: 10,
    onLate: () => {
      throw new Error('too late');
    },
  });
  const seen = expect(limited).rejects.toThrow('too late');
  await vi.advanceTimersByTimeAsync(10);
  await seen;
  work.reject(new Error('ignored'));
});

test.each([
  [1, 0, 0],
  [1, 0.999, 199],
  [3, 0.5, 400],
  [20, 0.5, 5000],
])('before attempt %d a draw of %d makes a pause of %d ms', (attempt, drawn, ms) => {
  expect(retryPauseMs({ baseMs: 200, maxMs: 10_000 }, attempt, () => drawn)).toBe(ms);
});

test.each([
  ['there is room', 3, 500, undefined],
  ['the window is full', 4, 500, 500],
  ['the window has just ended', 4, 0, 1],
  ['a wrong clock ends it far too late', 4, 9_999_999, 1000],
])('a caller that %s waits accordingly', (_, count, left, waitMs) => {
  expect(windowWaitMs({ count, leftMs: left }, { limit: 3, windowMs: 1000 })).toBe(waitMs);
});
