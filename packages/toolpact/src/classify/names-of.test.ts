import { expect, test } from 'vitest';
import { classify } from './index.ts';
import { namesOf } from './names-of.ts';

/** Makes a wide object that counts how often all of its names are listed. */
function wideObject(target: object): { readonly object: object; readonly listed: () => number } {
  for (let index = 0; index < 5000; index += 1) Object.assign(target, { [`key${index}`]: index });
  let count = 0;
  const ownKeys = (of: object) => {
    count += 1;
    return Reflect.ownKeys(of);
  };
  return { object: new Proxy(target, { ownKeys }), listed: () => count };
}

test.each<[string, object, (wide: object) => unknown, string]>([
  ['an error', Object.assign(new Error('x'), { status: 404 }), (wide) => wide, 'not_found'],
  ['an object', { status: 404, message: 'x' }, (wide) => wide, 'not_found'],
  ['a cause', new Error('connect ECONNREFUSED'), (cause) => new Error('x', { cause }), 'unreachable'],
  ['headers', { 'retry-after': '7' }, (headers) => Object.assign(new Error('x'), { status: 429, headers }), 'rate_limited'],
  ['a body', { code: 'rate_limited' }, (data) => Object.assign(new Error('x'), { response: { status: 429, data } }), 'rate_limited'],
])('the names of %s are listed once, however many there are', (_what, target, wrap, kind) => {
  const { object, listed } = wideObject(target);
  expect(classify(wrap(object)).kind).toBe(kind);
  expect(listed()).toBe(1);
});

test('of a wide object the first names are listed, and what an error hides', () => {
  const { object } = wideObject(new Error('x'));
  expect(namesOf(object)).toHaveLength(503);
  expect(namesOf(object)).toContain('message');
  expect(namesOf(new Error('x'))).toEqual(['stack', 'message']);
});

test('of a plain object whose every part can throw or leads to another one, a bounded number is read', () => {
  let reads = 0;
  const thrower = (): never => {
    reads += 1;
    throw new Error('no');
  };
  const traps = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, { enumerable: true, get: thrower }]));
  expect(classify(Object.defineProperties({}, traps)).kind).toBe('internal');
  expect(reads).toBeLessThanOrEqual(1_000);
  const names = Array.from({ length: 1_000 }, (_, index) => `key${index}`);
  const endless = (): object =>
    new Proxy(
      {},
      {
        get: (_target, key) => {
          reads += 1;
          return typeof key === 'symbol' ? undefined : endless();
        },
        ownKeys: () => names,
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: endless() }),
      },
    );
  reads = 0;
  expect(classify(endless()).kind).toBe('internal');
  expect(reads).toBeLessThanOrEqual(5_000);
});
