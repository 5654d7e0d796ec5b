import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import { copyInput, type UncopyableInput } from './copy-input.ts';

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

test('refuses an object of very many keys before any of them is copied', () => {
  const reads: string[] = [];
  const wide: Record<string, unknown> = Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [`k${index}`, index]));
  Object.defineProperty(wide, 'k0', { enumerable: true, get: () => reads.push('k0') });
  expect(() => copyInput({ deep: [wide] })).toThrow(RangeError);
  expect(reads).toEqual([]);
  delete wide.k1;
  expect(Object.keys(copyInput(wide).value as object)).toHaveLength(50_000);
});

test('counts the keys of all objects together', () => {
  const row = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 0]));
  const table = (rows: number) => Array.from({ length: rows }, () => row);
  expect(() => copyInput(table(1000))).toThrow(RangeError);
  expect(copyInput(table(900)).json).toBe(true);
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

test('names the limit and the place of what is too large, and the place of what cannot be read', () => {
  const wide = Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [`k${index}`, 0]));
  const broken = { user: Object.defineProperty({}, 'name', { enumerable: true, get: () => assert.fail('unreadable') }) };
  const nested = Array.from({ length: 201 }).reduce<object>((inner) => ({ a: inner }), {});
  expect(problemOf({ filter: [{ tags: wide }] })).toEqual({ path: ['filter', 0, 'tags'], limit: { of: 'keys', max: 50_000 } });
  expect(problemOf(nested)).toEqual({ path: Array(201).fill('a'), limit: { of: 'depth', max: 200 } });
  expect(problemOf(broken)).toEqual({ path: ['user'], limit: undefined });
});

test('a getter that copies something else changes nothing', () => {
  const twice = (): number => Object.keys(copyInput({ other: [1n] }).value as object).length;
  const big = { inner: { n: 1n }, after: Object.defineProperty({}, 'count', { enumerable: true, get: twice }) };
  expect(copyInput(big)).toEqual({ value: { inner: { n: 1n }, after: { count: 1 } }, json: false, flat: false });
  const flat = { count: 0, n: 1 };
  Object.defineProperty(flat, 'count', { enumerable: true, get: twice });
  expect(copyInput(flat)).toEqual({ value: { count: 1, n: 1 }, json: true, flat: true });
});

function problemOf(value: unknown): object {
  try {
    return copyInput(value);
  } catch (thrown) {
    const { path, limit } = thrown as UncopyableInput;
    return { path, limit };
  }
}
