import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test.each<[unknown, string]>([
  [{ b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
  [[{ b: 1, a: 2 }], '[{"a":2,"b":1}]'],
  [{ n: 1n, at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z","n":"1n"}'],
  [new Map([['b', 1]]), '["Map",[["b",1]]]'],
  [new Set([2, 1]), '["Set",[2,1]]'],
  [{ b: undefined, a: 'x' }, '{"a":"x"}'],
  ['text', '"text"'],
  [undefined, 'null'],
])('gives equal values the same JSON, case %#', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test('ends with objects that do not, and with JSON forms that cannot be made', () => {
  class Endless {
    readonly one = this;
    readonly other = this;
  }
  class Again {
    toJSON(): unknown {
      return new Again();
    }
  }
  const broken = {
    toJSON() {
      throw new Error('no');
    },
  };
  expect(canonicalJson({ b: broken, a: new Again() })).toBe('{"a":"…","b":"…"}');
  expect(canonicalJson(new Endless())).toContain('"…"');
});
