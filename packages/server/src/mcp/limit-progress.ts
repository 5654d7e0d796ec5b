/** The most that may come at once. */
const burst = 100;
/** The most in a second after that. */
const perSecond = 20;

/**
 * Passes progress, or lines of a log, on as long as it is not too much of it, and leaves out the rest: what a client does not read has to
 * be kept for it otherwise, and the protocol asks both sides not to flood each other.
 */
export function limitProgress<TItem>(onProgress: (progress: TItem) => void, now: () => number = Date.now): (progress: TItem) => void {
  let left = burst;
  let at = now();
  return (progress) => {
    const time = now();
    left = Math.min(burst, left + (Math.max(0, time - at) / 1000) * perSecond);
    at = time;
    if (left < 1) return;
    left -= 1;
    onProgress(progress);
  };
}
