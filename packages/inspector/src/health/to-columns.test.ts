import { expect, test } from 'vitest';
import { toColumns, toHeights } from './to-columns.ts';

const now = Date.parse('2026-11-16T08:10:30Z');
const minute = (time: string, counts: Record<string, number>) => ({ minute: `2026-11-16T${time}:00.000Z`, counts });

test('there is a column for each minute up to now, also without calls', () => {
  const columns = toColumns([minute('08:08', { ok: 3, error: 1 }), minute('08:10', { ok: 1 })], 4 * 60_000, now);
  expect(columns.map(({ at, counts }) => [new Date(at).toISOString().slice(11, 16), counts])).toEqual([
    ['08:07', {}],
    ['08:08', { ok: 3, error: 1 }],
    ['08:09', {}],
    ['08:10', { ok: 1 }],
  ]);
});

test('a long time has wider columns that hold the sum', () => {
  const columns = toColumns(
    [minute('08:08', { ok: 3 }), minute('08:09', { ok: 2, error: 1 }), minute('07:50', { pending: 1 })],
    24 * 3_600_000,
    now,
  );
  expect(columns.length).toBe(120);
  expect(columns.slice(-3).map(({ counts }) => counts)).toEqual([{}, { pending: 1 }, { ok: 5, error: 1 }]);
});

test('calls before the first column are left out', () => {
  expect(toColumns([minute('07:00', { ok: 1 })], 120_000, now).every(({ counts }) => Object.keys(counts).length === 0)).toBe(true);
});

test('outcomes lie on each other', () => {
  const columns = toColumns([minute('08:10', { ok: 3, partial: 1, error: 2 })], 60_000, now);
  expect(toHeights(columns)).toEqual([[3], [4], [4], [4], [6]]);
});
