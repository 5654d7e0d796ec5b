import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { explainIssues } from './explain-issues.ts';
import { exportJsonSchema } from './json-schema.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

function explain(schema: StandardSchemaV1, value: unknown) {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise || result.issues === undefined) throw new Error('the value was accepted');
  return explainIssues(result.issues, exportJsonSchema(schema, 'input'), value);
}

const libraries: readonly (readonly [string, StandardSchemaV1])[] = [
  [
    'zod',
    z.strictObject({
      city: z.string(),
      days: z.number().int().min(1).max(7).optional(),
      unit: z.enum(['celsius', 'kelvin']).optional(),
      site: z.url().optional(),
    }),
  ],
  [
    'valibot',
    toStandardJsonSchema(
      v.strictObject({
        city: v.string(),
        days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))),
        unit: v.optional(v.picklist(['celsius', 'kelvin'])),
        site: v.optional(v.pipe(v.string(), v.url())),
      }),
    ) as unknown as StandardSchemaV1,
  ],
  [
    'arktype',
    type({
      '+': 'reject',
      city: 'string',
      'days?': '1 <= number.integer <= 7',
      'unit?': "'celsius' | 'kelvin'",
      'site?': 'string.url',
    }) as unknown as StandardSchemaV1,
  ],
];

describe.each(libraries)('with %s', (_library, schema) => {
  test.each([
    ['a missing field', {}, [{ path: ['city'], problem: 'missing', expected: 'a string' }]],
    ['a wrong type', { city: 5 }, [{ path: ['city'], problem: 'type', expected: 'a string', received: 'number' }]],
    ['an unknown field', { city: 'Oslo', dayz: 1 }, [{ path: ['dayz'], problem: 'extra', hint: 'Did you mean "days"?' }]],
    ['a number out of bounds', { city: 'Oslo', days: 9 }, [{ path: ['days'], problem: 'rule', message: 'must be at most 7' }]],
    ['a choice not offered', { city: 'Oslo', unit: 'celcius' }, [{ path: ['unit'], problem: 'rule', hint: 'Did you mean "celsius"?' }]],
    ['a malformed URL', { city: 'Oslo', site: 'not a url' }, [{ path: ['site'], problem: 'format', format: 'uri' }]],
  ])('explains %s by path and problem', (_what, value, expected) => {
    expect(explain(schema, value)).toMatchObject(expected);
  });

  test('never repeats the value', () => {
    const reported = JSON.stringify(explain(schema, { city: 'Oslo', unit: 'hunter2-secret', site: 'hunter2-secret' }));
    expect(reported).not.toContain('hunter2-secret');
  });
});

test.each([
  ['a text', 'hunter2-secret'],
  ['a long text', 'hunter2-secret'.repeat(1_000)],
  ['the number of a card', 4111111111111111],
])('does not repeat %s that a library has in its words, where no schema says what is wrong', (_what, value) => {
  const issue = { message: `Invalid type: Expected boolean but received ${value}`, path: ['pin'] };
  expect(explainIssues([issue], undefined, { pin: value })).toMatchObject([{ message: 'Invalid type: Expected boolean but received …' }]);
});

test('points at the field that was probably meant when one is missing', () => {
  expect(explain(z.object({ city: z.string() }), { citty: 'Oslo' })).toMatchObject([
    { path: ['city'], problem: 'missing', hint: 'You sent "citty"' },
  ]);
});

test.each<[string, object, string | undefined]>([
  ['the only field that is not known', { ticket: 'T-1' }, 'You sent "ticket"'],
  ['none of several', { ticket: 'T-1', page: 2 }, undefined],
  ['no long name', { ['x'.repeat(65)]: 'T-1' }, undefined],
])('names %s where one is missing', (_, value, hint) => {
  const [issue] = explain(z.object({ id: z.string() }), value);
  expect([issue?.problem, issue?.hint]).toEqual(['missing', hint]);
});

test('explains a union by the branch of the value', () => {
  const schema = z.object({ target: z.union([z.string(), z.object({ id: z.number() })]) });
  expect(explain(schema, { target: { id: 'x' } })).toMatchObject([{ path: ['target'] }]);
  expect(explain(schema, { target: 5 })).toMatchObject([{ path: ['target'], problem: 'type', expected: 'a string or an object' }]);
});

test('finds fields inside arrays and references', () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node).optional();
    },
  });
  expect(explain(node, { name: 'a', children: [{ name: 'b' }, { name: 7 }] })).toMatchObject([
    { path: ['children', 1, 'name'], problem: 'type' },
  ]);
});

test('looks at each part of a recursive union once, however deep the value is', () => {
  const and = z.object({ op: z.enum(['and', 'or']), left: z.lazy((): z.ZodType => either).optional() });
  const not = z.object({ op: z.literal('not'), left: z.lazy((): z.ZodType => either).optional() });
  const either: z.ZodType = z.union([and, not]);
  const schema = exportJsonSchema(z.object({ root: either }), 'input');
  const path = ['root', ...Array.from({ length: 60 }, () => 'left'), 'op'];
  const value = path.reduceRight<unknown>((inner, step) => ({ op: 'and', [step]: inner }), 'xor');
  // Two branches at each of 60 steps: looked at anew each time, this would never end.
  expect(explainIssues([{ message: 'wrong', path }], schema, value)).toMatchObject([{ path, expected: 'one of "and", "or"' }]);
});

test('explains a union behind a reference, and survives references that lead in a circle', () => {
  const root = {
    $defs: {
      id: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] },
      a: { $ref: '#/$defs/b' },
      b: { $ref: '#/$defs/c' },
      c: { $ref: '#/$defs/a' },
    },
    properties: { id: { $ref: '#/$defs/id' }, loop: { $ref: '#/$defs/a' } },
  };
  expect(explainIssues([{ message: 'wrong', path: ['id'] }], root, { id: 0 })).toMatchObject([{ message: 'must be at least 1' }]);
  expect(explainIssues([{ message: 'wrong', path: ['loop'] }], root, { loop: 1 })).toMatchObject([{ message: 'wrong' }]);
});

test("keeps the author's words for a rule that JSON Schema does not know, without the value", () => {
  const schema = z.object({
    word: z
      .string()
      .refine((word) => word.length % 2 === 0, { error: ({ input }) => `"${String(input)}" needs an even number of letters` }),
  });
  expect(explain(schema, { word: 'hunter2' })).toEqual([
    { path: ['word'], problem: 'rule', received: 'string', message: '"…" needs an even number of letters' },
  ]);
});

test('lists at most twenty issues', () => {
  const schema = z.object(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, z.string()])));
  expect(explain(schema, {})).toHaveLength(20);
});

test('one item and one email read as English', () => {
  const schema = z.object({ to: z.array(z.email()).min(1), from: z.email() });
  expect(explain(schema, { to: [] }).map(({ expected }) => expected)).toEqual(['have at least 1 items', 'an email string']);
});
