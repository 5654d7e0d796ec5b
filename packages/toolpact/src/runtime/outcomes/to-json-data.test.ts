import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../proofs/fixtures/property-runs.ts';
import { isFitData, toJsonData } from './to-json-data.ts';

class Point {
  readonly x = 1;
  readonly y = 2;
  length(): number {
    return Math.hypot(this.x, this.y);
  }
}

class Hidden {
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

class Own {
  readonly x = 1;
  toJSON(): this {
    return this;
  }
}

const most = 262_144;

test('returns what is JSON already untouched, the very same object', () => {
  const value = { a: [1, 'two', null, { b: true }] };
  const result = toJsonData(value, most);
  expect(result).toEqual({ ok: true, value, truncated: false, warnings: [] });
  expect((result as { value: unknown }).value).toBe(value);
});

test.each([
  ['undefined', undefined, null],
  ['a bigint', { n: 12n }, { n: '12' }],
  ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
  ['a map with text keys', new Map([['a', 1n]]), { a: '1' }],
  ['a map with other keys', new Map([[{ id: 1 }, 'x']]), [[{ id: 1 }, 'x']]],
  ['a set', new Set([1, 2]), [1, 2]],
  ['bytes', new Uint8Array([104, 105]), 'aGk='],
  ['an array buffer', new Uint8Array([104, 105]).buffer, 'aGk='],
  ['an embedding', new Float64Array([0.5, 1]), [0.5, 1]],
  ['a class instance', new Point(), { x: 1, y: 2 }],
  ['a URL', new URL('https://example.com/a'), 'https://example.com/a'],
  ['a regular expression', /a+/g, '/a+/g'],
  ['an error inside', { last: new RangeError('far') }, { last: { name: 'RangeError', message: 'far' } }],
  ['headers', new Headers({ a: 'b' }), [['a', 'b']]],
  ['an object whose toJSON gives itself', new Own(), { x: 1 }],
  ['undefined fields', { a: undefined, b: 1 }, { b: 1 }],
  ['holes in arrays', [1, undefined, 3], [1, null, 3]],
  ['an empty class instance with data inside', { inner: Object.create(null) }, { inner: {} }],
])('converts %s to useful JSON', (_what, value, expected) => {
  expect(toJsonData(value, most)).toMatchObject({ ok: true, value: expected });
});

test.each([
  ['a function', () => 1, '', 'a function has no JSON form'],
  ['a symbol', { a: { b: [Symbol('x')] } }, 'a.b[0]', 'a symbol has no JSON form'],
  ['an unawaited promise', { rows: Promise.resolve([]) }, 'rows', 'it is a promise that was not awaited'],
  ['an object of functions only', { api: { run: () => 1 } }, 'api', 'it holds only functions or symbols'],
  ['an object whose state is private', { value: new Hidden() }, 'value', 'a Hidden has no JSON form'],
  ['a weak map', new WeakMap(), '', 'a WeakMap has no JSON form'],
])('names the place of %s', (_what, value, path, problem) => {
  expect(toJsonData(value, most)).toEqual({ ok: false, path, problem });
});

test('survives proxies, revoked proxies, deep and self-sharing values', () => {
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(toJsonData({ trap }, most)).toMatchObject({ ok: false });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(toJsonData({ proxy }, most)).toMatchObject({ ok: false });
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(toJsonData(deep, most)).toMatchObject({ ok: false, problem: 'it is nested deeper than 500 levels' });
  let shared: unknown = 'leaf';
  for (let level = 0; level < 60; level += 1) shared = [shared, shared];
  expect(toJsonData(shared, most)).toMatchObject({ ok: false });
});

test('says which numbers JSON cannot hold and which functions were left out', () => {
  expect(toJsonData({ ratio: Number.NaN, run: () => 1 }, most)).toEqual({
    ok: true,
    value: { ratio: null },
    truncated: false,
    warnings: ['ratio is NaN, which JSON cannot hold; null stands for it', 'run is a function and was left out'],
  });
});

test('cuts with the structure kept: arrays at the end, texts in the middle, small fields whole', () => {
  const value = {
    title: 'report',
    rows: Array.from({ length: 1000 }, (_, id) => ({ id, text: 'x'.repeat(20) })),
    body: 'y'.repeat(50_000),
  };
  const result = toJsonData(value, 2000);
  if (!result.ok) expect.unreachable();
  const { title, rows, body } = result.value as typeof value;
  expect(result.truncated).toBe(true);
  expect(title).toBe('report');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows[0]).toEqual({ id: 0, text: 'x'.repeat(20) });
  expect(body).toMatch(/^y+… \[50000 characters, cut\] …y+$/);
  expect(JSON.stringify(result.value).length).toBeLessThan(2400);
  expect(result.warnings).toEqual([
    expect.stringMatching(/^rows: \d+ of 1000 items kept$/),
    expect.stringMatching(/^body: 50000 characters/),
  ]);
});

test('lists the keys of a very wide object once, and reads no more fields than there is room for', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]));
  let lists = 0;
  let reads = 0;
  const counted = new Proxy(wide, {
    ownKeys: (target) => {
      lists += 1;
      return Reflect.ownKeys(target);
    },
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  const json = toJsonData(counted, 1000);
  expect(json).toMatchObject({
    ok: true,
    truncated: true,
    warnings: expect.arrayContaining([expect.stringContaining(' of 5000 keys kept')]),
  });
  expect([lists, reads < 250]).toEqual([1, true]);
  const own = { ...wide, toJSON: () => 'its own form' };
  expect(toJsonData(own, 1000)).toMatchObject({ ok: true, value: 'its own form' });
});

test('gives JSON for anything at all, within its limit, and never throws', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
      fc.integer({ min: 50, max: 5000 }),
      (value, limit) => {
        const result = toJsonData(value, limit);
        if (!result.ok) return;
        const text = JSON.stringify(result.value);
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
        expect(isFitData(result.value, Number.POSITIVE_INFINITY)).toBe(true);
      },
    ),
    propertyRuns(2_000),
  );
});
