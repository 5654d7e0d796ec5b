import { type Clock, systemClock, type TimerOptions } from './clock.ts';

/** How to wait. */
export interface SleepOptions extends TimerOptions {
  /** @default the clock of this machine */
  readonly clock?: Clock;
}

/** Waits for a time, or until the signal fires. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal | null, { clock = systemClock, ...timer }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = (): void => {
      stop();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stop = clock.after(ms, end, timer);
    signal?.addEventListener('abort', end, { once: true });
  });
}
