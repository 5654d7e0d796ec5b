import type { Outcome } from 'toolpact';
import { expect, test } from 'vitest';
import { createCallLog, formatCall, type LogForm } from './call-log.ts';

const paint = (_: string, text: string): string => text;
const meta = { tool: 'forecast', tookMs: 31.25, attempts: 1, invocationId: 'i1', traceId: 't1' };
const good: Outcome = { status: 'ok', data: 1, meta };
const bad: Outcome = {
  status: 'error',
  error: { kind: 'rate_limited', message: 'Too many requests.', recovery: 'wait', retryable: true, effect: 'none' },
  meta: { ...meta, attempts: 3, tenantId: 'acme' },
};

test.each<[string, Outcome, string]>([
  ['a success', good, 'forecast             ok                31.3 ms'],
  [
    'a failure, with what was tried and for whom',
    bad,
    'forecast             rate_limited      31.3 ms  Too many requests. · 3 attempts · tenant acme',
  ],
  [
    'a wait',
    { status: 'pending', pending: { handle: 'h1', reason: 'approval' }, meta },
    'forecast             pending           31.3 ms  approval, h1',
  ],
  [
    'a question, with the arguments that it is about, without secrets,',
    {
      status: 'pending',
      pending: { handle: 'h1', reason: 'approval', ask: { message: 'Pay 500?' } },
      input: { invoice: 'A-1', password: 'hunter2' },
      meta,
    },
    'forecast             pending           31.3 ms  approval, h1 · Pay 500? · {"invoice":"A-1","password":"[redacted]"}',
  ],
  ['a replay', { ...good, meta: { ...meta, replayed: true, tookMs: 12_345 } }, 'forecast             ok                 12.3 s  replayed'],
  [
    'half a success',
    { status: 'partial', data: [], failures: [{ index: 0, error: bad.error }], total: 2, meta },
    'forecast             partial           31.3 ms  1 of 2 failed',
  ],
  [
    'a long message, cut between words,',
    { ...bad, error: { ...bad.error, message: 'It failed. '.repeat(30) }, meta },
    `forecast             rate_limited      31.3 ms  ${'It failed. '.repeat(14)}It…`,
  ],
  [
    'a name that would move the cursor',
    { ...good, meta: { ...meta, tool: 'a\u001b[2Jb\n' } },
    'a[2Jb                ok                31.3 ms',
  ],
])('%s is one line for people', (_, outcome, line) => expect(formatCall(outcome, paint)).toBe(line));

function written(form: LogForm): string {
  let text = '';
  const log = createCallLog(
    form,
    (more) => (text += more),
    paint,
    () => new Date('2026-01-02T03:04:05.678Z'),
  );
  log.call(bad);
  log.denied({ at: 0, reason: 'host', message: 'no', method: 'GET', path: '/', traceId: 't' });
  log.problem({ v: 1, id: 'e1', at: 0, type: 'problem', where: 'a worker', message: 'the disk is gone' });
  log.note('info', 'listening', 'listening on x', { url: 'x' });
  return text;
}

test('a JSON log has one object a line', () => {
  expect(
    written('json')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      time: '2026-01-02T03:04:05.678Z',
      level: 'warn',
      event: 'call',
      tool: 'forecast',
      status: 'error',
      kind: 'rate_limited',
      effect: 'none',
      message: 'Too many requests.',
      tookMs: 31.25,
      attempts: 3,
      tenantId: 'acme',
      traceId: 't1',
      invocationId: 'i1',
    },
    {
      time: '2026-01-02T03:04:05.678Z',
      level: 'warn',
      event: 'denied',
      reason: 'host',
      message: 'no',
      method: 'GET',
      path: '/',
      traceId: 't',
    },
    { time: '2026-01-02T03:04:05.678Z', level: 'error', event: 'problem', where: 'a worker', message: 'the disk is gone' },
    { time: '2026-01-02T03:04:05.678Z', level: 'info', event: 'listening', message: 'listening on x', url: 'x' },
  ]);
});

test('a call that was denied is one line for people, because its own line says so', () => {
  let text = '';
  const log = createCallLog('pretty', (more) => (text += more), paint);
  const reported = { at: 0, message: 'no', method: 'POST', path: '/v1/tools/pay', traceId: 't' };
  log.denied({ ...reported, reason: 'denied' });
  expect(text).toBe('');
  log.denied({ ...reported, reason: 'host' });
  expect(text).toMatch(/denied {2}host {2}POST \/v1\/tools\/pay {2}no\n$/);
});

test('a log that is off still says what happens to the server and what went wrong in it', () => {
  expect(written('off').trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}a worker failed: the disk is gone$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}listening on x$/),
  ]);
});

test('what is written of others is one record, which nothing in it can leave', () => {
  const written: string[] = [];
  const log = createCallLog(
    'pretty',
    (text) => written.push(text),
    (_, text) => text,
    () => new Date(2026, 0, 2, 3, 4, 5),
  );
  log.note('error', 'failure', 'TypeError: bad\n03:04:05  pay   ok\r03:04:05  pay   ok\u202e');
  log.problem({ where: 'a promise\nthat x left', message: 'a\nb' } as never);
  expect(written).toEqual([
    '03:04:05  TypeError: bad\n          03:04:05  pay   ok03:04:05  pay   ok\n',
    '03:04:05  a promise that x left failed: a b\n',
  ]);
});
