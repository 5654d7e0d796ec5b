/** Copies an object without its absent parts, and freezes the copy. */
export function withoutAbsent<TResult>(parts: object): TResult {
  const present: Record<string, unknown> = {};
  for (const key of Object.keys(parts)) {
    const part: unknown = parts[key as keyof typeof parts];
    if (part !== undefined && key !== '__proto__') present[key] = part;
  }
  return Object.freeze(present) as TResult;
}
