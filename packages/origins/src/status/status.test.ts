import type { FailureKind, JsonObject, Outcome } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { status } from './status.ts';

const meta = { tookMs: 41.6, attempts: 1 };
const late = makeFailure('timeout', { message: 'late' });

describe('status', () => {
  test.each<readonly [title: string, outcome: Outcome, envelope: JsonObject]>([
    [
      'a result with every field of its meta',
      {
        status: 'ok',
        data: { answer: 1 },
        input: { q: 'x' },
        meta: { ...meta, sourceCounts: { kb: 2 }, routing: { profile: 'p' }, cacheHit: true, tokenUsage: { prompt: 1 } },
      },
      {
        status: 'ok',
        input: { q: 'x' },
        data: { answer: 1 },
        meta: { took_ms: 42, source_counts: { kb: 2 }, routing: { profile: 'p' }, cache_hit: true, token_usage: { prompt: 1 } },
      },
    ],
    ['an empty input where none was kept', { status: 'ok', data: 1, meta }, { status: 'ok', input: {}, data: 1, meta: { took_ms: 42 } }],
    [
      'a failure with all nine fields',
      {
        status: 'error',
        error: makeFailure('rate_limited', {
          message: 'slow down',
          code: 'llm_rate_limited',
          cause: 'HttpError',
          details: { quota: 60 },
          retryAfterMs: 2000.2,
          upstream: { status: 429, endpoint: 'https://llm.example', requestId: 'r' },
          attempt: 2,
        }),
        input: { q: 'x' },
        meta,
      },
      {
        status: 'error',
        input: { q: 'x' },
        error: {
          type: 'RATE_LIMIT',
          message: 'slow down',
          code: 'llm_rate_limited',
          cause: 'HttpError',
          details: { quota: 60 },
          retry_after_ms: 2001,
          upstream_status: 429,
          endpoint: 'https://llm.example',
          attempt: 2,
        },
        meta: { took_ms: 42 },
      },
    ],
    [
      'only what is set, and retry_after_ms always',
      { status: 'error', error: late, meta },
      { status: 'error', input: {}, error: { type: 'TIMEOUT', message: 'late', retry_after_ms: null }, meta: { took_ms: 42 } },
    ],
    [
      'a partial result whose failed items may all be repeated',
      { status: 'partial', data: { a: 1 }, failures: [{ index: 1, error: late }], total: 2, meta },
      {
        status: 'error',
        input: {},
        error: {
          type: 'RETRYABLE',
          message: '1 of 2 items failed',
          code: 'partial_failure',
          details: { data: { a: 1 }, failed_count: 1, total: 2 },
          retry_after_ms: null,
        },
        meta: { took_ms: 42 },
      },
    ],
    [
      'a partial result of which some may not',
      {
        status: 'partial',
        data: null,
        failures: [
          { index: 0, error: late },
          { index: 1, error: makeFailure('denied', { message: 'no' }) },
        ],
        total: 3,
        meta,
      },
      {
        status: 'error',
        input: {},
        error: {
          type: 'UPSTREAM',
          message: '2 of 3 items failed',
          code: 'partial_failure',
          details: { data: null, failed_count: 2, total: 3 },
          retry_after_ms: null,
        },
        meta: { took_ms: 42 },
      },
    ],
    [
      'a pending call',
      { status: 'pending', pending: { handle: 'h', reason: 'host' }, input: { q: 1 }, meta },
      { status: 'ok', input: { q: 1 }, data: { pending: { handle: 'h', reason: 'host' } }, meta: { took_ms: 42 } },
    ],
  ])('writes %s', (_, outcome, envelope) => expect(status.encode(outcome, { strict: true })).toEqual(envelope));

  test.each<readonly [kind: FailureKind, type: string]>([
    ['invalid_input', 'VALIDATION'],
    ['unknown_tool', 'VALIDATION'],
    ['not_found', 'VALIDATION'],
    ['unauthenticated', 'FATAL'],
    ['forbidden', 'FATAL'],
    ['denied', 'FATAL'],
    ['conflict', 'VALIDATION'],
    ['not_ready', 'RETRYABLE'],
    ['not_configured', 'FATAL'],
    ['rate_limited', 'RATE_LIMIT'],
    ['budget_exhausted', 'FATAL'],
    ['timeout', 'TIMEOUT'],
    ['cancelled', 'FATAL'],
    ['interrupted', 'RETRYABLE'],
    ['unreachable', 'RETRYABLE'],
    ['upstream', 'UPSTREAM'],
    ['bad_response', 'UPSTREAM'],
    ['too_large', 'VALIDATION'],
    ['unsupported', 'VALIDATION'],
    ['invalid_output', 'VALIDATION'],
    ['all_failed', 'UPSTREAM'],
    ['internal', 'FATAL'],
  ])('types %s as %s', (kind, type) => {
    expect(status.encode({ status: 'error', error: makeFailure(kind, { message: 'no' }), meta })).toMatchObject({ error: { type } });
  });

  test.each([
    ['RATE_LIMIT', 'rate_limited'],
    ['TIMEOUT', 'timeout'],
    ['UPSTREAM', 'upstream'],
    ['VALIDATION', 'invalid_input'],
    ['RETRYABLE', 'unreachable'],
    ['FATAL', 'internal'],
  ])('reads %s as %s', (type, kind) => {
    const decoded = status.decode({ status: 'error', input: {}, error: { type, message: 'no' }, meta: { took_ms: 0 } });
    expect(decoded).toMatchObject({
      ok: true,
      outcome: { status: 'error', error: { kind, message: 'no', effect: 'unknown' }, meta: { tookMs: 0.001 } },
    });
  });

  test.each([
    {
      status: 'ok',
      input: { query: 'hello' },
      data: { answer: 'Hi there!' },
      meta: { took_ms: 42, token_usage: { prompt: 12, completion: 20 } },
    },
    {
      status: 'error',
      input: { query: 'hello' },
      error: { type: 'VALIDATION', message: 'Missing required field', code: 'missing_field', retry_after_ms: null },
      meta: { took_ms: 10 },
    },
  ])('reads the documented example %j and writes it again', (example) => {
    const decoded = status.decode(example);
    expect(decoded.ok && status.encode(decoded.outcome, { strict: true })).toEqual(example);
  });

  test('reads null as absent', () => {
    const error = {
      type: 'FATAL',
      message: 'no',
      code: null,
      cause: null,
      details: null,
      retry_after_ms: null,
      upstream_status: null,
      endpoint: null,
      attempt: null,
    };
    expect(status.decode({ status: 'error', input: {}, error, meta: { took_ms: 1 } })).toEqual({
      ok: true,
      outcome: {
        status: 'error',
        error: {
          kind: 'internal',
          message: 'no',
          advice: 'It may have taken effect; check before repeating it.',
          effect: 'unknown',
          retryable: false,
          recovery: 'verify',
        },
        input: {},
        meta: { tookMs: 1, attempts: 1 },
      },
    });
  });

  test('takes every integer that its schema takes, and reads one that counts nothing as absent', () => {
    const error = { type: 'FATAL', message: 'no', retry_after_ms: -1, upstream_status: -2, attempt: -1 };
    const decoded = status.decode({ status: 'error', input: {}, error, meta: { took_ms: 1 } });
    expect(decoded).toMatchObject({ ok: true, outcome: { error: { upstream: { status: -2 } } } });
    expect(decoded.ok && decoded.outcome.status === 'error' && Object.keys(decoded.outcome.error)).not.toContain('retryAfterMs');
    expect(decoded.ok && decoded.outcome.status === 'error' && Object.keys(decoded.outcome.error)).not.toContain('attempt');
  });

  test('writes times beyond all integers as the greatest one, which it reads again', () => {
    const error = { ...late, retryAfterMs: 1e300 };
    const envelope = status.encode({ status: 'error', error, meta: { tookMs: 1e300, attempts: 1 } }, { strict: true });
    expect(envelope).toMatchObject({ error: { retry_after_ms: 9007199254740991 }, meta: { took_ms: 9007199254740991 } });
    expect(status.decode(envelope).ok).toBe(true);
  });

  test('freezes what it writes and what it reads', () => {
    const envelope = status.encode({ status: 'error', error: late, meta });
    expect([envelope, envelope.status === 'error' && envelope.error, envelope.meta].every(Object.isFrozen)).toBe(true);
    const result = status.encode({ status: 'ok', data: 1, meta });
    expect([result, result.meta].every(Object.isFrozen)).toBe(true);
    const decoded = status.decode(envelope);
    expect(
      decoded.ok &&
        decoded.outcome.status === 'error' &&
        [decoded.outcome, decoded.outcome.error, decoded.outcome.meta].every(Object.isFrozen),
    ).toBe(true);
  });

  test.each<readonly [json: JsonObject, issue: object]>([
    [
      { input: {}, data: 1, meta: { took_ms: 1 } },
      { path: ['status'], problem: 'missing' },
    ],
    [
      { status: 'fine', input: {}, data: 1, meta: { took_ms: 1 } },
      { path: ['status'], problem: 'rule', message: 'status must be one of ok, error, received "fine"' },
    ],
    [
      { status: 'ok', data: 1, meta: { took_ms: 1 } },
      { path: ['input'], problem: 'missing' },
    ],
    [
      { status: 'ok', input: {}, meta: { took_ms: 1 } },
      { path: ['data'], problem: 'missing' },
    ],
    [
      { status: 'ok', input: {}, data: 1, meta: {} },
      { path: ['meta', 'took_ms'], problem: 'missing' },
    ],
    [
      { status: 'ok', input: {}, data: 1, meta: { took_ms: -1 } },
      { path: ['meta', 'took_ms'], problem: 'rule' },
    ],
    [
      { status: 'ok', input: {}, data: 1, meta: { took_ms: 1.5 } },
      { path: ['meta', 'took_ms'], problem: 'rule' },
    ],
    [
      { status: 'ok', input: {}, data: 1, meta: { took_ms: 1, token_usage: { prompt: -1 } } },
      { path: ['meta', 'token_usage', 'prompt'], problem: 'rule' },
    ],
    [
      { status: 'error', input: {}, meta: { took_ms: 1 } },
      { path: ['error'], problem: 'missing' },
    ],
    [
      { status: 'error', input: {}, error: { message: 'no' }, meta: { took_ms: 1 } },
      { path: ['error', 'type'], problem: 'missing' },
    ],
    [
      { status: 'error', input: {}, error: { type: 'ODD', message: 'no' }, meta: { took_ms: 1 } },
      { path: ['error', 'type'], problem: 'rule' },
    ],
    [
      { status: 'error', input: {}, error: { type: 'FATAL', message: 5 }, meta: { took_ms: 1 } },
      { path: ['error', 'message'], problem: 'type' },
    ],
    [
      { status: 'ok', input: {}, data: 1, error: { type: 'FATAL', message: 'x' }, meta: { took_ms: 1 } },
      { path: ['error'], problem: 'rule' },
    ],
    [
      { status: 'error', input: {}, data: 1, error: { type: 'FATAL', message: 'x' }, meta: { took_ms: 1 } },
      { path: ['data'], problem: 'rule' },
    ],
  ])('refuses %j', (json, issue) =>
    expect(status.decode(json)).toMatchObject({ ok: false, failure: { kind: 'bad_response', issues: [issue] } }),
  );
});

test('an ok next to an error of any type is refused', () => {
  const json = { status: 'ok', input: {}, data: 1, error: 'boom', meta: { took_ms: 1 } };
  expect(status.decode(json)).toMatchObject({ ok: false, failure: { issues: [{ path: ['error'], problem: 'rule' }] } });
});
