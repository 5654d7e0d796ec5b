import { isObject } from '../json/index.ts';
/** Recognises a promise of any realm or library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return isObject(value) && typeof (value as { then?: unknown }).then === 'function';
}
