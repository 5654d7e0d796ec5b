import { expect, test } from 'vitest';
import { wellFormedJson } from './well-formed-json.ts';

test('halves of surrogate pairs are replaced in texts and keys, at any depth', () => {
  const value = { 'a\ud800': [{ deep: 'b\udc00c' }, 1, null], whole: '😀' };
  expect(wellFormedJson(value)).toEqual({ 'a\ufffd': [{ deep: 'b\ufffdc' }, 1, null], whole: '😀' });
  expect(wellFormedJson('😀'.slice(0, 1))).toBe('\ufffd');
});

test('a value without them is given back as it is, and so are the parts of one that has some', () => {
  const fine = { text: '😀\u0000', list: [1, undefined, Number.NaN, new Date(0)] };
  expect(wellFormedJson(fine)).toBe(fine);
  expect((wellFormedJson({ fine, broken: '\ud800' }) as { fine: unknown }).fine).toBe(fine);
});

test('objects of a class, what refers back to itself and the name of the prototype do no harm', () => {
  const bytes = new Uint8Array(3);
  const cyclic: Record<string, unknown> = { bytes };
  cyclic.self = cyclic;
  expect(wellFormedJson(cyclic)).toBe(cyclic);
  const hostile: unknown = JSON.parse('{"__proto__":{"x":"\\ud800"}}');
  expect(Object.getPrototypeOf(wellFormedJson(hostile))).toBe(Object.prototype);
});
