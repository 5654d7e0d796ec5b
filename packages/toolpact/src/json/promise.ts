import { isObject } from './unknown-value.ts';

/** Recognises a promise of any realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return isObject(value) && typeof (value as { then?: unknown }).then === 'function';
}

/** Takes the rejection of a promise that nothing waits for: it would end the process. */
export function takePromise(value: unknown): void {
  try {
    if (value instanceof Promise) value.catch(() => undefined);
  } catch {
    // A revoked proxy throws here. It is not a promise.
  }
}
