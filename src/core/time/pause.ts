import { armDeadline, disarmDeadline } from './deadline.ts';

/** Waits for a time, or until the signal fires, like `sleep`, with the timers of the deadlines: a call has loaded these already. Never rejects. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onDeadline = (): void => {
      disarmDeadline(entry);
      signal.removeEventListener('abort', onDeadline);
      resolve();
    };
    const entry = { deadlineAt: 0, deadlineLane: undefined, earlier: undefined, later: undefined, onDeadline };
    if (signal.aborted) return resolve();
    armDeadline(entry, ms, performance.now());
    signal.addEventListener('abort', onDeadline, { once: true });
  });
}
