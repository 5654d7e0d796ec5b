import { ToolFailure } from '../../core/outcome/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../core/time/index.ts';

/** How long something may take, and who may stop it earlier. */
export interface TimeLimit<TValue> {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether waiting keeps the process alive. @default false */
  readonly holds?: boolean;
  /** Gets a value that came too late, after the wait had ended. */
  readonly onLate?: (value: TValue) => void;
}

/**
 * Runs foreign code for a limited time. Rejects with what it threw, with a `TimeoutError`, or with the reason of the signal; the
 * signal that the code is given fires in the last two cases.
 */
export function limitTime<TValue>(run: (signal: AbortSignal) => TValue | PromiseLike<TValue>, limit: TimeLimit<TValue>): Promise<TValue> {
  const { ms, signal, holds = false, onLate } = limit;
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let isOver = false;
    const finish = (): boolean => {
      if (isOver) return false;
      isOver = true;
      stopTimer?.();
      signal?.removeEventListener('abort', stop);
      return true;
    };
    const giveUp = (reason: unknown): void => {
      if (!finish()) return;
      reject(reason);
      controller.abort(reason);
    };
    const stop = (): void => giveUp(signal?.reason);
    const stopTimer = startTimer(() => giveUp(new DOMException(`It took longer than ${ms} ms.`, 'TimeoutError')), ms, holds);
    if (signal?.aborted === true) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    attempt(run, controller.signal).then(
      (value) => {
        if (finish()) resolve(value);
        else onLate?.(value);
      },
      (thrown: unknown) => {
        if (finish()) reject(thrown);
      },
    );
  });
}

/** Starts a timer that keeps the process alive only with `holds`; a time that is too long for a timer never comes. */
export function startTimer(run: () => void, ms: number, holds = false): StopTimer | undefined {
  return ms < maxTimerMs ? systemClock.after(ms, run, { background: !holds }) : undefined;
}

async function attempt<TValue>(run: (signal: AbortSignal) => TValue | PromiseLike<TValue>, signal: AbortSignal): Promise<TValue> {
  const value = await run(signal);
  // A failure that is returned and one that is thrown are the same thing.
  if (value instanceof Error || ToolFailure.isInstance(value)) throw value;
  return value;
}
