import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nextTurn } from './next-turn.ts';
import { createRunningClock } from './running-clock.ts';
import { sleep } from './sleep.ts';
import { withTimeLimit } from './with-time-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Simulates a stopped process that continues: the clocks have moved, and nothing has run. */
function standStill(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  const { now } = performance;
  const before = now.call(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => before + ms);
}

test('a timer fires when its time is over', async () => {
  const run = vi.fn();
  createRunningClock().after(80, run);
  await vi.advanceTimersByTimeAsync(79);
  await nextTurn();
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await nextTurn();
  expect(run).toHaveBeenCalledTimes(1);
});

test('a timer that was stopped does not fire, even in the turn in which it was due', async () => {
  const run = vi.fn();
  const stop = createRunningClock().after(80, run);
  vi.advanceTimersByTime(80);
  stop();
  await nextTurn();
  await nextTurn();
  expect(run).not.toHaveBeenCalled();
  const other = vi.fn();
  createRunningClock().after(80, other)();
  await vi.advanceTimersByTimeAsync(200);
  await nextTurn();
  expect(other).not.toHaveBeenCalled();
});

test('the time in which the process stood still is counted as one step', () => {
  const clock = createRunningClock();
  const stop = clock.after(80, () => undefined);
  standStill(300);
  stop();
  expect(clock.lostMs()).toBe(290);
  vi.restoreAllMocks();
});

test('work that is due in the same turn as the limit ends in time', async () => {
  const clock = createRunningClock();
  const limited = withTimeLimit(
    sleep(80).then(() => 'done'),
    { ms: 80, onLate: () => 'late', clock },
  );
  await vi.advanceTimersByTimeAsync(80);
  expect(await limited).toBe('done');
});
