import { expect, test } from 'vitest';
import { measureJson } from './measure-json.ts';

test.each<[string, unknown, number]>([
  ['a text', 'four', 6],
  ['a number', 1.5, 8],
  ['nothing', null, 5],
  ['an object', { a: true }, 12],
  ['a list', ['x', 'y'], 10],
  ['an object without a prototype', Object.create(null), 2],
])('measures %s', (_, value, size) => {
  expect(measureJson(value, 100)).toBe(size);
});

test.each<[string, unknown]>([
  ['a bigint', { n: 1n }],
  ['an infinite number', [Number.POSITIVE_INFINITY]],
  ['an instance', { at: new Date(0) }],
  ['an object that writes itself', { toJSON: () => 'x' }],
  ['a text with half a character', { text: '\ud83d' }],
  ['a key with a control character', { '\0': 1 }],
  ['an unreadable field', Object.defineProperty({}, 'a', { enumerable: true, get: () => structuredClone(() => 1) })],
  ['more than there is room for', { a: 'x'.repeat(200), b: 1 }],
])('gives infinity for %s', (_, value) => {
  expect(measureJson(value, 100)).toBe(Number.POSITIVE_INFINITY);
});

test('a getter that measures something else changes nothing', () => {
  const value = { first: 'x'.repeat(60), between: 0, last: 'x'.repeat(60) };
  Object.defineProperty(value, 'between', { enumerable: true, get: () => measureJson({ small: true }, 100) });
  expect(measureJson(value, 1000)).toBe(162);
  expect(measureJson(value, 100)).toBe(Number.POSITIVE_INFINITY);
});
