import { expect, test } from 'vitest';
import { splitChunks } from './split-chunks.ts';

test('short paragraphs share a piece', () => expect(splitChunks('a\n\nb\n \n\n c ')).toEqual(['a\n\nb\n\nc']));

test('nothing has no pieces', () => expect(splitChunks(' \n\n ')).toEqual([]));

test('paragraphs that do not fit together stand apart', () => {
  const [a, b] = ['a'.repeat(900), 'b'.repeat(900)];
  expect(splitChunks(`${a}\n\n${b}`)).toEqual([a, b]);
});

test.each([
  ['English', `${'x'.repeat(98)}. `],
  ['Japanese', `${'あ'.repeat(99)}。`],
])('a paragraph that is too long is cut at the end of a sentence: %s', (_, sentence) => {
  const pieces = splitChunks(sentence.repeat(50));
  expect(pieces.map(({ length }) => length <= 2_000)).toEqual(pieces.map(() => true));
  expect(pieces.every((piece) => /[.。]$/.test(piece))).toBe(true);
  expect(pieces.join('').replace(/\s/g, '')).toBe(sentence.repeat(50).replace(/\s/g, ''));
});

test('what has no end anywhere is cut all the same, never inside a character', () => {
  const pieces = splitChunks(`x${'🚀'.repeat(3_000)}`);
  expect(pieces.join('')).toBe(`x${'🚀'.repeat(3_000)}`);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
});
