import { expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox } from '../../index.ts';
import { fromTools } from '../ai-sdk/index.ts';
import { returnedFailure } from './returned-failure.ts';

test.each<[unknown, string, string]>([
  [{ error: 'no such user' }, 'no such user', 'TOOL_ERROR'],
  [{ error: { message: 'slow down', status: 429 } }, 'slow down', 'TOOL_ERROR'],
  [{ error: true, message: 'it broke' }, 'it broke', 'TOOL_ERROR'],
  [{ error: { at: 1 } }, 'The tool returned an error.', 'TOOL_ERROR'],
  [{ status: 'error', message: 'no disk' }, 'no disk', 'TOOL_ERROR'],
  [{ success: false, error: null }, 'The tool returned an error.', 'TOOL_ERROR'],
  [{ error: 'x', error_code: 'SKILL_NOT_FOUND' }, 'x', 'SKILL_NOT_FOUND'],
])('%j says that the tool failed', (result, message, errorType) => {
  expect(returnedFailure(result)).toMatchObject({ message, options: { errorType, data: result } });
});

test.each([
  undefined,
  null,
  'error',
  [],
  { error: null },
  { error: '' },
  { error: false },
  { status: 'ok' },
  { success: true, error: null },
])('%j does not', (result) => expect(returnedFailure(result)).toBeUndefined());

test('tools of a framework that return errors fail when that is asked for', async () => {
  const tools = {
    find: { description: 'Finds.', inputSchema: z.object({}), execute: () => ({ error: { message: 'slow down', status: 429 } }) },
  };
  const call = (options: object) =>
    createToolbox(fromTools(tools, options), { report: () => undefined }).answer({ name: 'find', args: {} });
  expect(await call({})).toMatchObject({ status: 'ok', data: { error: { status: 429 } } });
  expect(await call({ returnsErrors: true, effects: 'none' })).toMatchObject({
    status: 'error',
    error: { kind: 'rate_limited', message: 'slow down', errorType: 'TOOL_ERROR', retryable: true },
    data: { error: { status: 429 } },
  });
});
