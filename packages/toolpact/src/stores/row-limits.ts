/** The number of records a query asks for, as every database takes it. */
export function toRecordLimit(limit = 1000): number {
  return Math.max(0, Math.min(Math.floor(limit), Number.MAX_SAFE_INTEGER));
}

/** The number of rows of an index that a query asks for. */
export function toRowLimit(limit = 100): number {
  return Math.max(1, Math.min(Math.floor(limit), 10_000));
}
