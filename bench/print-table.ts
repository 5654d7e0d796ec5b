import type { Chapter, Finding } from './finding.ts';

const columns = ['best', 'median', '× bare', 'by median', 'target', ''] as const;

/** Lays the chapters out as one table for a terminal that is also valid Markdown, so that it can be copied into the README. */
export function toTable(chapters: readonly Chapter[]): string {
  const rows = chapters.flatMap(({ title, findings }) => [[title, ...columns], ...findings.map(toCells)]);
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) => Math.max(...rows.map((row) => (isSpanning(row) && column > 0 ? 0 : (row[column] ?? '').length))));
  const line = (row: readonly string[]) => `| ${widths.map((width, column) => pad(row[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${isNumeric(column) ? ':' : '-'}`).join('|')}|`;
  return chapters
    .map(({ title, findings }) => {
      const facts = findings.filter(({ found }) => found !== undefined).map(toFact);
      const timed = findings.filter(({ found }) => found === undefined);
      const table = timed.length === 0 ? [] : [line([title, ...columns]), rule, ...timed.map((finding) => line(toCells(finding)))];
      return [...table, ...(timed.length === 0 ? [title, ''] : []), ...facts].join('\n');
    })
    .join('\n\n');
}

function toCells({ name, best, median, ratio, medianRatio, target, met }: Finding): string[] {
  return [name, time(best), time(median), times(ratio), times(medianRatio), target ?? '', verdict(met)];
}

function toFact({ name, found, target, met }: Finding): string {
  return `- ${name}: ${found}${target === undefined ? '' : ` (target ${target}: ${verdict(met)})`}`;
}

function isSpanning(row: readonly string[]): boolean {
  return row.length < 2;
}

function isNumeric(column: number): boolean {
  return column > 0 && column < 5;
}

function pad(text: string, width: number, column: number): string {
  return isNumeric(column) ? text.padStart(width) : text.padEnd(width);
}

function time(ns: number | undefined): string {
  if (ns === undefined) return '';
  return ns < 100_000 ? `${Math.round(ns).toLocaleString('en')} ns` : `${Math.round(ns / 1000).toLocaleString('en')} µs`;
}

function times(ratio: number | undefined): string {
  return ratio === undefined ? '' : `${ratio.toFixed(ratio < 10 ? 2 : 1)} ×`;
}

function verdict(met: boolean | undefined): string {
  return met === undefined ? '' : met ? 'met' : 'NOT met';
}
