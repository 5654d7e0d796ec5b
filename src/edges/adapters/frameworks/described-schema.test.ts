import { expect, test } from 'vitest';
import { z } from 'zod';
import { describedSchema, foreignSchema } from './described-schema.ts';

const json = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

test.each<[string, unknown, object]>([
  ['fits', { n: 1, more: true }, { value: { n: 1, more: true } }],
  ['lacks a field', {}, { issues: [{ path: ['n'], message: 'n is missing' }] }],
  ['has another type', { n: 'x' }, { issues: [{ path: ['n'], message: 'n must be of the type number, not string' }] }],
])('without a check of its own, a value that %s is judged by the JSON Schema', async (_, value, result) => {
  expect(await describedSchema('x', () => json)['~standard'].validate(value)).toEqual(result);
});

test('values are checked by the schema of the tool, and left as they are', async () => {
  const { validate, jsonSchema } = foreignSchema('x', 'own', z.object({ n: z.coerce.number(), by: z.string().default('me') }))['~standard'];
  expect(await validate({ n: '5' })).toEqual({ value: { n: '5' } });
  expect(await validate({ n: 'x' })).toMatchObject({ issues: [{ path: ['n'] }] });
  expect(jsonSchema?.input({ target: 'draft-2020-12' })).toMatchObject({ properties: { by: { default: 'me' } } });
});

test.each([
  ['a number', 7],
  ['nothing', null],
  ['a schema without JSON Schema', { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } }],
])('%s in place of a schema is refused', (_, schema) =>
  expect(() => foreignSchema('x', 'own', schema)).toThrow('the input schema of the tool "own" carries no JSON Schema'),
);
