import { expect, test } from 'vitest';
import { toPreview } from './to-preview.ts';

test.each([
  [{ city: 'Kyoto', days: 3 }, 'city: Kyoto, days: 3'],
  [{ isFast: true, note: null }, 'isFast: true, note: null'],
  [{ lines: [1, 2], one: [1], who: { name: 'Ann' } }, 'lines: 2 items, one: 1 item, who: {…}'],
  [{ text: 'first\n\n  second\tthird' }, 'text: first second third'],
  [{}, undefined],
  ['only text', 'only text'],
  [7, '7'],
  [{ long: 'x'.repeat(100_000), never: 1 }, `long: ${'x'.repeat(113)}…`],
  [{ [`${'y'.repeat(118)}😀`]: 1 }, `${'y'.repeat(118)}…`],
])('%j is listed as %s', (input, line) => {
  expect(toPreview(input as never)).toBe(line);
});
