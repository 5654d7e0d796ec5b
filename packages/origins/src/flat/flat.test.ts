import { catalogue, type FailureKind, type JsonObject, type Outcome } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { flat } from './flat.ts';

const meta = { tookMs: 3, attempts: 1 };
const error = makeFailure('timeout', { message: 'The map service did not answer.' });

describe('flat', () => {
  test.each<readonly [title: string, outcome: Outcome, envelope: JsonObject]>([
    [
      'a result next to the arguments',
      { status: 'ok', data: { results: [1] }, input: { keyword: 'K-ON' }, meta },
      { success: true, error: null, keyword: 'K-ON', results: [1] },
    ],
    [
      'a failure next to the arguments and the empty default',
      { status: 'error', error, fallback: { results: [] }, input: { keyword: 'K-ON' }, meta },
      { success: false, error: 'The map service did not answer.', keyword: 'K-ON', results: [] },
    ],
    [
      "a failure's own data before its default",
      { status: 'error', error, data: { seen: 2 }, fallback: { results: [] }, meta },
      { success: false, error: 'The map service did not answer.', seen: 2 },
    ],
    ['a result that is no object under data', { status: 'ok', data: [1, 2], meta }, { success: true, error: null, data: [1, 2] }],
    [
      'a default that is null under data',
      { status: 'error', error, fallback: null, meta },
      { success: false, error: error.message, data: null },
    ],
    ['arguments that are no object under input', { status: 'ok', data: {}, input: [1], meta }, { success: true, error: null, input: [1] }],
    [
      'a result before an argument of the same name',
      { status: 'ok', data: { radius: 5 }, input: { radius: '5' }, meta },
      { success: true, error: null, radius: 5 },
    ],
    [
      'a partial result as a failure that keeps its data',
      { status: 'partial', data: { results: [1, null] }, failures: [{ index: 1, error }], total: 2, meta },
      { success: false, error: '1 of 2 items failed', results: [1, null] },
    ],
    [
      'a pending call as a success that says so',
      { status: 'pending', pending: { handle: 'h-1', reason: 'approval' }, input: { amount: 5 }, meta },
      { success: true, error: null, amount: 5, pending: { handle: 'h-1', reason: 'approval' } },
    ],
  ])('writes %s', (_, outcome, envelope) => expect(flat.encode(outcome, { strict: true })).toEqual(envelope));

  test('leaves out payload keys that would overwrite its own, and gives them back through the extension', () => {
    const outcome: Outcome = {
      status: 'ok',
      data: JSON.parse('{"success":false,"error":"mine","_toolpact":1,"__proto__":{"admin":true},"results":[1]}'),
      input: { error: 'given', keyword: 'K-ON' },
      meta,
    };
    expect(flat.encode(outcome, { strict: true })).toEqual({ success: true, error: null, keyword: 'K-ON', results: [1] });
    expect(flat.decode(flat.encode(outcome))).toEqual({ ok: true, outcome });
  });

  test('leaves error_code to the payload of a success, and takes it from that of a failure', () => {
    const data = { error_code: 'mine', results: [1] };
    expect(flat.encode({ status: 'ok', data, meta }, { strict: true })).toEqual({
      success: true,
      error: null,
      error_code: 'mine',
      results: [1],
    });
    expect(flat.encode({ status: 'error', error, data, meta })).toMatchObject({ success: false, error_code: 'timeout', results: [1] });
    expect(flat.decode({ success: true, error: null, error_code: null })).toMatchObject({
      ok: true,
      outcome: { data: { error_code: null } },
    });
  });

  test('does not send a result twice', () => {
    const text = JSON.stringify(flat.encode({ status: 'ok', data: { results: ['only once'] }, input: { keyword: 'K-ON' }, meta }));
    expect(text.match(/only once|K-ON/g)).toEqual(['K-ON', 'only once']);
  });

  test.each(
    Object.entries({
      invalid_input: 'invalid_input',
      unknown_tool: 'invalid_input',
      not_found: 'not_found',
      unauthenticated: 'external_service_error',
      forbidden: 'external_service_error',
      denied: 'invalid_input',
      conflict: 'invalid_input',
      not_ready: 'internal_error',
      not_configured: 'internal_error',
      rate_limited: 'rate_limited',
      budget_exhausted: 'external_service_error',
      timeout: 'timeout',
      cancelled: 'internal_error',
      interrupted: 'internal_error',
      unreachable: 'external_service_error',
      upstream: 'external_service_error',
      bad_response: 'external_service_error',
      too_large: 'invalid_input',
      unsupported: 'invalid_input',
      invalid_output: 'internal_error',
      all_failed: 'external_service_error',
      failed: 'internal_error',
      internal: 'internal_error',
    } satisfies Record<FailureKind, string>),
  )('names %s as %s in the extended form only', (kind, code) => {
    const outcome: Outcome = { status: 'error', error: makeFailure(kind as FailureKind, { message: 'no' }), meta };
    expect(flat.encode(outcome)).toMatchObject({ error_code: code });
    expect(flat.encode(outcome, { strict: true })).toEqual({ success: false, error: 'no' });
    expect(Object.keys(catalogue)).toHaveLength(23);
  });

  test.each([
    ['external_service_error', { kind: 'upstream', recovery: 'verify' }],
    ['rate_limited', { kind: 'rate_limited', recovery: 'wait' }],
    ['timeout', { kind: 'timeout', recovery: 'verify' }],
    ['not_found', { kind: 'not_found', recovery: 'fix_input' }],
    ['invalid_input', { kind: 'invalid_input', recovery: 'fix_input' }],
    ['internal_error', { kind: 'internal', recovery: 'verify' }],
    ['missing_required_field', { kind: 'invalid_input', recovery: 'fix_input', code: 'missing_required_field' }],
    ['configuration_error', { kind: 'not_configured', recovery: 'stop' }],
    ['quota_gone', { kind: 'internal', recovery: 'verify', code: 'quota_gone' }],
    [undefined, { kind: 'upstream', recovery: 'verify' }],
  ])('reads the code %s', (error_code, expected) => {
    const decoded = flat.decode({ success: false, error: 'no', ...(error_code !== undefined && { error_code }), results: [] });
    expect(decoded).toMatchObject({
      ok: true,
      outcome: {
        status: 'error',
        error: { ...expected, message: 'no', effect: 'unknown', retryable: false },
        fallback: { results: [] },
      },
    });
  });

  test.each([
    { success: true, error: null, keyword: 'search term', results: [1] },
    { success: false, error: 'Human-readable error message', keyword: 'search term', results: [] },
    { success: true, error: null, param: 'x', data: { any: 1 } },
    { success: false, error: 'boom', param: 'x', data: null },
    { success: true, error: null },
  ])('reads the documented %j and writes it again', (envelope) => {
    const decoded = flat.decode(envelope);
    expect(decoded.ok && flat.encode(decoded.outcome, { strict: true })).toEqual(envelope);
  });

  test.each([
    [{ error: null }, { path: ['success'], problem: 'missing', message: 'success is missing' }],
    [{ success: true }, { path: ['error'], problem: 'missing', message: 'error is missing' }],
    [
      { success: 'yes', error: null },
      { path: ['success'], problem: 'type', message: 'success must be a boolean, received string' },
    ],
    [
      { success: true, error: 5 },
      { path: ['error'], problem: 'type', message: 'error must be a string, received 5' },
    ],
    [
      { success: true, error: 'boom' },
      { path: ['error'], problem: 'rule', message: 'success is true, yet error is set' },
    ],
    [
      { success: false, error: null },
      { path: ['error'], problem: 'rule', message: 'success is false, yet error says nothing' },
    ],
    [
      { success: false, error: 'x', error_code: 5 },
      { path: ['error_code'], problem: 'type', message: 'error_code must be a string, received 5' },
    ],
  ])('refuses %j', (envelope, issue) => {
    expect(flat.decode(envelope)).toMatchObject({
      ok: false,
      failure: { kind: 'bad_response', code: 'undecodable', message: `Not a sound flat envelope: ${issue.message}.`, issues: [issue] },
    });
  });
});

test('a reader that knows the tool learns how transient a foreign failure is', () => {
  const envelope = { success: false, error: 'slow down', error_code: 'rate_limited' };
  const reported = (['none', 'idempotent', 'writes', undefined] as const).map((effects) => flat.decode(envelope, { effects }));
  expect(reported).toMatchObject([
    { outcome: { error: { effect: 'none', retryable: true, recovery: 'wait' } } },
    { outcome: { error: { effect: 'unknown', retryable: true, recovery: 'wait' } } },
    { outcome: { error: { effect: 'unknown', retryable: false, recovery: 'wait' } } },
    { outcome: { error: { effect: 'unknown', retryable: false, recovery: 'wait' } } },
  ]);
});
