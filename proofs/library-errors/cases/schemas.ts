import { Ajv } from 'ajv';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import { casesOf, invalidInput } from '../error-case.ts';
import { secrets } from '../secrets.ts';

/** Wrong in type, wrong in range, with a secret among the values and a key too many. */
const bad = { city: 7, limit: -1, key: secrets.apiKey };
const ours = { kinds: ['internal', 'invalid_input'] } as const;

const zodSchema = z.strictObject({ city: z.string(), limit: z.number().positive() });
export const zodCases = casesOf('zod', [
  { id: 'an object with several mistakes', run: () => zodSchema.parse(bad), expect: invalidInput },
  {
    id: 'a refinement that waits',
    run: () =>
      z
        .string()
        .refine(async () => false, 'no such city')
        .parseAsync('Atlantis'),
    expect: invalidInput,
  },
  {
    id: 'a union of which nothing fits',
    run: () => z.union([z.string(), z.object({ id: z.number() })]).parse({ id: 'x' }),
    expect: invalidInput,
  },
  {
    id: 'issues thrown as they are',
    run: () => {
      throw zodSchema.safeParse(bad).error?.issues;
    },
    expect: invalidInput,
  },
]);

const valibotSchema = v.strictObject({ city: v.string(), limit: v.pipe(v.number(), v.minValue(0)) });
export const valibotCases = casesOf('valibot', [
  { id: 'an object with several mistakes', run: () => v.parse(valibotSchema, bad), expect: invalidInput },
  {
    id: 'a check that waits',
    run: () =>
      v.parseAsync(
        v.pipeAsync(
          v.string(),
          v.checkAsync(async () => false, 'no such city'),
        ),
        'Atlantis',
      ),
    expect: invalidInput,
  },
  { id: 'an assertion', run: () => v.assert(valibotSchema, null), expect: invalidInput },
]);

const arktypeSchema = type({ city: 'string', limit: 'number > 0' });
export const arktypeCases = casesOf('arktype', [
  { id: 'an assertion', run: () => arktypeSchema.assert(bad), expect: invalidInput },
  {
    id: 'errors that throw themselves',
    run: () => {
      const out = arktypeSchema(bad);
      if (out instanceof type.errors) out.throw();
    },
    expect: invalidInput,
  },
  {
    id: 'errors thrown as they are',
    run: () => {
      throw arktypeSchema(bad);
    },
    expect: invalidInput,
  },
  { id: 'a definition that is wrong', run: () => type({ city: 'strnig' as 'string' }), expect: ours },
]);

const ajv = new Ajv({ allErrors: true });
const jsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
  required: ['city', 'country'],
  additionalProperties: false,
};
export const ajvCases = casesOf('ajv', [
  { id: 'an asynchronous schema', run: () => ajv.compile({ $async: true, ...jsonSchema })(bad), expect: invalidInput },
  {
    id: 'errors thrown as they are',
    run: () => {
      const validate = ajv.compile(jsonSchema);
      validate(bad);
      throw validate.errors;
    },
    expect: invalidInput,
  },
  {
    id: 'a validation error made by hand',
    run: () => {
      const validate = ajv.compile(jsonSchema);
      validate(bad);
      throw new Ajv.ValidationError(validate.errors ?? []);
    },
    expect: invalidInput,
  },
  { id: 'a reference to nowhere', run: () => ajv.compile({ $ref: '#/definitions/nowhere' }), expect: ours },
  { id: 'a keyword that does not exist', run: () => ajv.compile({ type: 'object', requird: [] }), expect: ours },
]);
