/** The number of records a query asks for, as every database takes it. */
export function toLimit(limit = 1000): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}
