import { expect, test } from 'vitest';
import { ToolpactError } from './toolpact-error.ts';

test('a mistake of an author is a TypeError with a code and details', () => {
  const error = new ToolpactError('missing_guard', 'tool "pay" declares retry', { tool: 'pay' }, { cause: 'why' });
  expect(error).toBeInstanceOf(TypeError);
  expect({ name: error.name, code: error.code, details: error.details, cause: error.cause }).toEqual({
    name: 'ToolpactError',
    code: 'missing_guard',
    details: { tool: 'pay' },
    cause: 'why',
  });
});

test('a mistake without details has empty details', () => {
  expect(new ToolpactError('invalid_option', 'limit must be a number above 0').details).toEqual({});
});
