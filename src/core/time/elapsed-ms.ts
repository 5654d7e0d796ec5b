/** Gives the milliseconds between two moments of one clock: to the microsecond, and never 0. */
export function elapsedMs(from: number, to: number): number {
  return Math.max(1, Math.round((to - from) * 1000)) / 1000;
}
