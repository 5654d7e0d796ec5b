import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preset, shippedErrorType, ToolErrorType, ToolExecutionError } from '@toolpact/origins/error-type';
import { defineTool, fail } from 'toolpact';
import { openTelemetry } from 'toolpact/telemetry';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startSdk } from '../../toolpact/test/telemetry/sdk.ts';
import { quietBox, raise } from './start-box.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
beforeAll(async () => {
  sdk = await startSdk('3.1');
});

/** Calls a tool that ends so, and gives the span of the call. */
async function spanOf(run: () => unknown, args: unknown = {}, name = 'example_tool', timeoutMs = 30_000) {
  const tool = defineTool({
    name: 'example_tool',
    description: 'x',
    input: z.object({ limit: z.number().optional() }),
    effects: 'none',
    timeoutMs,
    run,
  });
  await sdk.take();
  await quietBox([tool], { preset, telemetry: openTelemetry() }).answer({ name, args });
  const { spans } = await sdk.take();
  expect(spans).toHaveLength(1);
  return spans[0];
}
const typeOf = async (run: () => unknown, args?: unknown, timeoutMs?: number) =>
  (await spanOf(run, args, undefined, timeoutMs))?.attributes['error.type'];
const throwing = (error: unknown) => () => raise(error);

describe('001 ToolErrorType and ToolExecutionError', () => {
  test('001-01 `ToolErrorType` has six members with these values', () => {
    expect(ToolErrorType).toEqual({
      TIMEOUT: 'timeout',
      INTERNAL_SERVER_ERROR: '500',
      BAD_REQUEST: '400',
      UNAUTHORIZED: '401',
      NOT_FOUND: '404',
      UNKNOWN_HOST: 'java.net.UnknownHostException',
    });
  });

  test('001-02 `ToolExecutionError` is an exception with a message and an error type', () => {
    const error = new ToolExecutionError('The backend timed out.', { errorType: ToolErrorType.TIMEOUT });
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('The backend timed out.');
    expect(error.options.errorType).toBe('timeout');
  });

  test.each([undefined, null])('001-02 the error type may be left out (%s)', (errorType) => {
    const error = new ToolExecutionError('no', errorType === undefined ? {} : { errorType });
    expect({ message: error.message, errorType: error.errorType }).toEqual({ message: 'no', errorType: undefined });
  });

  test.each<[string, unknown]>([
    ['a member of an enumeration', { name: 'NOT_FOUND', value: '404' }],
    ['a member with a number', { name: 'NOT_FOUND', value: 404 }],
    ['a number', 404],
  ])('001-02 the error type may be %s', (_, errorType) => {
    expect(new ToolExecutionError('no', { errorType: errorType as string })).toMatchObject({ errorType: '404', kind: 'not_found' });
  });
});

describe('001 `error.type` on the `execute_tool` span', () => {
  test('001-03 it is the error type of the exception', async () => {
    const span = await spanOf(throwing(new ToolExecutionError('no', { errorType: 'my_own_type' })));
    expect(span).toMatchObject({ name: 'execute_tool example_tool', attributes: { 'error.type': 'my_own_type' } });
  });

  test.each([
    ['error_type', { error_type: '404' }],
    ['errorType', { errorType: '404' }],
    ['error_type.value', { error_type: { name: 'NOT_FOUND', value: '404' } }],
    ['a number as error_type', { error_type: 404 }],
    ['a number as error_type.value', { error_type: { name: 'NOT_FOUND', value: 404 } }],
  ])('001-04 any exception with `%s` is honoured', async (_, facts) => {
    expect(await typeOf(throwing(Object.assign(new Error('no'), facts)))).toBe('404');
  });

  test.each([
    ['001-05', ToolErrorType.INTERNAL_SERVER_ERROR, '500'],
    ['001-06', ToolErrorType.TIMEOUT, 'timeout'],
    ['001-07', ToolErrorType.BAD_REQUEST, '400'],
    ['001-07', ToolErrorType.UNAUTHORIZED, '401'],
    ['001-07', ToolErrorType.NOT_FOUND, '404'],
    ['001-07', ToolErrorType.UNKNOWN_HOST, 'java.net.UnknownHostException'],
  ] as const)('%s a tool that raises %s has it on its span', async (_, errorType, written) => {
    expect(await typeOf(throwing(new ToolExecutionError('no', { errorType })))).toBe(written);
  });

  class ValueError extends Error {
    override readonly name = 'ValueError';
  }
  test.each([
    ['ValueError', new ValueError('bad value')],
    ['TypeError', new TypeError('bad value')],
    ['RangeError', new RangeError('bad value')],
    ['Error', new Error('bad value')],
  ])('001-08 a built-in %s without a type has its class name', async (name, error) => {
    expect(await typeOf(throwing(error))).toBe(name);
  });

  test('001-08 a `ToolExecutionError` without a type has its class name', async () => {
    expect(await typeOf(throwing(new ToolExecutionError('no')))).toBe('ToolExecutionError');
  });

  test('001-09 the value is a string on a span of the GenAI conventions', async () => {
    const span = await spanOf(throwing(new ToolExecutionError('no', { errorType: ToolErrorType.INTERNAL_SERVER_ERROR })));
    expect(span).toMatchObject({
      name: 'execute_tool example_tool',
      status: { code: 2 },
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'example_tool',
        'error.type': '500',
      },
    });
  });

  const stated = { errorType: ToolErrorType.UNAUTHORIZED };
  test.each<[string, () => unknown, string]>([
    ['thrown', throwing(new ToolExecutionError('no', stated)), '401'],
    ['returned', () => new ToolExecutionError('no', stated), '401'],
    ['a cause inside', throwing(new Error('outer', { cause: new ToolExecutionError('no', stated) })), '401'],
    ['rejected', () => Promise.reject(new ToolExecutionError('no', stated)), '401'],
    ['a `fail`', () => fail('upstream', 'no', { errorType: '401' }), '401'],
  ])('001-10 it is recorded whatever way the failure takes (%s)', async (_, run, type) => {
    expect(await typeOf(run)).toBe(type);
  });

  test('001-10 it is recorded whatever way the failure takes (a deadline)', async () => {
    expect(await typeOf(() => new Promise(() => undefined), {}, 20)).toBe('timeout');
  });

  test('001-10 the nine names that system shipped later can be written instead', async () => {
    const busy = defineTool({
      name: 'busy',
      description: 'x',
      effects: 'none',
      run: () => raise(Object.assign(new Error('Service Unavailable'), { name: 'HttpError', status: 503 })),
    });
    await sdk.take();
    await quietBox([busy], { preset, telemetry: openTelemetry({ errorType: shippedErrorType }) }).call('busy', {});
    expect((await sdk.take()).spans[0]?.attributes['error.type']).toBe('SERVICE_UNAVAILABLE');
  });

  test('001-10 it is recorded for a tool that does not exist', async () => {
    expect((await spanOf(() => 1, {}, 'no_such_tool'))?.attributes['error.type']).toBe('400');
  });

  test('001-14 arguments that break the schema, or a rule of the tool, are 400', async () => {
    expect(await typeOf(() => 1, { limit: 'ten' })).toBe('400');
    expect(await typeOf(() => fail('invalid_input', 'limit must be even'))).toBe('400');
  });

  test('001-18 the example tool raises `ToolExecutionError`', async () => {
    const program = fileURLToPath(new URL('../../../examples/traced-failure/main.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', program]);
    expect(stdout).toContain('execute_tool example_tool   ERROR  error.type=timeout\n');
  });

  test('001-19 a success has no error type', async () => {
    expect(await spanOf(() => 1)).toMatchObject({
      status: { code: 0 },
      attributes: expect.not.objectContaining({ 'error.type': expect.anything() }),
    });
  });
});
