import { expect, test } from 'vitest';
import type { ListedCall } from '../api/api-shapes.ts';
import { summarizeRun, toRuns } from './to-runs.ts';

function call(id: string, runId: string | undefined, second: number, tool: string, status: ListedCall['status'] = 'ok'): ListedCall {
  const begunAt = `2026-11-16T08:00:${String(second).padStart(2, '0')}.000Z`;
  return {
    id,
    tool,
    status,
    begunAt,
    attempts: 1,
    tenantId: 't',
    traceId: 'x',
    ...(runId && { runId }),
    ...(status !== 'running' && { endedAt: begunAt.replace('.000Z', '.250Z') }),
    ...(id === '3' && { agentName: 'clerk' }),
  };
}

test('calls are grouped by run, the run with the newest call first', () => {
  const runs = toRuns([
    call('5', 'b', 50, 'pay', 'pending'),
    call('4', undefined, 40, 'add'),
    call('3', 'a', 30, 'add', 'error'),
    call('2', 'a', 20, 'search'),
    call('1', 'b', 10, 'pay', 'running'),
  ]);
  expect(runs).toEqual([
    {
      runId: 'b',
      begunAt: '2026-11-16T08:00:10.000Z',
      lastAt: '2026-11-16T08:00:50.000Z',
      tookMs: 40_250,
      calls: 2,
      failed: 0,
      waiting: 1,
      running: 1,
      tools: ['pay'],
      who: '',
    },
    {
      runId: 'a',
      begunAt: '2026-11-16T08:00:20.000Z',
      lastAt: '2026-11-16T08:00:30.000Z',
      tookMs: 10_250,
      calls: 2,
      failed: 1,
      waiting: 0,
      running: 0,
      tools: ['search', 'add'],
      who: 'clerk',
    },
  ]);
});

test.each([
  [{ calls: 1, failed: 0, waiting: 0, running: 0 }, '1 call, all succeeded'],
  [{ calls: 5, failed: 2, waiting: 0, running: 1 }, '5 calls, 2 failed, 1 running'],
  [{ calls: 2, failed: 0, waiting: 1, running: 0 }, '2 calls, 1 waiting'],
])('%j reads: %s', (run, sentence) => {
  expect(summarizeRun(run)).toBe(sentence);
});
