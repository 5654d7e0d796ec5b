/** Lets a process end although a timer runs. Not every platform's timers can be told. */
export function unrefTimer<TTimer extends ReturnType<typeof setTimeout>>(timer: TTimer): TTimer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
