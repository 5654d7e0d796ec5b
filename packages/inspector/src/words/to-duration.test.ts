import { expect, test } from 'vitest';
import { toAge, toDuration } from './to-duration.ts';

test.each([
  [0, '0 ms'],
  [0.412, '0.41 ms'],
  [5.183, '5.2 ms'],
  [12.6, '13 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [8000, '8 s'],
  [42_400, '42 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [90_000_000, '1 d 1 h'],
])('%d ms is written %s', (ms, text) => expect(toDuration(ms)).toBe(text));

test.each([
  [-5, 'now'],
  [1500, 'now'],
  [12_000, '12 s'],
  [200_000, '3 min'],
  [7_300_000, '2 h'],
  [500_000_000, '5 d'],
])('%d ms ago is written %s', (ms, text) => expect(toAge(ms)).toBe(text));
