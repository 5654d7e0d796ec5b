import { expect, test } from 'vitest';
import { z } from 'zod';
import { describedSchema } from './described-schema.ts';

test('values are checked by the schema of the tool, and left as they are', async () => {
  const own = z.object({ n: z.coerce.number(), by: z.string().default('me') })['~standard'];
  const { validate, jsonSchema } = describedSchema(
    'x',
    () => ({ type: 'object' }),
    (value) => own.validate(value),
  )['~standard'];
  expect(await validate({ n: '5' })).toEqual({ value: { n: '5' } });
  expect(await validate({ n: 'x' })).toMatchObject({ issues: [{ path: ['n'] }] });
  expect(jsonSchema?.input({ target: 'draft-2020-12' })).toEqual({ type: 'object' });
});
