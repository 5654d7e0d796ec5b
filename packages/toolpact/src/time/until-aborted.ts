import { withTimeLimit } from './with-time-limit.ts';

/** Waits for work that cannot be stopped, or is not ours to stop, no longer than a signal allows. */
export function untilAborted<TValue>(work: Promise<TValue>, signal: AbortSignal): Promise<TValue> {
  return withTimeLimit(work, {
    ms: Number.POSITIVE_INFINITY,
    signal,
    onLate() {
      throw signal.reason;
    },
  });
}
