import { type Clock, systemClock, type TimerOptions } from './clock.ts';

/** How long work may take, and what stands for its result when it takes longer. */
export interface TimeLimit<TLate> extends TimerOptions {
  readonly ms: number;
  /** Makes the result of work that took too long; it may throw instead. */
  readonly onLate: () => TLate;
  /** @default the clock of this machine */
  readonly clock?: Clock;
}

/** Waits for work, but not longer than the limit. Work that ends later is not stopped, and its late failure is ignored. */
export function withTimeLimit<TValue, TLate>(
  work: PromiseLike<TValue>,
  { ms, onLate, clock = systemClock, ...timer }: TimeLimit<TLate>,
): Promise<TValue | TLate> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(
      ms,
      () => {
        try {
          resolve(onLate());
        } catch (thrown) {
          reject(thrown);
        }
      },
      timer,
    );
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
