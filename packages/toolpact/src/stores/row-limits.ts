/** The number of rows that a query asks for. */
export function toRowLimit(limit = 100): number {
  return Math.max(1, Math.min(Math.floor(limit), 10_000));
}
