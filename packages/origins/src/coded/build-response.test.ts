import { describe, expect, test } from 'vitest';
import { buildErrorResponse, buildSuccessResponse } from './build-response.ts';
import { coded } from './coded.ts';
import { ErrorCode } from './error-codes.ts';
import { responseTimer } from './response-timer.ts';

const facts = { tool: 'my_tool', executionTimeMs: 3.25, resourceType: 'my_resource', sessionId: 's-1', traceId: 't-1' };
const meta = { tool: 'my_tool', execution_time_ms: 3.25, resource_type: 'my_resource', session_id: 's-1', trace_id: 't-1' };

describe('buildSuccessResponse', () => {
  test('writes code 0, the data and the five fields of meta', () => {
    expect(buildSuccessResponse({ ...facts, data: { result: 'x', query: 'q' } })).toEqual({
      code: 0,
      message: 'success',
      data: { result: 'x', query: 'q' },
      meta,
    });
  });

  test('writes null for what is not given, and makes a trace id', () => {
    const response = buildSuccessResponse({ tool: 'my_tool', data: {} });
    expect(response.meta).toEqual({
      tool: 'my_tool',
      execution_time_ms: 0,
      resource_type: null,
      session_id: null,
      trace_id: expect.any(String),
    });
    expect(response.meta.trace_id).not.toBe('');
  });
});

describe('buildErrorResponse', () => {
  test.each([
    [
      { code: ErrorCode.API_REQUEST_FAILED, message: 'Connection timeout', data: { query: 'q' } },
      { code: 5002, message: 'Connection timeout', data: { query: 'q' } },
    ],
    [
      { code: ErrorCode.UNEXPECTED_ERROR, message: 'boom' },
      { code: 5004, message: 'boom', data: null },
    ],
    [
      { code: ErrorCode.ALL_REQUESTS_FAILED, message: 'All items failed', data: { results: [] } },
      { code: 5008, message: 'All items failed', data: { results: [] } },
    ],
    [
      { code: ErrorCode.PARTIAL_FAILURE, message: '1 out of 2 items failed', data: { results: [1], failed_count: 1 } },
      { code: 5009, message: '1 out of 2 items failed', data: { results: [1], failed_count: 1 } },
    ],
  ])('writes %j', (given, expected) => expect(buildErrorResponse<object>({ ...facts, ...given })).toEqual({ ...expected, meta }));
});

test('what the builders write is read and written again by the dialect', () => {
  const responses = [
    buildSuccessResponse({ ...facts, data: { result: 'x' } }),
    buildErrorResponse({ ...facts, code: ErrorCode.CRAWLING_ERROR, message: 'no page' }),
  ];
  for (const response of responses) {
    const decoded = coded.decode(response);
    expect(decoded.ok && coded.encode(decoded.outcome, { strict: true })).toEqual(response);
  }
});

test('responseTimer measures in milliseconds and never says 0', () => {
  const times = [10, 10, 14.5];
  const timer = responseTimer(() => times.shift() ?? 0);
  expect([timer.elapsedMs(), timer.elapsedMs()]).toEqual([0.001, 4.5]);
  expect(responseTimer().elapsedMs()).toBeGreaterThan(0);
});

test('responseTimer keeps the time that its `using` block took', () => {
  const times = [10, 14, 17, 30];
  let after: { readonly elapsedMs: () => number };
  {
    using timer = responseTimer(() => times.shift() ?? 0);
    expect(timer.elapsedMs()).toBe(4);
    after = timer;
  }
  expect([after.elapsedMs(), after.elapsedMs()]).toEqual([7, 7]);
});
