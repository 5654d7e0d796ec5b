/** Lowers the time that a caller states to the longest that a server allows. What states no time stays as it is. */
export function limitTime<TStated extends { readonly timeoutMs?: number }>(stated: TStated, maxTimeoutMs: number): TStated {
  return stated.timeoutMs === undefined || stated.timeoutMs <= maxTimeoutMs ? stated : { ...stated, timeoutMs: maxTimeoutMs };
}
