import type { Outcome, Recovery } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { expect, test } from 'vitest';
import { exitCodeOf, exitCodeTable } from './exit-codes.ts';

const meta = { tookMs: 1, attempts: 1 };
const failed = (recovery: Recovery): Outcome => ({
  status: 'error',
  error: { ...makeFailure('internal', { message: 'x' }), recovery },
  meta,
});

test.each<[number, string, Outcome]>([
  [0, 'ok', { status: 'ok', data: 1, meta }],
  [10, 'fix_input', failed('fix_input')],
  [11, 'wait', failed('wait')],
  [12, 'verify', failed('verify')],
  [13, 'reauth', failed('reauth')],
  [14, 'ask_user', failed('ask_user')],
  [15, 'other_tool', failed('other_tool')],
  [16, 'stop', failed('stop')],
  [20, 'pending', { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta }],
  [21, 'partial', { status: 'partial', data: [], failures: [], total: 1, meta }],
])('%i stands for %s', (code, name, outcome) => {
  expect(exitCodeOf(outcome)).toBe(code);
  expect(exitCodeTable.find((row) => row[0] === code)?.[1]).toBe(name);
});
