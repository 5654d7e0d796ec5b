import type { CallFilter, ListedCall } from 'toolpact';
import { expect, test } from 'vitest';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { followCalls } from './follow-calls.ts';

skipTime();

test.each<[string, CallFilter]>([
  ['a status', { status: ['error'] }],
  ['a kind', { kind: ['timeout'] }],
  ['a text', { text: 'kyoto', status: ['error'] }],
])('a call that ran for long is printed when it ends with %s that is asked for, and no other is', async (_, filter) => {
  const begunMs = Date.now();
  const begunAt = new Date(begunMs).toISOString();
  const stop = new AbortController();
  const rows = (): ListedCall[] => {
    const isOver = Date.now() > begunMs + 20_000;
    const end = { status: 'error', kind: 'timeout', endedAt: new Date(begunMs + 20_000).toISOString() } as const;
    const row = (id: string): ListedCall => ({
      id,
      tool: 'slow',
      begunAt,
      attempts: 1,
      tenantId: 't',
      traceId: '',
      ...(isOver ? end : { status: 'running' }),
    });
    const quick: ListedCall = {
      id: 'quick',
      tool: 'slow',
      begunAt,
      attempts: 1,
      tenantId: 't',
      traceId: '',
      status: 'ok',
      endedAt: begunAt,
    };
    return [row('long'), quick];
  };
  const source = {
    calls: async ({ since, text }: CallFilter) => {
      if (Date.now() > begunMs + 60_000) stop.abort();
      return { calls: rows().filter(({ id }) => begunMs >= Number(new Date(since ?? 0)) && (text === undefined || id === 'long')) };
    },
    findCall: async (wanted: string) => rows().find(({ id }) => id === wanted) as never,
  };
  const printed: string[] = [];
  await followCalls(source, filter, async ({ id, status }) => void printed.push(`${id} ${status}`), stop.signal);
  expect(printed).toEqual(['long error']);
});
