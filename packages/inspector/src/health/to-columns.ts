import type { CallStatus, Health } from '../api/api-shapes.ts';

/** One column of the plot: a span of time and how many calls ended how. */
export interface Column {
  /** When it begins, in epoch milliseconds. */
  readonly at: number;
  readonly counts: Readonly<Partial<Record<CallStatus, number>>>;
}

/** The order in which outcomes lie on each other, from the ground up. */
export const stacked = ['ok', 'partial', 'pending', 'running', 'error'] as const satisfies readonly CallStatus[];

const minuteMs = 60_000;
/** More columns than this cannot be distinguished. */
const maxColumns = 120;

/** Makes columns of equal width up to now, also for minutes without calls. */
export function toColumns(perMinute: Health['perMinute'], spanMs: number, now: number): readonly Column[] {
  const widthMs = Math.max(1, Math.ceil(spanMs / minuteMs / maxColumns)) * minuteMs;
  const last = Math.floor(now / widthMs) * widthMs;
  const first = last - (Math.ceil(spanMs / widthMs) - 1) * widthMs;
  const columns = Array.from({ length: (last - first) / widthMs + 1 }, (_, index) => ({
    at: first + index * widthMs,
    counts: {} as Partial<Record<CallStatus, number>>,
  }));
  for (const { minute, counts } of perMinute) {
    const column = columns[Math.floor((Date.parse(minute) - first) / widthMs)];
    if (column === undefined) continue;
    for (const status of stacked) {
      const count = counts[status];
      if (count) column.counts[status] = (column.counts[status] ?? 0) + count;
    }
  }
  return columns;
}

/** Returns for each outcome the height of its top edge in each column, lying on those below it. */
export function toHeights(columns: readonly Column[]): readonly (readonly number[])[] {
  return stacked.map((_, index) =>
    columns.map(({ counts }) => stacked.slice(0, index + 1).reduce((sum, status) => sum + (counts[status] ?? 0), 0)),
  );
}
