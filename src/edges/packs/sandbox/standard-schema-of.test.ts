import { expect, test } from 'vitest';
import { codedToolData } from '../../../core/dialects/index.ts';
import { standardSchemaOf } from './standard-schema-of.ts';

const text = { type: 'string', minLength: 1, maxLength: 3, pattern: '\\S' };
const schema = standardSchemaOf({
  type: 'object',
  properties: {
    one: { anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 2 }] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
  },
  required: ['one'],
  additionalProperties: false,
});

test.each([
  [{ one: 'a' }, []],
  [{ one: ['a', 'b'], count: 9 }, []],
  [{ one: 'a', count: undefined }, []],
  [null, ['']],
  [[], ['']],
  [{}, ['one']],
  [{ one: 7 }, ['one']],
  [{ one: '' }, ['one']],
  [{ one: 'abcd' }, ['one']],
  [{ one: '  ' }, ['one']],
  [{ one: [] }, ['one']],
  [{ one: ['a', 'b', 'c'] }, ['one']],
  [{ one: ['a', 7] }, ['one.1']],
  [{ one: 'a', count: 0 }, ['count']],
  [{ one: 'a', count: 10 }, ['count']],
  [{ one: 'a', count: 1.5 }, ['count']],
  [{ one: 'a', toString: 1 }, ['toString']],
])('%j has problems at %j', async (value, paths) => {
  const { issues = [] } = await schema['~standard'].validate(value);
  expect(issues.map(({ path = [] }) => path.join('.'))).toEqual(paths);
});

test('the documented shapes are checked', async () => {
  const check = (name: keyof typeof codedToolData, value: unknown) => standardSchemaOf(codedToolData[name])['~standard'].validate(value);
  expect(await check('rag:batch_search', { count: 1, contexts: [''] })).not.toHaveProperty('issues');
  expect(await check('rag:batch_search', { count: 1, contexts: [7] })).toHaveProperty('issues');
  expect(await check('visit', { result: '', urls: [], goal: '' })).not.toHaveProperty('issues');
  expect(await check('visit', { result: '', urls: [] })).toHaveProperty('issues');
});
