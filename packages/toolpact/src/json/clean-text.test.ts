import { expect, test } from 'vitest';
import { cleanText, isCleanText } from './clean-text.ts';

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
  expect(isCleanText(cleanText(text))).toBe(true);
  if (clean) expect(cleanText(text)).toBe(text);
});
