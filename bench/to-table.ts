import type { Chapter, Finding } from './finding.ts';

const columns = ['best', 'median', '× bare', 'by median', 'target', ''] as const;
const firstText = 5;

/** Lays the chapters out for a terminal and as Markdown at once, so that they can be copied into the README. */
export function toTable(chapters: readonly Chapter[]): string {
  const timed = chapters.flatMap(({ title, findings }) => [[title, ...columns], ...findings.filter(isTimed).map(toCells)]);
  const widths = ['', ...columns].map((_, column) => Math.max(...timed.map((cells) => (cells[column] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => `${'-'.repeat(width + 1)}${isNumber(column) ? ':' : '-'}`).join('|')}|`;
  return chapters
    .map(({ title, findings }) => {
      const rows = findings.filter(isTimed).map((finding) => line(toCells(finding)));
      const facts = findings.filter((finding) => !isTimed(finding)).map(toFact);
      return [...(rows.length > 0 ? [line([title, ...columns]), rule, ...rows] : [title, '']), ...facts].join('\n');
    })
    .join('\n\n');
}

function isTimed({ best }: Finding): boolean {
  return best !== undefined;
}

function toCells({ name, best, median, ratio, medianRatio, target, met }: Finding): string[] {
  return [name, time(best), time(median), times(ratio), times(medianRatio), target ?? '', verdict(met)];
}

function toFact({ name, found, target, met }: Finding): string {
  return `- ${name}: ${found}${target === undefined ? '' : ` (target: ${target}; ${verdict(met)})`}`;
}

function isNumber(column: number): boolean {
  return column > 0 && column < firstText;
}

function pad(text: string, width: number, column: number): string {
  return isNumber(column) ? text.padStart(width) : text.padEnd(width);
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
