import { expect, test } from 'vitest';
import { endOfText } from './end-of-text.ts';

test.each([
  ['""', 0, 1],
  ['{"a":"b"}', 1, 3],
  ['{"a":"b"}', 5, 7],
  [String.raw`["\"",1]`, 1, 4],
  [String.raw`["\\",1]`, 1, 4],
  [String.raw`["\\\"x"]`, 1, 7],
  [String.raw`["\\\"]`, 1, -1],
  ['"', 0, -1],
])('the text of %s that begins at %i ends at %i', (json, start, end) => {
  expect(endOfText(json, start)).toBe(end);
});
