// Encoding and decoding next to what JSON itself needs for the same envelopes; alone: node bench/dialects.ts
import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { Outcome } from 'toolpact';
import { dialects as library } from 'toolpact/dialects';
import type { Contestant } from './contestant.ts';
import { timeRounds } from './time-rounds.ts';
import { toTable } from './to-table.ts';

const dialects = { flat, coded, value, status, ...library };

const meta = {
  tool: 'search_spots',
  invocationId: '0190f7a2-0001',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  tookMs: 41.7,
  attempts: 1,
};
const input = { keyword: 'K-ON', radiusKm: 5 };

// Small envelopes, because their fields weigh most against their payload; every call takes the next one.
const outcomes: readonly Outcome[] = [
  { status: 'ok', data: { answer: 'Hi there!' }, input, meta },
  {
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
];

const most = { ratio: 5 };

/** Encode and decode of all nine dialects, each with `JSON.stringify` or `JSON.parse` of the same envelopes as its base. */
export const dialectCalls: readonly Contestant[] = Object.values(dialects).flatMap((dialect) => {
  const envelopes = outcomes.map((outcome) => dialect.encode(outcome));
  const texts = envelopes.map((envelope) => JSON.stringify(envelope));
  const values = texts.map((text): unknown => JSON.parse(text));
  const stringify = `JSON.stringify, ${dialect.name}`;
  const parse = `JSON.parse, ${dialect.name}`;
  const isRead = (decoded: unknown) => (decoded as { ok: boolean }).ok;
  return [
    { name: stringify, call: inTurn(envelopes, (envelope) => JSON.stringify(envelope)), isRight: isSomething },
    {
      name: `encode ${dialect.name}`,
      base: stringify,
      call: inTurn(outcomes, (outcome) => dialect.encode(outcome)),
      isRight: isSomething,
      atMost: most,
    },
    { name: parse, call: inTurn(texts, (text) => JSON.parse(text)), isRight: isSomething },
    { name: `decode ${dialect.name}`, base: parse, call: inTurn(values, (value) => dialect.decode(value)), isRight: isRead, atMost: most },
  ];
});

function inTurn<T>(items: readonly T[], call: (item: T) => unknown): () => unknown {
  let next = 0;
  return () => {
    next = (next + 1) % items.length;
    return call(items[next] as T);
  };
}

function isSomething(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

if (import.meta.main) {
  const timings = await timeRounds(dialectCalls, { rounds: 20, roundMs: 10, warmUpMs: 100 }, () => undefined);
  const findings = dialectCalls.map(({ name, base }) => {
    const { best = Number.NaN, median = Number.NaN } = timings.get(name) ?? {};
    const bare = base === undefined ? undefined : timings.get(base);
    if (bare === undefined) return { name, best, median };
    return {
      name,
      best,
      median,
      ratio: best / bare.best,
      medianRatio: median / bare.median,
      target: `≤ ${most.ratio} ×`,
      met: best / bare.best <= most.ratio,
    };
  });
  console.log(toTable([{ title: 'Dialects', findings }]));
}
