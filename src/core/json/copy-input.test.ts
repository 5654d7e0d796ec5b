import { expect, test } from 'vitest';
import { copyInput } from './copy-input.ts';

test('copies plain objects and arrays, and says what it saw', () => {
  const value = { a: 1, list: [{ b: 'x' }] };
  const { value: copy, ...saw } = copyInput(value);
  expect(copy).toEqual(value);
  expect(copy).not.toBe(value);
  expect((copy as typeof value).list[0]).not.toBe(value.list[0]);
  expect(saw).toEqual({ json: true, flat: false });
  expect(copyInput({ a: 1 })).toMatchObject({ json: true, flat: true });
  expect(copyInput({ a: 1n })).toMatchObject({ json: false, flat: true });
});

test.each([
  '{"__proto__": {"admin": true}, "a": {"b": 1}}',
  '{"__proto__": "x", "a": 1}',
  '{"a": {"__proto__": {"admin": true}, "b": []}}',
])('leaves out what would become a prototype in %s', (text) => {
  const { value } = copyInput(JSON.parse(text));
  expect(JSON.stringify(value)).not.toContain('__proto__');
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  const { a } = value as { a: object | number };
  expect((a as { admin?: boolean }).admin).toBeUndefined();
});

test('copies dates and passes other instances on', () => {
  const value = { at: new Date(0), map: new Map() };
  const copy = copyInput(value).value as typeof value;
  expect(copy.at).toEqual(value.at);
  expect(copy.at).not.toBe(value.at);
  expect(copy.map).toBe(value.map);
});

test('refuses what has no end', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(() => copyInput(cyclic)).toThrow(RangeError);
});

test('leaves out a prototype that came out of JSON, at every depth', () => {
  const smuggled = (): object => Object.setPrototypeOf({ own: 1 }, { polluted: true, constructor: { prototype: 1 } }) as object;
  const { value } = copyInput({ list: [{ deep: smuggled() }], plain: Object.setPrototypeOf({ own: 2 }, { polluted: true }) as object });
  const { list, plain } = value as { list: { deep: { polluted?: unknown } }[]; plain: { polluted?: unknown } };
  expect([list[0]?.deep, list[0]?.deep.polluted, plain, plain.polluted]).toEqual([{ own: 1 }, undefined, { own: 2 }, undefined]);
  class Money {}
  const money = new Money();
  expect((copyInput({ money }).value as { money: Money }).money).toBe(money);
});
