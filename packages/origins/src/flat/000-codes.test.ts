import { ErrorCode, errorCodes, flat } from '@toolpact/origins/flat';
import { defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const withStatus = (status: number) => Object.assign(new Error('no'), { status });

/** The documented codes: what makes them, and that an exception which carries one keeps it. */
const codes = [
  ['000-17', 'external_service_error', withStatus(502)],
  ['000-18', 'rate_limited', withStatus(429)],
  ['000-19', 'timeout', Object.assign(new Error('no'), { name: 'TimeoutError' })],
  ['000-20', 'not_found', withStatus(404)],
  ['000-21', 'invalid_input', withStatus(400)],
  ['000-22', 'internal_error', new Error('no')],
] as const;

async function codeOf(thrown: unknown): Promise<unknown> {
  const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', run: () => raise(thrown) });
  return flat.encode(await quietBox([tool], { preset }).call('my_tool', {})).error_code;
}

test('000-17 000-22 the standard codes are a list that programs can use', () => {
  expect(Object.values(ErrorCode)).toEqual(codes.map(([, code]) => code));
  expect(Object.entries(errorCodes).map(([code, description]) => `${code}: ${description}`)).toEqual([
    'external_service_error: Third-party API failure',
    'rate_limited: Rate limit exceeded',
    'timeout: Request timeout',
    'not_found: Resource not found',
    'invalid_input: Validation error',
    'internal_error: Unexpected internal error',
  ]);
});

test.each(codes)('%s `%s` is written for what it stands for', async (_, code, thrown) => {
  expect(await codeOf(thrown)).toBe(code);
});

test.each(codes)('%s `%s` is kept where an exception carries it', async (_, code) => {
  expect(await codeOf(Object.assign(new Error('no'), { code }))).toBe(code);
  expect(await codeOf(Object.assign(new Error('no'), { error_code: code }))).toBe(code);
});

test.each(codes)('%s `%s` is read and written back as itself', (_, code) => {
  const decoded = flat.decode({ success: false, error: 'no', error_code: code });
  expect(decoded.ok && flat.encode(decoded.outcome)).toMatchObject({ success: false, error: 'no', error_code: code });
});
