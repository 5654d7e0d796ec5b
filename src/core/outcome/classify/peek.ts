/** Reads a property of anything; a throwing getter, a revoked proxy or a missing value reads as undefined. */
export function peek(value: unknown, key: string): unknown {
  // Raising an error to find out that there is nothing to read would cost more than everything else here.
  if (value === undefined || value === null) return undefined;
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Reads a string property, cut to a length that is safe to search. */
export function peekString(value: unknown, key: string, most = longest): string | undefined {
  return asString(peek(value, key), most);
}

/** Takes a non-empty string, cut to a length that is safe to search; anything else is undefined. */
export function asString(value: unknown, most = longest): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined;
}

const longest = 8000;
