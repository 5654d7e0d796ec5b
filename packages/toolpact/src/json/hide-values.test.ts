import { expect, test } from 'vitest';
import { hideValues } from './hide-values.ts';

test.each<[string, unknown, string]>([
  ['Expected number but received "number"', 'number', 'Expected number but received "…"'],
  ["received 'ab'", 'ab', "received '…'"],
  ['4111111111111111 is no number', 4111111111111111, '… is no number'],
  ['expected at most 5', 5, 'expected at most 5'],
  ['abc is short', 'abc', 'abc is short'],
  ['the text $& stays', 'none of it', 'the text $& stays'],
  ['"$&hunter2" is not it', '$&hunter2', '"…" is not it'],
  ['wrong: hunter2, 4111111111111111', { a: ['hunter2'], b: { c: 4111111111111111 } }, 'wrong: …, …'],
  [`received "${'hunter2'.repeat(20)}`, 'hunter2'.repeat(99), 'received "…'],
  ['nothing', '', 'nothing'],
  ['nothing', null, 'nothing'],
])('%j without %j is %j', (text, value, expected) => {
  expect(hideValues(text, [value])).toBe(expected);
});
