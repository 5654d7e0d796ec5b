import { expect, test } from 'vitest';
import { scrollToRow, virtualWindow } from './virtual-window.ts';

test.each([
  ['an empty list', 0, 0, 400, { from: 0, to: 0, height: 0 }],
  ['a short list', 3, 0, 400, { from: 0, to: 3, height: 120 }],
  ['the top of a long list', 10_000, 0, 400, { from: 0, to: 19, height: 400_000 }],
  ['its middle', 10_000, 200_000, 400, { from: 4992, to: 5019, height: 400_000 }],
  ['its end', 10_000, 399_600, 400, { from: 9981, to: 10_000, height: 400_000 }],
  ['a list that became shorter than where it was scrolled to', 20, 5000, 400, { from: 1, to: 20, height: 800 }],
  ['a list that is pulled down at its top', 100, -60, 400, { from: 0, to: 19, height: 4000 }],
])('%s', (_, count, scrollTop, viewHeight, expected) => {
  expect(virtualWindow(count, 40, scrollTop, viewHeight)).toEqual(expected);
});

test('no row that can be seen is left out', () => {
  for (let scrollTop = 0; scrollTop <= 4000 - 410; scrollTop += 7) {
    const { from, to } = virtualWindow(100, 40, scrollTop, 410);
    expect([from * 40 <= scrollTop, to * 40 >= scrollTop + 410]).toEqual([true, true]);
  }
});

test.each([
  [0, 100, 0],
  [5, 100, 100],
  [2, 100, 80],
  [20, 100, 440],
])('row %d is seen from %d after scrolling to %d', (index, scrollTop, expected) => {
  expect(scrollToRow(index, 40, scrollTop, 400)).toBe(expected);
});
