import { afterAll, beforeAll, vi } from 'vitest';

let isStopped = false;

/**
 * Gives all tests of a file a clock that jumps to the next timer as soon as nothing else is left to do. So nothing sleeps, and a machine that
 * is busy or stands still changes no result. One clock for the whole file: deadlines of equal length share a timer between calls.
 */
export function skipTime(): void {
  beforeAll(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
  afterAll(() => void vi.useRealTimers());
}

/** Work that takes so long by the clock of the test. Where nothing gave the test a clock, this throws: real time is nothing to wait for. */
export function takes<TValue>(ms: number, value: TValue): Promise<TValue>;
export function takes(ms: number): Promise<void>;
export function takes(ms: number, value?: unknown): Promise<unknown> {
  if (!vi.isFakeTimers()) throw new Error('takes() needs a clock of the test, as skipTime() gives it');
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}

/** Runs a part of a test in which time passes only as far as the test says. */
export async function withStoppedTime<TValue>(run: () => Promise<TValue>): Promise<TValue> {
  const before = isStopped;
  isStopped = true;
  vi.setTimerTickMode('manual');
  try {
    return await run();
  } finally {
    isStopped = before;
    if (!isStopped) vi.setTimerTickMode('nextTimerAsync');
  }
}

/**
 * Waits until an expectation holds, a millisecond of the test's clock at a time. `vi.waitFor` sleeps in real time, in which the clock of these
 * tests would jump over every deadline.
 */
export function until(expectation: () => unknown, maxMs = 20_000): Promise<void> {
  return withStoppedTime(async () => {
    for (let waited = 0; ; waited += 1) {
      try {
        await expectation();
        return;
      } catch (thrown) {
        if (waited >= maxMs) throw thrown;
      }
      await vi.advanceTimersByTimeAsync(1);
    }
  });
}
