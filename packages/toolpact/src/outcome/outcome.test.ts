import { describe, expect, test } from 'vitest';
import { unwrap } from '../runtime/index.ts';
import { catalogue, httpStatus, isFailureKind } from './catalogue.ts';
import { makeFailure } from './make-failure.ts';
import { isFailure, isOk, type Outcome } from './outcome.ts';
import { fail, ok, partial, pending } from './reply.ts';
import { summarize } from './summarize.ts';
import { toModelText } from './to-model-text.ts';
import { ToolFailure } from './tool-failure.ts';

const meta = { tookMs: 1, attempts: 1 };
const okay: Outcome<number> = { status: 'ok', data: 5, meta };
const failed: Outcome<number> = {
  status: 'error',
  error: makeFailure('rate_limited', { message: 'Too many requests.', retryAfterMs: 2500 }),
  meta,
};
const waiting: Outcome<number> = { status: 'pending', pending: { handle: 'h', reason: 'approval' }, meta };

test('the catalogue is the agreed one', () => {
  const rows = Object.entries(catalogue).map(([kind, { recovery, retryable, http, httpUpstream }]) => [
    kind,
    recovery,
    retryable,
    http,
    httpUpstream,
  ]);
  expect(rows).toEqual([
    ['invalid_input', 'fix_input', false, 400, undefined],
    ['unknown_tool', 'fix_input', false, 404, undefined],
    ['not_found', 'fix_input', false, 404, undefined],
    ['unauthenticated', 'reauth', false, 401, 424],
    ['forbidden', 'ask_user', false, 403, 424],
    ['denied', 'ask_user', false, 403, undefined],
    ['conflict', 'fix_input', false, 409, undefined],
    ['not_ready', 'wait', true, 503, undefined],
    ['not_configured', 'stop', false, 500, undefined],
    ['rate_limited', 'wait', true, 429, undefined],
    ['budget_exhausted', 'stop', false, 402, undefined],
    ['timeout', 'wait', true, 504, undefined],
    ['cancelled', 'stop', false, 499, undefined],
    ['interrupted', 'verify', false, 503, undefined],
    ['unreachable', 'wait', true, 503, undefined],
    ['upstream', 'wait', true, 502, undefined],
    ['bad_response', 'other_tool', false, 502, undefined],
    ['too_large', 'fix_input', false, 413, undefined],
    ['unsupported', 'other_tool', false, 501, undefined],
    ['invalid_output', 'stop', false, 500, undefined],
    ['all_failed', 'stop', false, 502, undefined],
    ['failed', 'see_message', false, 500, undefined],
    ['internal', 'stop', false, 500, undefined],
  ]);
});

test.each([
  [{ kind: 'unauthenticated' as const }, 401],
  [{ kind: 'unauthenticated' as const, upstream: {} }, 424],
  [{ kind: 'rate_limited' as const, upstream: { status: 429 } }, 429],
])('the HTTP status of %j is %i', (failure, status) => {
  expect(httpStatus(failure)).toBe(status);
});

test('names of Object.prototype are no kinds', () => {
  expect(['toString', '__proto__', 'constructor', 'nope', 5].some(isFailureKind)).toBe(false);
});

describe('a failure', () => {
  test.each(Object.keys(catalogue).filter(isFailureKind))('of kind %s keeps the invariants', (kind) => {
    for (const retryable of [undefined, true, false]) {
      for (const unsafe of [false, true]) {
        const failure = makeFailure(kind, { message: 'x', retryable, unsafe, writes: true, effect: unsafe ? 'unknown' : 'none' });
        if (failure.retryable) expect(failure.recovery).toBe('wait');
        if (unsafe) expect(failure.retryable).toBe(false);
        if (unsafe) expect(failure.recovery === 'verify').toBe(!catalogue[kind].refusal);
        expect(Object.isFrozen(failure)).toBe(true);
      }
    }
  });

  class OutOfStock extends ToolFailure {}

  test('can be thrown, and is recognised across copies and realms', () => {
    const failure = fail('conflict', 'Taken.', { code: 'taken', cause: new Error('db') });
    expect(failure).toBeInstanceOf(Error);
    expect(failure).toMatchObject({ name: 'ToolFailure', message: 'Taken.', kind: 'conflict', code: 'taken', cause: { message: 'db' } });
    expect([failure, new OutOfStock('conflict', 'x')].every(ToolFailure.isInstance)).toBe(true);
    expect([new Error('x'), null, 'x', {}, { kind: 'conflict' }].some(ToolFailure.isInstance)).toBe(false);
  });
});

describe('replies', () => {
  test('are plain data with an invisible mark', () => {
    expect(ok(1)).toEqual({ status: 'ok', data: 1, options: {} });
    expect(partial([1], [{ index: 1, error: 'x' }])).toMatchObject({ status: 'partial', total: 2 });
    expect(pending({ handle: 'h', reason: 'host' }, { message: 'm' })).toEqual({
      status: 'pending',
      pending: { handle: 'h', reason: 'host' },
      message: 'm',
    });
    expect(JSON.stringify(ok(1))).toBe('{"status":"ok","data":1,"options":{}}');
  });
});

describe('unwrap', () => {
  test('gives the data or throws the failure', () => {
    expect(unwrap(okay)).toBe(5);
    expect(unwrap({ status: 'partial', data: 6, failures: [], total: 1, meta })).toBe(6);
    expect(() => unwrap(failed)).toThrow(
      expect.objectContaining({ name: 'ToolFailure', kind: 'rate_limited', options: expect.objectContaining({ retryAfterMs: 2500 }) }),
    );
    expect(() => unwrap(waiting)).toThrow(/still pending \(approval\)/);
  });
});

describe('guards of outcomes', () => {
  test('tell success and failure apart', () => {
    expect([okay, failed, waiting].map(isOk)).toEqual([true, false, false]);
    expect([okay, failed, waiting].map(isFailure)).toEqual([false, true, false]);
  });
});

describe('summarize', () => {
  const item = (id: string, outcome: Outcome<number>) => ({ id, outcome });
  test('is ok when nothing failed', () => {
    expect(summarize([item('a', okay), item('b', okay)])).toMatchObject({ status: 'ok', data: [5, 5], meta: { attempts: 2 } });
    expect(summarize([])).toMatchObject({ status: 'ok', data: [] });
    expect(summarize([item('a', okay), item('b', waiting)])).toMatchObject({
      status: 'ok',
      data: [5, null],
      meta: { warnings: ['1 of 2 items are still pending'] },
    });
  });

  test('is partial when some failed', () => {
    expect(summarize([item('a', okay), item('b', failed)])).toMatchObject({
      status: 'partial',
      data: [5, null],
      total: 2,
      failures: [{ index: 1, id: 'b' }],
    });
  });

  test('is all_failed when all failed, by its items', () => {
    expect(summarize([item('a', failed), item('b', failed)])).toMatchObject({
      status: 'error',
      error: { kind: 'all_failed', retryable: true, recovery: 'wait', retryAfterMs: 2500 },
      failures: [{ index: 0 }, { index: 1 }],
    });
    const sooner: Outcome<number> = { status: 'error', error: makeFailure('rate_limited', { message: 'x', retryAfterMs: 10 }), meta };
    expect(summarize([item('a', failed), item('b', sooner)])).toMatchObject({ error: { retryAfterMs: 2500 } });
    const stuck: Outcome<number> = { status: 'error', error: makeFailure('unauthenticated', { message: 'x', effect: 'unknown' }), meta };
    expect(summarize([item('a', failed), item('b', stuck)])).toMatchObject({
      error: { retryable: false, recovery: 'reauth', effect: 'unknown' },
    });
  });

  test('counts what was skipped apart from what failed', () => {
    const skipped: Outcome<number> = { status: 'error', error: makeFailure('cancelled', { message: 'x', code: 'skipped' }), meta };
    const warnings = ['1 of 3 items were skipped'];
    expect(summarize([item('a', okay), item('b', failed), item('c', skipped)])).toMatchObject({
      status: 'partial',
      failures: [{ index: 1, id: 'b' }],
      total: 3,
      meta: { warnings },
    });
    expect(summarize([item('a', failed), item('b', skipped)])).toMatchObject({ status: 'error', failures: [{ index: 0 }] });
    expect(summarize([item('a', failed), item('b', skipped)])).toHaveProperty('failures.length', 1);
    expect(summarize([item('a', okay), item('b', skipped)])).toMatchObject({ status: 'partial', failures: [{ index: 1 }] });
  });

  test('has no bound on the number of items', () => {
    const items = Array.from({ length: 300_000 }, (_, index) => item(String(index), failed));
    expect(summarize(items)).toMatchObject({ error: { kind: 'all_failed', retryAfterMs: 2500 } });
  });
});

describe('what the model reads', () => {
  const error = (facts: Parameters<typeof makeFailure>[1], kind: Parameters<typeof makeFailure>[0] = 'invalid_input'): Outcome => ({
    status: 'error',
    error: makeFailure(kind, facts),
    meta,
  });
  test.each<[Outcome, string]>([
    [okay, '5'],
    [{ status: 'ok', data: 'plain', meta }, 'plain'],
    [{ status: 'ok', data: { a: 1 }, content: [{ type: 'text', text: 'a is 1' }], meta }, 'a is 1'],
    [{ status: 'ok', data: { a: 1 }, content: [{ type: 'image', data: 'x', mimeType: 'image/png' }], meta }, '{"a":1}'],
    [
      { status: 'ok', data: [1], meta: { ...meta, truncated: true, warnings: ['the result: 1 of 9 items kept'] } },
      '[1]\n[cut: the result: 1 of 9 items kept]',
    ],
    [failed, '[error: rate_limited] Too many requests.\nNext: Wait 3 s before trying again.'],
    [
      error({ message: 'Taken.', code: 'taken' }, 'conflict'),
      '[error: conflict/taken] Taken.\nNext: Check the current state and change the arguments.',
    ],
    [error({ message: 'No.' }, 'denied'), '[error: denied] No.\nNext: Do not repeat this call.'],
    [
      error({ message: 'Sent?', unsafe: true, effect: 'unknown' }, 'timeout'),
      '[error: timeout] Sent?\nNext: It may have taken effect; check before repeating it.',
    ],
    [
      error({ message: 'Sent.', unsafe: true, effect: 'applied' }, 'timeout'),
      '[error: timeout] Sent.\nNext: It has taken effect; check before repeating it.',
    ],
    [
      error({ message: 'Bad.', issues: [{ path: ['a', 0], problem: 'type', message: 'expected a number', hint: 'Try 5' }] }),
      '[error: invalid_input] Bad.\n- a.0: expected a number. Try 5\nNext: Change the arguments before trying again.',
    ],
    [{ status: 'ok', data: { a: 1 }, message: 'Found one.', meta }, 'Found one.\n{"a":1}'],
    [error({ message: 'Too fast.', advice: 'Use the mirror.' }, 'rate_limited'), '[error: rate_limited] Too fast.\nNext: Use the mirror.'],
    [
      error({ message: 'Too fast', upstream: { status: 429, endpoint: 'https://api.example.com/v1' } }, 'rate_limited'),
      '[error: rate_limited] Too fast (api.example.com, HTTP 429)\nNext: Try again in a moment.',
    ],
    [
      error({ message: 'Not now', upstream: { status: 14, endpoint: 'ingest-queue' } }, 'upstream'),
      '[error: upstream] Not now (gRPC status 14)\nNext: Try again in a moment.',
    ],
    ...['http://127.0.0.1:8080/v1', 'http://10.0.0.5/v1', 'http://billing.internal/v1', 'http://billing:8080/v1', 'http://[::1]:80/'].map(
      (endpoint): [Outcome, string] => [
        error({ message: 'Too fast', upstream: { status: 429, endpoint } }, 'rate_limited'),
        '[error: rate_limited] Too fast (HTTP 429)\nNext: Try again in a moment.',
      ],
    ),
    [waiting, '[pending: approval] Waiting for approval. Tell the user. (handle: h)'],
    [
      {
        status: 'partial',
        data: ['x'],
        failures: [{ index: 1, id: 'b', error: makeFailure('not_found', { message: 'No b.' }) }],
        total: 2,
        meta,
      },
      '[partial] 1 of 2 failed.\n["x"]\n- item b: not_found: No b. (Check the name or id before trying again.)',
    ],
  ])('%#', (outcome, text) => {
    expect(toModelText(outcome)).toBe(text);
  });
});
