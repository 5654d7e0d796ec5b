/** A rule that lets a number of calls through in a window of time. */
export interface WindowRule {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Returns how long the one who was counted last must wait because the window is full; undefined where there was room. A store with a wrong time
 * makes no caller wait longer than a window.
 */
export function windowWaitMs(
  { count, leftMs }: { readonly count: number; readonly leftMs: number },
  { limit, windowMs }: WindowRule,
): number | undefined {
  if (!(count > limit)) return undefined;
  return Math.ceil(Math.min(windowMs, Math.max(1, leftMs)));
}
