/** Lets a process end although a timer runs. Not every platform's timers can be told. */
export function unrefTimer<TTimer extends ReturnType<typeof setTimeout>>(timer: TTimer): TTimer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** The longest time that timers can wait. Asked to wait longer, they do not wait at all. */
export const longestTimerMs = 2 ** 31 - 1;

/** Gives a time that timers can take. */
export function toTimerMs(ms: number): number {
  return Math.max(1, Math.min(ms, longestTimerMs));
}
