/** Reads a property of anything; a throwing getter, a revoked proxy or a missing value reads as undefined. */
export function peek(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Reads a string property, cut to a length that is safe to search. */
export function peekString(value: unknown, key: string): string | undefined {
  const found = peek(value, key);
  return typeof found === 'string' && found !== '' ? found.slice(0, longest) : undefined;
}

const longest = 8000;
