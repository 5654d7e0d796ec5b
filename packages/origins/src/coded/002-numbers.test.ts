import { readFileSync } from 'node:fs';
import { coded, ErrorCode } from '@toolpact/origins/coded';
import { defineTool, fail } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const meta = { tool: 'my_tool', execution_time_ms: 1.5, resource_type: null, session_id: null, trace_id: 't-1' };

/** The documented numbers: row, number, name, meaning, and a failure that gives it. */
const numbers = [
  ['002-11', 4001, 'INVALID_REQUEST_FORMAT', 'Invalid request format', () => fail('unknown_tool', 'no')],
  [
    '002-12',
    4002,
    'MISSING_REQUIRED_FIELD',
    'Missing required field',
    () => fail('invalid_input', 'no', { code: 'missing_required_field' }),
  ],
  ['002-13', 4003, 'INVALID_PARAMETER_TYPE', 'Invalid parameter type', () => fail('invalid_input', 'no')],
  ['002-14', 4004, 'INVALID_URL_FORMAT', 'Invalid URL format', () => fail('invalid_input', 'no', { code: 'invalid_url_format' })],
  ['002-15', 4005, 'NO_RESULTS_FOUND', 'No results found', () => fail('not_found', 'no')],
  ['002-16', 4006, 'RESOURCE_NOT_INITIALIZED', 'Resource not initialized', () => fail('not_ready', 'no')],
  ['002-17', 5001, 'API_KEY_NOT_CONFIGURED', 'API key not configured', () => fail('not_configured', 'no')],
  ['002-18', 5002, 'API_REQUEST_FAILED', 'API request failed', () => raise(Object.assign(new Error('no'), { status: 502 }))],
  ['002-19', 5003, 'API_RESPONSE_PARSE_ERROR', 'API response parse error', () => fail('bad_response', 'no')],
  ['002-20', 5004, 'UNEXPECTED_ERROR', 'Unexpected error', () => raise(new Error('no'))],
  ['002-21', 5005, 'TIMEOUT_ERROR', 'Timeout error', () => raise(Object.assign(new Error('no'), { name: 'TimeoutError' }))],
  ['002-22', 5006, 'CRAWLING_ERROR', 'Crawling error', () => fail('upstream', 'no', { code: 'crawling_error' })],
  ['002-23', 5007, 'SUMMARIZATION_ERROR', 'Summarization error', () => fail('upstream', 'no', { code: 'summarization_error' })],
  ['002-24', 5008, 'ALL_REQUESTS_FAILED', 'All requests failed', () => fail('all_failed', 'no')],
  [
    '002-26',
    5010,
    'BACKEND_NOT_INITIALIZED',
    'Backend not initialized',
    () => fail('not_ready', 'no', { code: 'backend_not_initialized' }),
  ],
] as const;

async function call(run: () => unknown) {
  const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', run });
  return quietBox([tool], { preset }).call('my_tool', {});
}
const write = async (run: () => unknown) => coded.encode(await call(run), { strict: true });

describe('002 error codes', () => {
  test('002-10 0 is success', async () => {
    expect(ErrorCode.SUCCESS).toBe(0);
    expect(await write(() => ({}))).toMatchObject({ code: 0, message: 'success' });
  });

  test.each(numbers)('%s %i is `%s` (%s)', async (_, number, name, _meaning, run) => {
    expect(ErrorCode[name]).toBe(number);
    expect(await write(run)).toMatchObject({ code: number, message: 'no', data: null });
  });

  test.each(numbers)('%s %i is kept where an exception carries it (%s)', async (_, number) => {
    expect(await write(() => raise(Object.assign(new Error('no'), { code: number })))).toMatchObject({ code: number, message: 'no' });
  });

  test.each(numbers)('%s %i is read and written back as itself (%s)', (_, number) => {
    const response = { code: number, message: 'no', data: null, meta };
    const read = coded.decode(response);
    expect(read.ok && coded.encode(read.outcome, { strict: true })).toEqual(response);
  });

  test.each(numbers)('%s the lower-case name of %i is kept where an exception carries it (%s)', async (_, number, name) => {
    const thrown = Object.assign(new Error('no'), { code: name.toLowerCase() });
    expect(await write(() => raise(thrown))).toMatchObject({ code: number, message: 'no' });
  });

  test('002-25 5009 is kept where an exception carries it', async () => {
    expect(await write(() => raise(Object.assign(new Error('no'), { code: 5009 })))).toMatchObject({ code: 5009, message: 'no' });
  });

  test('002-25 5009 is `PARTIAL_FAILURE`', () => {
    expect(ErrorCode.PARTIAL_FAILURE).toBe(5009);
    const response = {
      code: 5009,
      message: '1 out of 2 items failed',
      data: { results: [{ success: true }, { success: false }], failed_count: 1 },
      meta,
    };
    const read = coded.decode(response);
    expect(read.ok && coded.encode(read.outcome, { strict: true })).toEqual(response);
  });

  test('002-27 every number is documented in detail', () => {
    const page = readFileSync(new URL('../../../../docs/dialects.md', import.meta.url), 'utf8');
    const rows = [...numbers.map(([, number, , meaning]) => [number, meaning]), [0, 'Success'], [5009, 'Partial failure']];
    const documented = (number: unknown, meaning: unknown) =>
      page.split('\n').some((line) => line.startsWith('|') && line.includes(String(number)) && line.includes(String(meaning)));
    expect(rows.filter(([number, meaning]) => !documented(number, meaning))).toEqual([]);
  });

  test.each(numbers.filter(([, number]) => number < 5000 && number !== 4006))(
    '%s 002-28 %i says: correct the request (%s)',
    async (_, number, _name, _meaning, run) => {
      expect(await call(run)).toMatchObject({ error: { recovery: 'fix_input', retryable: false } });
      const read = coded.decode({ code: number, message: 'no', data: null, meta });
      expect(read).toMatchObject({ outcome: { error: { recovery: 'fix_input', retryable: false } } });
    },
  );

  test.each([
    [5001, { recovery: 'stop', retryable: false }],
    [5002, { recovery: 'wait', retryable: true }],
    [5004, { recovery: 'stop', retryable: false }],
    [5005, { recovery: 'wait', retryable: true }],
    [5006, { recovery: 'wait', retryable: true }],
    [5010, { recovery: 'wait', retryable: true }],
  ])('002-28 %i says: try again, or ask the administrator', (number, expected) => {
    const response = { code: number, message: 'no', data: null, meta };
    for (const effects of [undefined, 'none', 'idempotent'] as const)
      expect(coded.decode(response, { effects })).toMatchObject({ outcome: { error: expected } });
    // Of a tool that writes, nobody says that it may simply be repeated.
    if (expected.retryable && number !== 5010)
      expect(coded.decode(response, { effects: 'writes' })).toMatchObject({ outcome: { error: { recovery: 'verify', retryable: false } } });
  });
});
