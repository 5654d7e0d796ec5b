import { fromJsonSchema } from '@toolpact/openapi';
import fc from 'fast-check';
import type { JsonObject } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../../proofs/fixtures/property-runs.ts';
import { generateInputs, type InputCase } from './generate-inputs.ts';
import { createRandom } from './generate-random.ts';
import { generateText } from './generate-text.ts';
import { generateValue } from './generate-value.ts';

function casesOf(schema: JsonObject, seed = 1): readonly InputCase[] {
  const { validate } = fromJsonSchema(schema)['~standard'];
  return generateInputs({ schema, examples: [], fits: (value) => !('issues' in validate(value)), seed, name: 'tool' });
}

const person: JsonObject = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 5 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, uniqueItems: true },
    home: { $ref: '#/$defs/place' },
    either: { oneOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
  },
  required: ['name', 'home'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } }, required: ['zip'] } },
};

describe('inputs for a schema', () => {
  test('are as valid as they say', () => {
    const { validate } = fromJsonSchema(person)['~standard'];
    for (const { sort, args } of casesOf(person)) {
      if (sort === 'hostile') continue;
      expect([sort, 'issues' in validate(args)]).toEqual([sort, sort === 'invalid']);
    }
  });

  test('leave each required field out, and reach the edges of each field', () => {
    const titles = casesOf(person).map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining(['name missing', 'home missing', 'home.zip missing', 'the least that fits', 'the most that fits']),
    );
    const names = casesOf(person).flatMap(({ sort, args }) => (sort === 'boundary' ? [(args as { name: string }).name.length] : []));
    expect([Math.min(...names), Math.max(...names)]).toEqual([2, 5]);
  });

  test('are the same for the same seed and others for another', () => {
    expect(casesOf(person, 4)).toEqual(casesOf(person, 4));
    expect(casesOf(person, 4)).not.toEqual(casesOf(person, 5));
  });

  test.each<[string, JsonObject]>([
    [
      'allOf',
      {
        type: 'object',
        allOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      },
    ],
    ['const and enum', { type: 'object', properties: { a: { const: 'x' }, b: { enum: [1, null, 'z'] } }, required: ['a', 'b'] }],
    [
      'exclusive limits and steps',
      {
        type: 'object',
        properties: {
          a: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
          b: { type: 'integer', multipleOf: 7, minimum: 50, maximum: 60 },
        },
        required: ['a', 'b'],
      },
    ],
    [
      'tuples',
      {
        type: 'object',
        properties: { at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], minItems: 2, maxItems: 2 } },
        required: ['at'],
      },
    ],
    [
      'trees',
      { type: 'object', properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } }, required: ['value'] },
    ],
    ['many properties of any name', { type: 'object', minProperties: 3, additionalProperties: { type: 'boolean' } }],
    [
      'formats',
      {
        type: 'object',
        properties: { a: { type: 'string', format: 'uuid' }, b: { type: 'string', format: 'uri' }, c: { type: 'string', format: 'email' } },
        required: ['a', 'b', 'c'],
      },
    ],
    ['no fields', { type: 'object' }],
    ['several types', { type: 'object', properties: { a: { type: ['integer', 'null'] } }, required: ['a'] }],
    [
      'a discriminated union',
      {
        type: 'object',
        oneOf: [
          { properties: { kind: { const: 'a' }, n: { type: 'number' } }, required: ['kind', 'n'] },
          { properties: { kind: { const: 'b' } }, required: ['kind'] },
        ],
      },
    ],
  ])('are found for %s', (_, schema) => {
    expect(casesOf(schema).filter(({ sort }) => sort === 'valid').length).toBeGreaterThan(0);
  });

  test('come to an end for any object that is taken for a schema', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      'enum',
      'required',
      'minimum',
      'maxLength',
      'minItems',
      'pattern',
      'additionalProperties',
      'minProperties',
    );
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        keyword,
        fc.oneof(
          { maxDepth: 3 },
          fc.jsonValue(),
          fc.constant('#'),
          fc.constant('object'),
          fc.constant('array'),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 3 }),
          fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
        ),
        { maxKeys: 5 },
      ) as never,
    }));
    fc.assert(
      fc.property(schema, fc.integer(), (drawn, seed) => {
        generateInputs({ schema: drawn, examples: [], fits: () => true, seed, name: 'x' });
        for (const extent of ['usual', 'least', 'most'] as const) JSON.stringify(generateValue(drawn, drawn, createRandom(seed), extent));
      }),
      propertyRuns(300),
    );
  });
});

test.each([
  '^[a-z]{3}-\\d+$',
  '^(?:cat|dog)s?$',
  '^\\w+@[a-z]+\\.(?:com|org)$',
  '^[^\\s"]{1,4}$',
  '^(?<year>\\d{4})-\\d\\d$',
  '^[A-Za-z0-9_-]{8,12}$',
  '^\\u0041\\x42\\.$',
  '.+',
  '^$',
])('a text for %s matches it', (pattern) => {
  for (let seed = 0; seed < 50; seed += 1) expect(generateText(pattern, createRandom(seed))).toMatch(new RegExp(pattern, 'u'));
});

test.each(['^(?=x)y$', '(a)\\1', '^(', '[', '\\p{L}'])('no text is made for %s', (pattern) => {
  expect(generateText(pattern, createRandom(1))).toBeUndefined();
});

test('a pattern that asks for a book does not get one', () => {
  expect(generateText('^(?:[a-z]{1000}){1000}$', createRandom(1))).toBeUndefined();
});
