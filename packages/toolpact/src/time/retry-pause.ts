/**
 * Draws the pause before the next attempt: between 0 and a limit that doubles with each attempt, so that callers that failed together do not
 * come back together. `attempt` counts from 1.
 */
export function retryPauseMs(
  { baseMs, maxMs }: { readonly baseMs: number; readonly maxMs: number },
  attempt: number,
  random: () => number = Math.random,
): number {
  return Math.floor(random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1)));
}
