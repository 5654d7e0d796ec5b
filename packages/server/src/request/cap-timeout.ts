/** Lowers the time that a caller states to the longest that is allowed. What states no time stays as it is. */
export function capTimeout<TStated extends { readonly timeoutMs?: number }>(stated: TStated, maxTimeoutMs: number | undefined): TStated {
  return stated.timeoutMs === undefined || maxTimeoutMs === undefined || stated.timeoutMs <= maxTimeoutMs
    ? stated
    : { ...stated, timeoutMs: maxTimeoutMs };
}
