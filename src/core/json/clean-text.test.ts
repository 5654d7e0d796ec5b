import { expect, test } from 'vitest';
import { cleanText, isCleanKey, isCleanText } from './clean-text.ts';

test.each([
  ['plain text with tab\tand\r\nline breaks', true],
  ['whole pairs 😀 and 日本語', true],
  ['half a pair \ud83d', false],
  ['the other half \udc00', false],
  ['a null \0 byte', false],
  ['a colour \x1b[31m', false],
  ['\x7f', false],
  ['one of the second set \x9b2J', false],
  ['', true],
  [`long ${'x'.repeat(60)} text`, true],
  [`long ${'x'.repeat(60)} \0 text`, false],
  [`long ${'x'.repeat(60)} \ud83d text`, false],
])('%j is taken by providers: %s', (text, clean) => {
  expect(isCleanText(text)).toBe(clean);
  // The second time a clean key is known.
  expect([isCleanKey(text), isCleanKey(text)]).toEqual([clean, clean]);
  expect(isCleanText(cleanText(text))).toBe(true);
  if (clean) expect(cleanText(text)).toBe(text);
});

test('a key is not taken for another one of the same length and first character', () => {
  expect(isCleanKey('name')).toBe(true);
  expect(isCleanKey('na\0e')).toBe(false);
  expect(isCleanKey('name')).toBe(true);
});
