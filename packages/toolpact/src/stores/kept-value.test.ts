import { expect, test } from 'vitest';
import { keepValue, readValue } from './kept-value.ts';

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

test.each<[string, unknown]>([
  ['a flat object', { a: 1, b: 'x', c: true, d: null }],
  ['objects in objects and lists', { list: [1, { deep: ['x', [null]] }], empty: {}, none: [] }],
  ['what JSON leaves out', { a: undefined, b: [undefined, Number.NaN], c: -0, [Symbol('s')]: 1 }],
  ['a list with holes', { list: Object.assign([], { 1: 1 }) }],
  ['a key named __proto__', JSON.parse('{"__proto__":{"a":{"b":1}},"c":{"__proto__":1}}')],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['a date', { at: new Date(0) }],
  ['an object that writes itself', { money: { toJSON: () => '1 EUR' } }],
  ['an object that writes itself in secret', Object.defineProperty({ a: 1 }, 'toJSON', { value: () => ({ b: 2 }), enumerable: false })],
  ['a long list', Array.from({ length: 5000 }, (_, index) => index)],
  ['a large value', { text: 'x'.repeat(10_000), list: Array.from({ length: 1000 }, (_, index) => ({ index })) }],
  ['a text', 'x'],
  ['nothing', null],
])('gives %s back as JSON does, again and again', (_, value) => {
  const kept = keepValue(value);
  const wanted = JSON.parse(JSON.stringify(value));
  expect(readValue(kept)).toEqual(wanted);
  expect(readValue(kept)).toEqual(wanted);
  expect(JSON.stringify(readValue(kept))).toBe(JSON.stringify(value));
});

test.each<[string, unknown]>([
  ['nothing at all', undefined],
  ['a function', () => 1],
  ['a bigint', { a: { b: 1n } }],
  ['an object in itself', cyclic],
])('refuses %s, as JSON does', (_, value) => {
  expect(() => keepValue(value)).toThrow(TypeError);
});

test.each([
  ['small', 'x'],
  ['large', 'x'.repeat(10_000)],
])('keeps a %s value apart from what was given and from what was got', (_, text) => {
  const given = { text, inner: { list: [{ n: 1 }] } };
  const kept = keepValue(given);
  given.inner.list.push({ n: 2 });
  (given.inner.list[0] as { n: number }).n = 3;
  const got = readValue(kept) as typeof given;
  expect(got.inner).toEqual({ list: [{ n: 1 }] });
  got.inner.list.pop();
  expect(readValue(kept)).toMatchObject({ inner: { list: [{ n: 1 }] } });
});

test('counts about as many characters as the JSON has', () => {
  const value = { order: 'f'.repeat(500), fields: { a: 'x'.repeat(100), b: [1, 2, 3] }, ok: true };
  const { length } = JSON.stringify(value);
  expect(keepValue(value).size).toBeGreaterThan(length * 0.9);
  expect(keepValue(value).size).toBeLessThan(length * 1.1);
});

test('a getter that keeps another value changes neither the size nor the copy', () => {
  const value = { text: 'x'.repeat(900), inner: {}, more: 'x'.repeat(900) };
  Object.defineProperty(value.inner, 'count', { enumerable: true, get: () => keepValue({ other: 'x'.repeat(1000) }).size });
  const kept = keepValue(value);
  expect(kept.size).toBe(1847);
  expect(readValue(kept)).toEqual({ text: value.text, inner: { count: 1013 }, more: value.more });
  const large = { text: 'x'.repeat(1500), inner: value.inner, more: 'x'.repeat(1500) };
  expect(keepValue(large)).toMatchObject({ copy: undefined });
});
