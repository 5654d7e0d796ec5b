import type { ListedCall } from 'toolpact';
import { expect, test } from 'vitest';
import { summarizeCalls } from './call-summary.ts';

const call = (tool: string, facts: Partial<ListedCall>): ListedCall => ({
  id: 'c',
  tool,
  status: 'error',
  begunAt: '2026-11-18T10:00:00.000Z',
  attempts: 1,
  tenantId: 't',
  traceId: 'tr',
  ...facts,
});

test('says how often it was not known whether something had changed', () => {
  const calls = [
    call('pay', { kind: 'timeout', effect: 'unknown' }),
    call('pay', { kind: 'failed', effect: 'unknown' }),
    call('pay', { kind: 'not_found', effect: 'none' }),
    call('pay', { status: 'ok' }),
  ];
  expect(summarizeCalls(calls, true).effects).toEqual({ unknown: 2, none: 1 });
});

test('names the messages that came more than once and could not be read, whatever values they hold', () => {
  const calls = [
    call('edit', { kind: 'failed', message: 'old_string occurs 3 times in "b.ts"; add context.' }),
    call('edit', { kind: 'failed', message: 'old_string occurs 2 times in "a.ts"; add context.' }),
    call('edit', { kind: 'failed', message: 'The lid is open.' }),
    call('pay', { kind: 'failed', message: 'Order A-17 is closed.' }),
    call('pay', { kind: 'failed', message: 'Order B-4 is closed.' }),
    call('pay', { kind: 'failed', message: 'Order C-9 is closed.' }),
    call('pay', { kind: 'failed', message: 'Order C-9 is closed.', replayOf: 'c' }),
    call('pay', { kind: 'not_found', message: 'No order.' }),
    call('pay', { kind: 'not_found', message: 'No order.' }),
  ];
  expect(summarizeCalls(calls, true).unread).toEqual([
    { tool: 'pay', message: 'Order A-17 is closed.', count: 3 },
    { tool: 'edit', message: 'old_string occurs 3 times in "b.ts"; add context.', count: 2 },
  ]);
});
