import { expect, test } from 'vitest';
import { axisOf, toTimeline } from './to-timeline.ts';

const passed = (guard: string, atMs: number) => ({ guard, phase: guard, atMs, tookMs: 0.1, did: 'passed' }) as const;
const summary = (timeline: ReturnType<typeof toTimeline>) =>
  timeline.rows.map(({ label, note, fromMs, toMs }) => `${label} | ${note} | ${fromMs} to ${toMs}`);

test('attempts, the waits between them and guards stand in the order of time', () => {
  const timeline = toTimeline({
    tookMs: 320,
    trace: {
      guards: [
        passed('repeat', 1),
        passed('cache', 2),
        passed('retry', 3),
        { guard: 'remember', phase: 'remember', atMs: 4, tookMs: 6, did: 'answered' },
      ],
      attempts: [
        { attempt: 1, tookMs: 90, endedAtMs: 100, status: 'error', kind: 'timeout', message: 'too slow' },
        { attempt: 2, tookMs: 50, endedAtMs: 300, status: 'ok' },
      ],
    },
  });
  expect(summary(timeline)).toEqual([
    '3 guards passed |  | 1 to 3.1',
    'remember | answered | 4 to 10',
    'Attempt 1 | Timed out: too slow | 10 to 100',
    'Wait |  | 100 to 250',
    'Attempt 2 |  | 250 to 300',
  ]);
  expect([timeline.totalMs, timeline.rows[0]?.inner?.length]).toEqual([320, 3]);
});

test('a step lasts until the next one, or until its attempt ended, unless it says how long it took', () => {
  const timeline = toTimeline({
    tookMs: 50,
    trace: {
      attempts: [{ attempt: 1, tookMs: 40, endedAtMs: 45, status: 'ok' }],
      steps: [
        { step: 'reserve', atMs: 10 },
        { step: 'pay', atMs: 20, tookMs: 5 },
        { step: 'send', atMs: 30 },
      ],
      progress: [{ message: 'sent', done: 1, total: 2, atMs: 44 }],
    },
  });
  expect(summary(timeline)).toEqual([
    'Run |  | 5 to 45',
    'Step reserve |  | 10 to 20',
    'Step pay |  | 20 to 25',
    'Step send |  | 30 to 45',
    'Progress | sent, 1 of 2 | 44 to 44',
  ]);
});

test('a step says that it was remembered, or how it failed', () => {
  const timeline = toTimeline({
    tookMs: 20,
    trace: {
      steps: [
        { step: 'reserve', atMs: 1, tookMs: 0, status: 'ok', replayed: true },
        { step: 'pay', atMs: 2, tookMs: 8, status: 'error', kind: 'timeout', message: 'too slow' },
      ],
    },
  });
  expect(summary(timeline)).toEqual(['Step reserve | remembered, not run again | 1 to 1', 'Step pay | Timed out: too slow | 2 to 10']);
  expect(timeline.rows.map(({ tone }) => tone)).toEqual(['calm', 'bad']);
});

test('what runs after the guards stands after them, also where its clock began later', () => {
  const timeline = toTimeline({
    tookMs: 60,
    trace: {
      guards: [passed('cache', 40)],
      attempts: [{ attempt: 1, tookMs: 10, endedAtMs: 12, status: 'ok' }],
      steps: [{ step: 'pay', atMs: 4, tookMs: 2 }],
    },
  });
  expect(summary(timeline)).toEqual(['cache | passed | 40 to 40.1', 'Run |  | 40.1 to 50.1', 'Step pay |  | 42.1 to 44.1']);
});

test('many reports of progress are one line with the last of them', () => {
  const progress = [1, 2, 3, 4].map((done) => ({ message: `page ${done}`, done, total: 4, atMs: done * 10 }));
  const { rows } = toTimeline({ tookMs: 50, trace: { progress } });
  expect(rows.map(({ label, note, fromMs, toMs, inner }) => [label, note, fromMs, toMs, inner?.length])).toEqual([
    ['4 progress reports', 'page 4, 4 of 4', 10, 40, 4],
  ]);
});

test('a call without a trace has an empty timeline', () => {
  expect(toTimeline({ tookMs: 3 })).toEqual({ totalMs: 3, rows: [] });
});

test.each([
  [0.08, [0, 0.02, 0.04, 0.06, 0.08]],
  [21.869, [0, 10, 20]],
  [320, [0, 100, 200, 300]],
  [4000, [0, 1000, 2000, 3000, 4000]],
])('the axis of %d ms has round times', (totalMs, times) => {
  expect(axisOf(totalMs)).toEqual(times);
});

test('a call that runs is drawn up to now: its guards, its attempt, its steps', () => {
  const guards = [passed('repeat', 1), passed('cache', 2)];
  const steps = [
    { step: 'reserve', atMs: 3, tookMs: 4, status: 'ok' as const },
    { step: 'pay', atMs: 20 },
  ];
  expect(summary(toTimeline({ trace: { guards, steps, soFarMs: 90 } }))).toEqual([
    'repeat | passed | 1 to 1.1',
    'cache | passed | 2 to 2.1',
    'Run | running | 2.1 to 90',
    'Step reserve |  | 3 to 7',
    'Step pay | running | 20 to 90',
  ]);
  const attempts = [{ attempt: 1, tookMs: 50, endedAtMs: 60, status: 'error' as const, kind: 'timeout' as const }];
  expect(summary(toTimeline({ trace: { attempts, soFarMs: 90 } })).slice(-2)).toEqual([
    'Attempt 1 | Timed out | 10 to 60',
    'Attempt 2 | running, or waiting for its turn | 60 to 90',
  ]);
  const waiting = { guard: 'concurrency', phase: 'limit', atMs: 2, tookMs: 0 };
  expect(summary(toTimeline({ trace: { guards: [waiting], soFarMs: 70 } }))).toEqual(['concurrency (limit) | waiting | 2 to 70']);
});
