import { elapsedMs, expectArgument } from 'toolpact/internal';

/** Measures how long a call takes. */
type ResponseTimer = {
  /** Milliseconds since the start, a float that is never 0. */
  readonly elapsedMs: () => number;
};

/** Starts a timer, for the `executionTimeMs` of `buildSuccessResponse` and `buildErrorResponse`. */
export function responseTimer(now: () => number = () => performance.now()): ResponseTimer {
  expectArgument(typeof now === 'function', 'responseTimer takes a clock: a function that gives milliseconds');
  const startedAt = now();
  return { elapsedMs: () => elapsedMs(startedAt, now()) };
}
