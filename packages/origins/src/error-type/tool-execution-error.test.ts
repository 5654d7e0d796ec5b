import { classify, createToolbox, defineTool, ToolFailure } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { ToolErrorType, ToolExecutionError } from './tool-execution-error.ts';

describe('a ToolExecutionError', () => {
  test.each([
    [ToolErrorType.TIMEOUT, 'timeout'],
    [ToolErrorType.INTERNAL_SERVER_ERROR, 'upstream'],
    [ToolErrorType.BAD_REQUEST, 'invalid_input'],
    [ToolErrorType.UNAUTHORIZED, 'unauthenticated'],
    [ToolErrorType.NOT_FOUND, 'not_found'],
    [ToolErrorType.UNKNOWN_HOST, 'unreachable'],
    ['503', 'upstream'],
    ['my_own_type', 'internal'],
  ])('with the error type %s is %s', (errorType, kind) => {
    const error = new ToolExecutionError('x', { errorType });
    expect(error).toMatchObject({ name: 'ToolExecutionError', kind, errorType, options: { errorType } });
    expect(ToolFailure.isInstance(error)).toBe(true);
    expect(classify(error)).toMatchObject({ kind, errorType, cause: 'ToolExecutionError', message: 'x' });
  });

  test('is kept as its author wrote it, thrown or returned', async () => {
    for (const returned of [false, true]) {
      const act = defineTool({
        name: 'act',
        description: 'Acts.',
        run: () => {
          const error = new ToolExecutionError('No answer.', { errorType: 'timeout' });
          if (returned) return error;
          throw error;
        },
      });
      const outcome = await createToolbox([act], { report: () => undefined }).call('act', {});
      expect(outcome).toMatchObject({ status: 'error', error: { kind: 'timeout', errorType: 'timeout', message: 'No answer.' } });
    }
  });

  test('without an error type is an exception like any other, by its class name', () => {
    const error = new ToolExecutionError('x');
    expect([error.errorType, error.kind]).toEqual([undefined, 'internal']);
    expect(classify(error)).toMatchObject({ kind: 'internal', cause: 'ToolExecutionError' });
  });
});
