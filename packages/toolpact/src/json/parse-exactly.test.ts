import { expect, test } from 'vitest';
import { parseExactly, readExactly } from './parse-exactly.ts';

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ['{"id":-12345678901234567890,"list":[1,98765432109876543]}', { id: '-12345678901234567890', list: [1, '98765432109876543'] }],
  ['{"id":9007199254740992,"wei":1000000000000000000}', { id: 9007199254740992, wei: 1e18 }],
  ['{"a":0.12345678901234567,"b":12345678901234567.5,"c":1e20}', { a: 0.12345678901234566, b: 12345678901234568, c: 1e20 }],
  ['{"text":"9007199254740993","zero":1.0}', { text: '9007199254740993', zero: 1 }],
  ['{"__proto__":12345678901234567}', JSON.parse('{"__proto__":"12345678901234567"}')],
])('%s is read with all digits of whole numbers', (text, value) => {
  expect(parseExactly(text)).toEqual(value);
});

test('what is no JSON is an error, or stays as it is', () => {
  expect(() => parseExactly('{"id":12345678901234567')).toThrow(SyntaxError);
  expect(readExactly('{"id":12345678901234567')).toBe('{"id":12345678901234567');
  expect(readExactly('{"id":12345678901234567}')).toEqual({ id: '12345678901234567' });
});

test('a very long text with nothing but escapes is passed over', () => {
  const text = '"\\'.repeat(2_000_000);
  expect(parseExactly(JSON.stringify([text, 1]).replace('1]', '12345678901234567]'))).toEqual([text, '12345678901234567']);
});
