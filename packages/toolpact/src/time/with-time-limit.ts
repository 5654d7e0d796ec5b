import { type Clock, maxTimerMs, systemClock, type TimerOptions } from './clock.ts';

/** How long work may take, and what stands for its result when it takes longer. */
export interface TimeLimit<TLate> extends TimerOptions {
  /** A time that is too long for a timer never comes. */
  readonly ms: number;
  /** Ends the time at once when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Creates the result of work that took too long; it may throw instead. */
  readonly onLate: () => TLate;
  /** @default the clock of this machine */
  readonly clock?: Clock;
}

/** Waits for work, but not longer than the limit. Work that ends later is not stopped, and its late failure is ignored. */
export function withTimeLimit<TValue, TLate>(
  work: PromiseLike<TValue>,
  { ms, signal, onLate, clock = systemClock, ...timer }: TimeLimit<TLate>,
): Promise<TValue | TLate> {
  return new Promise((resolve, reject) => {
    const endLate = (): void => {
      stop();
      try {
        resolve(onLate());
      } catch (thrown) {
        reject(thrown);
      }
    };
    const stopTimer = ms < maxTimerMs ? clock.after(ms, endLate, timer) : undefined;
    const stop = (): void => {
      stopTimer?.();
      signal?.removeEventListener('abort', endLate);
    };
    signal?.addEventListener('abort', endLate, { once: true });
    if (signal?.aborted === true) endLate();
    work.then(
      (value) => {
        stop();
        resolve(value);
      },
      (thrown: unknown) => {
        stop();
        reject(thrown);
      },
    );
  });
}
