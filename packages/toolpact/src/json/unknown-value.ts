/** Checks whether a value is an object with named fields: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks whether a value can have properties of its own: an object, an array too. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Checks whether an object has no class. The objects of another realm have a root prototype of their own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** Reads a table by a name from elsewhere, which may also be that of an inherited property: that is not read. */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

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
