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

/** Recognises a promise of any realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return isObject(value) && typeof (value as { then?: unknown }).then === 'function';
}

/** Goes on with a value: at once where it is there, because to wait costs a promise and a turn, or when its promise is kept. */
export function whenReady<TValue, TResult>(
  value: TValue | Promise<TValue>,
  use: (value: TValue) => TResult | Promise<TResult>,
): TResult | Promise<TResult> {
  return value instanceof Promise ? value.then(use) : use(value);
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

/** Takes the rejection of a promise that nothing waits for: it would end the process. */
export function takePromise(value: unknown): void {
  try {
    if (value instanceof Promise) value.catch(() => undefined);
  } catch {
    // A revoked proxy throws here. It is not a promise.
  }
}
