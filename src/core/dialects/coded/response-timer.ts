/** Measures how long a call takes. */
export interface ResponseTimer {
  /** Milliseconds since the start, a float that is never 0. */
  readonly elapsedMs: () => number;
}

/** Starts a timer, for the `executionTimeMs` of `buildSuccessResponse` and `buildErrorResponse`. */
export function responseTimer(now: () => number = () => performance.now()): ResponseTimer {
  const startedAt = now();
  return { elapsedMs: () => Math.max(1, Math.round((now() - startedAt) * 1000)) / 1000 };
}
