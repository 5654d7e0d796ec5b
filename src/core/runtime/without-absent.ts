/** Copies an object without its absent parts, and freezes the copy. */
export function withoutAbsent<TResult>(parts: object): TResult {
  return Object.freeze(Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))) as TResult;
}
