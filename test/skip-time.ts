import { afterAll, beforeAll, vi } from 'vitest';

/**
 * Gives all tests of a file a clock that jumps to the next timer as soon as nothing else is left to do. So nothing sleeps, and a machine that
 * is busy or stands still changes no result. One clock for the whole file: deadlines of equal length share a timer between calls.
 */
export function skipTime(): void {
  beforeAll(() => void vi.useFakeTimers().setTimerTickMode('nextTimerAsync'));
  afterAll(() => void vi.useRealTimers());
}

/** Runs a part of a test in which time passes only as far as the test says. */
export async function withStoppedTime<TValue>(run: () => Promise<TValue>): Promise<TValue> {
  vi.setTimerTickMode('manual');
  try {
    return await run();
  } finally {
    vi.setTimerTickMode('nextTimerAsync');
  }
}
