import { elapsedMs, expectArgument } from 'toolpact/internal';

/** Measures how long a call takes. */
export interface ResponseTimer extends Disposable {
  /** Milliseconds since the start, a float that is never 0; after the end of a `using` block the time that the block took. */
  readonly elapsedMs: () => number;
}

/** Starts a timer, also with `using`, for the `executionTimeMs` of `buildSuccessResponse` and `buildErrorResponse`. */
export function responseTimer(now: () => number = () => performance.now()): ResponseTimer {
  expectArgument(typeof now === 'function', 'responseTimer takes a clock: a function that gives milliseconds');
  const startedAt = now();
  let endedAt: number | undefined;
  return {
    elapsedMs: () => elapsedMs(startedAt, endedAt ?? now()),
    [Symbol.dispose]: () => {
      endedAt ??= now();
    },
  };
}
