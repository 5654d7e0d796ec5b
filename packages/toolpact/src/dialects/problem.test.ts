import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue, type FailureKind, type JsonObject, makeFailure, type Outcome } from '../outcome/index.ts';
import { failureDocs, problem, retryAfter } from './problem.ts';

const meta = { tookMs: 3, attempts: 1, invocationId: '01a1df31-ad05-7b68-8940-000000000000' };
const instance = 'urn:uuid:01a1df31-ad05-7b68-8940-000000000000';
const late = makeFailure('timeout', { message: 'late' });

describe('problem', () => {
  test.each<readonly [title: string, outcome: Outcome, details: object]>([
    [
      'a failure',
      { status: 'error', error: makeFailure('rate_limited', { message: 'slow down', code: 'quota', retryAfterMs: 7000 }), meta },
      { type: `${failureDocs}#rate_limited`, title: 'Too many requests', status: 429, detail: 'slow down', instance, code: 'quota' },
    ],
    [
      'issues as JSON pointers',
      {
        status: 'error',
        error: makeFailure('invalid_input', {
          message: 'no',
          issues: [{ path: ['a/b', 0, 'c~ ö'], problem: 'type', message: 'must be a number' }],
        }),
        meta,
      },
      {
        type: `${failureDocs}#invalid_input`,
        title: 'The arguments are not valid',
        status: 400,
        detail: 'no',
        instance,
        errors: [{ pointer: '#/a~1b/0/c~0%20%C3%B6', detail: 'must be a number' }],
      },
    ],
    [
      'a failure that upstream stated',
      { status: 'error', error: makeFailure('forbidden', { message: 'no', upstream: { status: 403 } }), meta },
      { type: `${failureDocs}#forbidden`, title: 'Not allowed', status: 424, detail: 'no', instance },
    ],
    [
      'a result',
      { status: 'ok', data: { a: 1 }, message: 'Done.', meta },
      { type: 'about:blank', title: 'OK', status: 200, detail: 'Done.', instance, data: { a: 1 } },
    ],
    [
      'a partial result',
      { status: 'partial', data: [1, null], failures: [{ index: 1, error: late }], total: 2, meta },
      {
        type: 'about:blank',
        title: 'Some items failed',
        status: 207,
        detail: '1 of 2 items failed',
        instance,
        errors: [{ pointer: '#/1', detail: 'late' }],
        data: [1, null],
      },
    ],
    [
      'a pending call',
      { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta },
      { type: 'about:blank', title: 'Accepted', status: 202, instance, pending: { handle: 'h', reason: 'running' } },
    ],
  ])('writes %s', (_, outcome, details) => expect(problem.encode(outcome, { strict: true })).toEqual(details));

  test.each(Object.keys(catalogue) as FailureKind[])(
    'types %s by an anchor that docs/failures.md has, with the HTTP status of the catalogue',
    (kind) => {
      const { type, status } = problem.encode({ status: 'error', error: makeFailure(kind, { message: 'no' }), meta });
      const { pathname, hash } = new URL(type);
      const page = readFileSync(new URL(pathname.replace('/toolpact/toolpact/blob/main/', '../../../../'), import.meta.url), 'utf8');
      expect(page).toContain(`\n### ${hash.slice(1)}\n`);
      expect(status).toBe(catalogue[kind].http);
      expect(
        problem.decode(problem.encode({ status: 'error', error: makeFailure(kind, { message: 'no' }), meta }, { strict: true })),
      ).toMatchObject({
        ok: true,
        outcome: { error: { kind } },
      });
    },
  );

  test('leaves out an invocation that is no UUID', () => {
    expect(problem.encode({ status: 'error', error: late, meta: { ...meta, invocationId: 'i-1' } }, { strict: true })).not.toHaveProperty(
      'instance',
    );
  });

  test('points at the page that is configured', () => {
    expect(problem.encode({ status: 'error', error: late, meta }, { docs: 'https://tools.example/failures' })).toMatchObject({
      type: 'https://tools.example/failures#timeout',
    });
  });

  test.each(['https://tools.example/failures', '/failures', '../failures', 'failures'])('recognises its own with the page %s', (docs) => {
    expect(problem.detect(problem.encode({ status: 'error', error: late, meta }, { docs }))).toBe(true);
  });

  test.each<readonly [json: JsonObject, outcome: object]>([
    [
      { type: 'https://example.com/probs/out-of-credit', title: 'Not enough credit.', detail: 'Balance is 30.', status: 403 },
      { status: 'error', error: { kind: 'forbidden', message: 'Balance is 30.', upstream: { status: 403 }, effect: 'unknown' } },
    ],
    [
      { type: 'about:blank', title: 'Not Found', status: 404 },
      { status: 'error', error: { kind: 'not_found', message: 'Not Found' } },
    ],
    [
      { title: 'Busy', status: 429 },
      { status: 'error', error: { kind: 'rate_limited' } },
    ],
    [
      { title: 'Busy', status: 503 },
      { status: 'error', error: { kind: 'upstream' } },
    ],
    [
      { title: 'Teapot', status: 418 },
      { status: 'error', error: { kind: 'invalid_input' } },
    ],
    [{ detail: 'x' }, { status: 'error', error: { kind: 'upstream', message: 'x' } }],
    [
      { type: `${failureDocs}#quantum_noise`, title: 'x', status: 500 },
      { status: 'error', error: { kind: 'internal', code: 'quantum_noise', retryable: false } },
    ],
    [
      { type: 'about:blank', title: 'OK', status: 200, data: [1] },
      { status: 'ok', data: [1] },
    ],
    [
      { type: 'about:blank', title: 'Some items failed', status: 207, data: [1] },
      { status: 'error', error: { kind: 'upstream', code: 'partial_failure' }, data: [1] },
    ],
    [
      { type: 'about:blank', title: 'Accepted', status: 202, pending: { handle: 'h', reason: 'host' } },
      { status: 'pending', pending: { handle: 'h', reason: 'host' } },
    ],
  ])('reads %j', (json, outcome) => expect(problem.decode(json)).toMatchObject({ ok: true, outcome }));

  test.each<readonly [json: JsonObject, issue: object]>([
    [{ foo: 1 }, { path: [], problem: 'rule' }],
    [{ title: 5 }, { path: ['title'], problem: 'type' }],
    [
      { title: 'x', status: '404' },
      { path: ['status'], problem: 'type' },
    ],
    [
      { title: 'x', status: 42 },
      { path: ['status'], problem: 'rule', message: 'status 42 is no HTTP status' },
    ],
    [
      { title: 'Found', status: 302 },
      { path: ['status'], problem: 'rule', message: 'status 302 says neither that the call succeeded nor that it failed' },
    ],
    [
      { type: 'https://example.com/probs/out-of-credit', title: 'Not enough credit.', status: 200 },
      { path: ['type'], problem: 'rule' },
    ],
    [
      { title: 'Accepted', status: 202 },
      { path: ['pending'], problem: 'missing' },
    ],
    [
      { title: 'Accepted', status: 202, pending: {} },
      { path: ['pending', 'handle'], problem: 'missing' },
    ],
  ])('refuses %j', (json, issue) => expect(problem.decode(json)).toMatchObject({ ok: false, failure: { issues: [issue] } }));
});

test('states no HTTP status that the other side did not', () => {
  const decoded = problem.decode({ type: 'https://example.com/probs/out-of-credit' });
  expect(decoded.ok && decoded.outcome).toEqual({
    status: 'error',
    error: {
      kind: 'upstream',
      message: 'The service reported https://example.com/probs/out-of-credit.',
      advice: 'It may have taken effect; check before repeating it.',
      recovery: 'verify',
      retryable: false,
      effect: 'unknown',
    },
    meta: { tookMs: 0.001, attempts: 1 },
  });
});

test('what was denied did not run, so there is nothing to verify', () => {
  expect(problem.decode({ type: `${failureDocs}#denied`, title: 'Denied', status: 403 })).toMatchObject({
    outcome: { error: { kind: 'denied', effect: 'none', recovery: 'ask_user', retryable: false } },
  });
});

test.each<readonly [outcome: Outcome, header: string | undefined]>([
  [{ status: 'error', error: makeFailure('rate_limited', { message: 'no', retryAfterMs: 6001 }), meta }, '7'],
  [{ status: 'error', error: late, meta }, undefined],
  [{ status: 'pending', pending: { handle: 'h', reason: 'running', pollAfterMs: 500 }, meta }, '1'],
  [{ status: 'ok', data: 1, meta }, undefined],
  [{ status: 'error', error: makeFailure('rate_limited', { message: 'x', retryAfterMs: 1e300 }), meta }, '9007199254740991'],
])('the Retry-After of %j is %s', (outcome, header) => expect(retryAfter(outcome)).toBe(header));
