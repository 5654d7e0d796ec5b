import { pathToFileURL } from 'node:url';
import { dialects } from '../src/core/dialects/index.ts';
import type { Outcome } from '../src/core/outcome/index.ts';

/** One measured operation of one dialect, next to what JSON itself needs for the same envelope. */
export interface DialectRow {
  readonly dialect: string;
  readonly outcome: string;
  readonly operation: 'encode' | 'decode';
  readonly nanoseconds: number;
  readonly jsonNanoseconds: number;
  /** Times as long as `JSON.stringify` or `JSON.parse` of the same envelope; at most 5 is the promise. */
  readonly ratio: number;
}

const meta = { tool: 'search_spots', invocationId: '0190f7a2-0001', traceId: '4bf92f3577b34da6a3ce929d0e0e4736', tookMs: 41.7, attempts: 1 };
const input = { keyword: 'K-ON', radiusKm: 5 };
const spots = Array.from({ length: 12 }, (_, index) => ({ id: index, name: `Spot ${index}`, lat: 35.01 + index / 100, lng: 135.75, tags: ['school', 'bridge'] }));

const outcomes: Readonly<Record<string, Outcome>> = {
  'ok, small': { status: 'ok', data: { answer: 'Hi there!' }, input, meta },
  'ok, 12 rows': { status: 'ok', data: { results: spots }, input, meta },
  failure: {
    status: 'error',
    error: {
      kind: 'rate_limited',
      message: 'The map service asks to slow down.',
      recovery: 'wait',
      retryable: true,
      retryAfterMs: 7000,
      effect: 'none',
      upstream: { status: 429, endpoint: 'https://maps.example/spots' },
      debugId: '0190f7a2-0001',
    },
    fallback: { results: [] },
    input,
    meta,
  },
};

/** Measures encode and decode of all nine dialects. Each side is timed in turns, and its best turn counts, so that a busy machine blurs little. */
export function measureDialects(turns = 40): DialectRow[] {
  return Object.values(dialects).flatMap((dialect) =>
    Object.entries(outcomes).flatMap(([name, outcome]): DialectRow[] => {
      const envelope = dialect.encode(outcome);
      const text = JSON.stringify(envelope);
      const json: unknown = JSON.parse(text);
      const [encode, stringify] = race(turns, () => dialect.encode(outcome), () => JSON.stringify(envelope));
      const [decode, parse] = race(turns, () => dialect.decode(json), () => JSON.parse(text));
      return [row('encode', encode, stringify), row('decode', decode, parse)];

      function row(operation: DialectRow['operation'], nanoseconds: number, jsonNanoseconds: number): DialectRow {
        return { dialect: dialect.name, outcome: name, operation, nanoseconds, jsonNanoseconds, ratio: nanoseconds / jsonNanoseconds };
      }
    }),
  );
}

function race(turns: number, ...sides: (() => unknown)[]): [number, number] {
  const best = sides.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, side] of sides.entries()) best[index] = Math.min(best[index] ?? 0, time(side));
  }
  return [best[0] ?? 0, best[1] ?? 0];
}

let sink: unknown;
function time(side: () => unknown): number {
  const rounds = 500;
  const startedAt = performance.now();
  for (let round = 0; round < rounds; round += 1) sink = side();
  return ((performance.now() - startedAt) * 1e6) / rounds;
}

/** Writes the rows as a table. */
export function formatDialects(rows: readonly DialectRow[]): string {
  const lines = rows.map(({ dialect, outcome, operation, nanoseconds, jsonNanoseconds, ratio }) =>
    [dialect.padEnd(10), outcome.padEnd(12), operation.padEnd(7), `${nanoseconds.toFixed(0).padStart(7)} ns`, `JSON ${jsonNanoseconds.toFixed(0).padStart(6)} ns`, `${ratio.toFixed(2).padStart(5)} ×`, ratio > 5 ? 'above 5 ×' : ''].join('  ').trimEnd(),
  );
  return lines.join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = measureDialects();
  console.log(formatDialects(rows));
  if (sink === undefined) throw new Error('nothing was measured');
  process.exitCode = rows.some(({ ratio }) => ratio > 5) ? 1 : 0;
}
