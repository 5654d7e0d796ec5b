import { describe, expect, test } from 'vitest';
import { everyPart, mapJson, type PartPath, type WalkRules } from './map-json.ts';

const asIs: WalkRules = { maxDepth: 10, maxParts: 100, limit: (why) => `[${why}]`, leaf: (value) => value };

describe('mapJson', () => {
  test('copies objects and arrays, and gives leaves to the rule', () => {
    const value = { a: [1, { b: 'x' }], c: null };
    const copy = mapJson(value, { ...asIs, leaf: (part) => (typeof part === 'string' ? part.toUpperCase() : part) });
    expect(copy).toEqual({ a: [1, { b: 'X' }], c: null });
    expect(value.a[1]).toEqual({ b: 'x' });
  });

  test('says where a part lies', () => {
    const seen: PartPath[] = [];
    mapJson({ a: [1, { b: 2 }] }, { ...asIs, leaf: (_, path) => seen.push([...path]) });
    expect(seen).toEqual([
      ['a', 0],
      ['a', 1, 'b'],
    ]);
  });

  test('puts something in the place of what is too deep, too wide or too much', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(mapJson(cyclic, { ...asIs, maxDepth: 2 })).toEqual({ self: { self: '[depth]' } });
    expect(mapJson([1, 2, 3], { ...asIs, maxParts: 3 })).toEqual([1, 2, '[parts]']);
    expect(mapJson([{ a: 1 }, { a: 1, b: 2 }], { ...asIs, maxWidth: 1 })).toEqual([{ a: 1 }, '[width]']);
  });

  test('walks another form of an object, renames and sorts keys', () => {
    const rules: WalkRules = { ...asIs, sorted: true, key: (key) => `_${key}`, form: (part) => (part instanceof Date ? 'a date' : part) };
    expect(JSON.stringify(mapJson({ b: 1, a: new Date(0) }, rules))).toBe('{"_a":"a date","_b":1}');
  });

  test('reads each part once', () => {
    let reads = 0;
    const value = Object.defineProperty({}, 'a', { enumerable: true, get: () => ++reads });
    expect(mapJson(value, asIs)).toEqual({ a: 1 });
  });

  test('keeps a key that would become a prototype as a key', () => {
    const copy = mapJson(JSON.parse('{"__proto__": {"admin": true}}'), asIs) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});

describe('everyPart', () => {
  test('looks at the value and all its parts until the test fails', () => {
    const seen: unknown[] = [];
    expect(everyPart({ a: 1, b: [2, 3] }, (part) => seen.push(part) > 0 && part !== 2)).toBe(false);
    expect(seen).toEqual([{ a: 1, b: [2, 3] }, 1, [2, 3], 2]);
  });

  test('does not look deeper than it is asked to', () => {
    const deep = { a: { b: { c: 1 } } };
    expect(everyPart(deep, (part) => part !== 1, 2)).toBe(true);
    expect(everyPart(deep, (part) => part !== 1, 3)).toBe(false);
  });
});
