import { expect, test } from 'vitest';
import { withoutAbsent } from './without-absent.ts';

test('gives a frozen copy of what is there', () => {
  const copy = withoutAbsent<object>({ a: undefined, b: null, c: 0 });
  expect(copy).toEqual({ b: null, c: 0 });
  expect(Object.keys(copy)).toEqual(['b', 'c']);
  expect(Object.isFrozen(copy)).toBe(true);
});

test('lets no input choose the prototype of the copy', () => {
  const copy = withoutAbsent<object>(JSON.parse('{ "__proto__": { "admin": true } }'));
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
