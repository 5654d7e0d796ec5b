import { createRunningClock, withTimeLimit } from 'toolpact/internal';
import type { Problem } from './define-check.ts';

const limitMs = 30_000;

/** Waits for a check that makes calls. One that takes too long is a finding; time in which this process stood still does not count. */
export function limitCheck(problems: Promise<Problem[]>): Promise<readonly Problem[]> {
  return withTimeLimit(problems, {
    ms: limitMs,
    onLate: () => [{ message: `it did not answer within ${limitMs / 1000} s` }],
    clock: createRunningClock(),
  });
}
