import { createToolbox, defineTool, type FailureKind, type Issue, type JsonObject, type Outcome, summarize } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { coded } from './coded.ts';
import { ErrorCode } from './error-codes.ts';

const meta = { tookMs: 12.5, attempts: 1, tool: 'search', traceId: 't-1' };
const wireMeta = { tool: 'search', execution_time_ms: 12.5, resource_type: null, session_id: null, trace_id: 't-1' };
const failed = (kind: FailureKind, facts: { code?: string; details?: { stage: string }; issues?: readonly Issue[] } = {}): Outcome => ({
  status: 'error',
  error: makeFailure(kind, { message: 'no', ...facts }),
  meta,
});
const issue = (problem: Issue['problem'], format?: string): Issue => ({
  path: ['url'],
  problem,
  message: 'bad',
  ...(format !== undefined && { format }),
});

test('ErrorCode holds the seventeen documented numbers', () => {
  expect(ErrorCode).toEqual({
    SUCCESS: 0,
    INVALID_REQUEST_FORMAT: 4001,
    MISSING_REQUIRED_FIELD: 4002,
    INVALID_PARAMETER_TYPE: 4003,
    INVALID_URL_FORMAT: 4004,
    NO_RESULTS_FOUND: 4005,
    RESOURCE_NOT_INITIALIZED: 4006,
    API_KEY_NOT_CONFIGURED: 5001,
    API_REQUEST_FAILED: 5002,
    API_RESPONSE_PARSE_ERROR: 5003,
    UNEXPECTED_ERROR: 5004,
    TIMEOUT_ERROR: 5005,
    CRAWLING_ERROR: 5006,
    SUMMARIZATION_ERROR: 5007,
    ALL_REQUESTS_FAILED: 5008,
    PARTIAL_FAILURE: 5009,
    BACKEND_NOT_INITIALIZED: 5010,
  });
});

describe('coded', () => {
  test.each<readonly [title: string, outcome: Outcome, envelope: JsonObject]>([
    ['a result', { status: 'ok', data: { result: 'x' }, meta }, { code: 0, message: 'success', data: { result: 'x' }, meta: wireMeta }],
    [
      'a result that is no object',
      { status: 'ok', data: [1], meta },
      { code: 0, message: 'success', data: { result: [1] }, meta: wireMeta },
    ],
    ['no result', { status: 'ok', data: null, meta }, { code: 0, message: 'success', data: null, meta: wireMeta }],
    [
      'session and resource',
      { status: 'ok', data: {}, meta: { ...meta, sessionId: 's-1', resourceType: 'rag' } },
      { code: 0, message: 'success', data: {}, meta: { ...wireMeta, session_id: 's-1', resource_type: 'rag' } },
    ],
    ['a failure', failed('timeout'), { code: 5005, message: 'no', data: null, meta: wireMeta }],
    [
      'the partial data of a failure',
      { ...failed('upstream'), data: { query: 'x' }, fallback: { result: '' } } as Outcome,
      { code: 5002, message: 'no', data: { query: 'x' }, meta: wireMeta },
    ],
    [
      'the default of a failure',
      { ...failed('upstream'), fallback: { result: '' } } as Outcome,
      { code: 5002, message: 'no', data: { result: '' }, meta: wireMeta },
    ],
    [
      'a partial result with its count',
      {
        status: 'partial',
        data: { results: [1, null] },
        failures: [{ index: 1, error: makeFailure('timeout', { message: 'late' }) }],
        total: 2,
        meta,
      },
      { code: 5009, message: '1 out of 2 items failed', data: { results: [1, null], failed_count: 1 }, meta: wireMeta },
    ],
    [
      'a pending call',
      { status: 'pending', pending: { handle: 'h', reason: 'running' }, meta },
      { code: 0, message: 'success', data: { pending: { handle: 'h', reason: 'running' } }, meta: wireMeta },
    ],
  ])('writes %s', (_, outcome, envelope) => expect(coded.encode(outcome, { strict: true })).toEqual(envelope));

  test.each<readonly [kind: FailureKind, number: number]>([
    ['invalid_input', 4003],
    ['unknown_tool', 4001],
    ['not_found', 4005],
    ['unauthenticated', 5002],
    ['forbidden', 5002],
    ['denied', 4001],
    ['conflict', 5002],
    ['not_ready', 4006],
    ['not_configured', 5001],
    ['rate_limited', 5002],
    ['budget_exhausted', 5002],
    ['timeout', 5005],
    ['cancelled', 5004],
    ['interrupted', 5004],
    ['unreachable', 5002],
    ['upstream', 5002],
    ['bad_response', 5003],
    ['too_large', 4003],
    ['unsupported', 4001],
    ['invalid_output', 5003],
    ['all_failed', 5008],
    ['internal', 5004],
  ])('numbers %s as %i', (kind, number) => expect(coded.encode(failed(kind))).toMatchObject({ code: number }));

  test.each<readonly [title: string, outcome: Outcome, number: number]>([
    ['only missing fields', failed('invalid_input', { issues: [issue('missing'), issue('missing')] }), 4002],
    ['a missing field and a wrong one', failed('invalid_input', { issues: [issue('missing'), issue('type')] }), 4003],
    ['only malformed URLs', failed('invalid_input', { issues: [issue('format', 'uri')] }), 4004],
    ['a malformed URL among others', failed('invalid_input', { issues: [issue('format', 'uri'), issue('type')] }), 4003],
    ['another format', failed('invalid_input', { issues: [issue('format', 'email')] }), 4003],
    ['the code crawling_error', failed('upstream', { code: 'crawling_error' }), 5006],
    ['the code summarization_error', failed('upstream', { code: 'summarization_error' }), 5007],
    ['the code backend_not_initialized', failed('not_ready', { code: 'backend_not_initialized' }), 5010],
    ['a backend that is not warmed up', failed('not_ready', { details: { stage: 'warm_up' } }), 5010],
    ['a resource that did not open', failed('not_ready', { details: { stage: 'open' } }), 4006],
    ["a tool's own code", failed('conflict', { code: 'insufficient_funds' }), 5002],
    ['a code named like nothing', failed('timeout', { code: 'success' }), 5005],
  ])('selects the number by %s', (_, outcome, number) => expect(coded.encode(outcome)).toMatchObject({ code: number }));

  test.each<readonly [code: number, expected: object]>([
    [4001, { kind: 'unknown_tool' }],
    [4002, { kind: 'invalid_input', code: 'missing_required_field' }],
    [4003, { kind: 'invalid_input' }],
    [4004, { kind: 'invalid_input', code: 'invalid_url_format' }],
    [4005, { kind: 'not_found' }],
    [4006, { kind: 'not_ready' }],
    [5001, { kind: 'not_configured' }],
    [5002, { kind: 'upstream' }],
    [5003, { kind: 'bad_response' }],
    [5004, { kind: 'internal' }],
    [5005, { kind: 'timeout' }],
    [5006, { kind: 'upstream', code: 'crawling_error' }],
    [5007, { kind: 'upstream', code: 'summarization_error' }],
    [5008, { kind: 'all_failed' }],
    [5009, { kind: 'upstream', code: 'partial_failure' }],
    [5010, { kind: 'not_ready', code: 'backend_not_initialized' }],
    [4711, { kind: 'invalid_input', details: { code: 4711 } }],
    [5999, { kind: 'upstream', details: { code: 5999 } }],
  ])('reads %i, and writes it again where it is documented', (code, expected) => {
    const envelope = { code, message: 'no', data: { query: 'x' }, meta: wireMeta };
    const decoded = coded.decode(envelope);
    // By 4xxx, and where something is not set up, that system says that it did not begin.
    const isRefused = code < 5000 || code === 5001 || code === 5010;
    expect(decoded).toMatchObject({
      ok: true,
      outcome: {
        status: 'error',
        error: { ...expected, message: 'no', effect: isRefused ? 'none' : 'unknown' },
        data: { query: 'x' },
        meta: { tool: 'search', traceId: 't-1', tookMs: 12.5 },
      },
    });
    if (decoded.ok && code !== 4711 && code !== 5999) expect(coded.encode(decoded.outcome, { strict: true })).toEqual(envelope);
  });

  test.each<readonly [title: string, data: JsonObject, expected: object]>([
    [
      'results that say which failed',
      { results: [{ success: true }, { success: false, error: 'late' }, { success: false }], failed_count: 2 },
      {
        failures: [
          { index: 1, error: { kind: 'upstream', message: 'late' } },
          { index: 2, error: { message: 'The item failed.' } },
        ],
        total: 3,
      },
    ],
    [
      'errors next to contexts',
      { count: 2, contexts: ['a', '[Error]'], errors: [{ index: 1, error: 'cold' }] },
      { failures: [{ index: 1, error: { message: 'cold' } }], total: 2 },
    ],
  ])('reads 5009 with %s as a partial result', (_, data, expected) => {
    const decoded = coded.decode({ code: 5009, message: 'some failed', data, meta: wireMeta });
    expect(decoded).toMatchObject({ ok: true, outcome: { status: 'partial', data, message: 'some failed', ...expected } });
    expect(decoded.ok && coded.encode(decoded.outcome, { strict: true })).toMatchObject({ code: 5009, message: 'some failed' });
  });

  test.each<readonly [json: unknown, issue: object]>([
    [
      { message: 'success', data: null, meta: wireMeta },
      { path: ['code'], problem: 'missing' },
    ],
    [
      { code: '0', message: 'success', data: null, meta: wireMeta },
      { path: ['code'], problem: 'type', message: 'code must be an integer, received string' },
    ],
    [
      { code: 9999, message: 'x', data: null, meta: wireMeta },
      { path: ['code'], message: 'code 9999 is none of 0, 4xxx and 5xxx' },
    ],
    [
      { code: -1, message: 'x', data: null, meta: {} },
      { path: ['code'], problem: 'rule' },
    ],
    [
      { code: 0.5, message: 'x', data: null, meta: {} },
      { path: ['code'], problem: 'rule' },
    ],
    [
      { code: 0, message: 'success', meta: wireMeta },
      { path: ['data'], problem: 'missing' },
    ],
    [
      { code: 0, message: 'success', data: [1], meta: wireMeta },
      { path: ['data'], problem: 'type' },
    ],
    [
      { code: 0, message: 'success', data: null },
      { path: ['meta'], problem: 'missing' },
    ],
    [
      { code: 0, message: 'success', data: null, meta: {} },
      { path: ['meta', 'tool'], problem: 'missing' },
    ],
    [
      { code: 0, message: 'success', data: null, meta: { ...wireMeta, trace_id: null } },
      { path: ['meta', 'trace_id'], problem: 'type' },
    ],
    [
      { code: 0, message: 'success', data: null, meta: { ...wireMeta, session_id: 5 } },
      { path: ['meta', 'session_id'], problem: 'type' },
    ],
    [
      { code: 0, message: 'success', data: null, meta: { ...wireMeta, trace_id: 5 } },
      { path: ['meta', 'trace_id'], problem: 'type' },
    ],
    [
      { code: 0, message: 'success', data: null, meta: { ...wireMeta, execution_time_ms: -1 } },
      { path: ['meta', 'execution_time_ms'], problem: 'rule' },
    ],
  ])('refuses %j', (json, expected) => {
    expect(coded.decode(json)).toMatchObject({ ok: false, failure: { kind: 'bad_response', issues: [expected] } });
  });
});

describe('the parameter rules', () => {
  const search = defineTool({
    name: 'search',
    description: 'Searches.',
    input: z.object({ query: z.string(), top_k: z.number().int().default(5), page: z.url().optional() }),
    effects: 'none',
    run: ({ query, top_k }) => ({ result: `${query} ${top_k}`, query }),
  });
  const toolbox = createToolbox([search], { report: () => undefined });

  test.each([
    ['a missing parameter with a default uses it', 'search', { query: 'x' }, 0],
    ['a missing parameter without one', 'search', { top_k: 1 }, 4002],
    ['a wrong type', 'search', { query: 5 }, 4003],
    ['a malformed URL', 'search', { query: 'x', page: 'not a url' }, 4004],
    ['an unknown tool', 'serch', { query: 'x' }, 4001],
  ])('%s: %s %j gives %i', async (_, name, args, code) => {
    const envelope = coded.encode(await toolbox.answer({ name, args }), { strict: true });
    expect(envelope).toMatchObject({ code, meta: { tool: name } });
    if (code === 0) expect(envelope.data).toEqual({ result: 'x 5', query: 'x' });
  });

  test('a batch of which all fail is 5008, one of which some fail 5009', async () => {
    const some = await toolbox.batch([
      { tool: 'search', args: { query: 'x' } },
      { tool: 'search', args: {} },
    ]);
    expect(coded.encode(summarize(some), { strict: true })).toMatchObject({
      code: 5009,
      message: '1 out of 2 items failed',
      data: { failed_count: 1 },
    });
    const all = await toolbox.batch([{ tool: 'search', args: {} }]);
    expect(coded.encode(summarize(all), { strict: true })).toMatchObject({
      code: 5008,
      data: { results: [{ code: 4002, message: expect.stringContaining('query') }] },
    });
  });
});

test.each([
  [[{ index: -1, error: 'x' }]],
  [[{ index: 2, error: 'x' }]],
  [
    [
      { index: 0, error: 'x' },
      { index: 0, error: 'y' },
    ],
  ],
])('items that cannot be distinguished by %j make a 5009 a plain failure', (errors) => {
  const json = {
    code: 5009,
    message: 'm',
    data: { contexts: ['a', 'b'], errors },
    meta: { tool: 't', execution_time_ms: 1, resource_type: null, session_id: null, trace_id: 'x' },
  };
  expect(coded.decode(json)).toMatchObject({ ok: true, outcome: { status: 'error', error: { code: 'partial_failure' } } });
});

test.each<JsonObject>([
  { results: [{ success: false }, { success: true }], failed_count: 2 },
  { count: 3, contexts: ['a', '[Error]'], errors: [{ index: 1, error: 'cold' }] },
])('%j, whose own count says otherwise, makes a 5009 a plain failure that keeps its data', (data) => {
  const meta = { tool: 't', execution_time_ms: 1, resource_type: null, session_id: null, trace_id: 'x' };
  expect(coded.decode({ code: 5009, message: 'm', data, meta })).toMatchObject({
    ok: true,
    outcome: { status: 'error', error: { code: 'partial_failure' }, data },
  });
});

test.each(['', 'Two of two mails bounced.'])('the summary of a batch that failed with the message %j is read back with it', (message) => {
  const error = { kind: 'all_failed', message, recovery: 'fix_input', retryable: false, effect: 'none' } as const;
  const outcome: Outcome = { status: 'error', error, failures: [], meta: { tookMs: 1, attempts: 0 } };
  const envelope = coded.encode(outcome);
  expect(envelope.message).toBe('All items failed');
  expect(coded.decode(envelope)).toEqual({ ok: true, outcome });
});
