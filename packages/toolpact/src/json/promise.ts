import { isObject } from './unknown-value.ts';

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

/** Takes the rejection of a promise that nothing waits for: it would end the process. */
export function takePromise(value: unknown): void {
  try {
    if (value instanceof Promise) value.catch(() => undefined);
  } catch {
    // A revoked proxy throws here. It is not a promise.
  }
}
