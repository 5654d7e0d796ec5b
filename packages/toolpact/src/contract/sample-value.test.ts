import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { numberRange, sampleValue } from './sample-value.ts';

const ajv = new Ajv({ strict: false, validateFormats: false });
const sampleOf = (schema: Parameters<typeof sampleValue>[1]): unknown => sampleValue(schema, schema);

test.each([
  ['a default', { type: 'number', default: 7 }, 7],
  ['an example', { type: 'string', examples: ['Kyoto'] }, 'Kyoto'],
  ['a constant', { const: 'x' }, 'x'],
  ['the first choice', { enum: [null, 'x'] }, null],
  ['a usual text', { type: 'string' }, 'text'],
  ['a text for its pattern', { type: 'string', pattern: '^\\d{5}$' }, '12345'],
  ['no', { type: 'boolean' }, false],
  ['zero', { type: 'number', minimum: -3, maximum: 4 }, 0],
  ['a least number', { type: 'integer', exclusiveMinimum: 2, multipleOf: 5 }, 5],
  ['a least whole number', { type: ['integer', 'null'], minimum: 1.5 }, 2],
  ['a greatest number', { type: 'number', maximum: -3 }, -3],
  ['a number between two that do not count', { type: 'number', exclusiveMinimum: 0.2, exclusiveMaximum: 0.4 }, 0.30000000000000004],
  ['required fields', { type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] }, { a: false }],
  [
    'fields without a type',
    { properties: { a: { type: 'boolean' } }, required: ['a', '__proto__'] },
    JSON.parse('{"a":false,"__proto__":null}'),
  ],
  ['as many fields as asked for', { type: 'object', minProperties: 2, properties: { a: {} } }, { a: null, field1: null }],
  ['no items', { type: 'array', items: { type: 'string' } }, []],
  ['as many items as asked for', { items: { enum: ['x', 'y'] }, minItems: 2 }, ['x', 'x']],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }, { const: 'm' }] }, [0, 'm']],
  [
    'the first branch with what lies beside it',
    {
      type: 'object',
      properties: { a: { const: 1 } },
      required: ['a'],
      oneOf: [{ properties: { b: { const: 2 } }, required: ['b'] }, { type: 'null' }],
    },
    { a: 1, b: 2 },
  ],
  ['joined parts', { allOf: [{ $ref: '#/$defs/most' }, { minimum: 5 }], $defs: { most: { type: 'number', minimum: 2 } } }, 5],
  [
    'a list that ends',
    {
      $ref: '#/$defs/node',
      $defs: {
        node: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }, required: ['next'] },
      },
    },
    { next: { next: null } },
  ],
  ['nothing where everything fits', {}, null],
])('the sample is %s', (_, schema, value) => {
  expect(sampleOf(schema)).toEqual(value);
  expect(ajv.validate(schema, value)).toBe(true);
});

test('texts may be made in another way', () => {
  expect(sampleValue({ items: { type: 'string' }, minItems: 1 }, {}, () => 'mine')).toEqual(['mine']);
});

test.each([
  ['needs itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, { a: { a: null } }],
  ['is its own alternative', { anyOf: [{ $ref: '#' }] }, null],
  ['is its own part', { allOf: [{ $ref: '#' }] }, null],
])('a schema that %s ends', (_, schema, value) => {
  expect(sampleOf(schema)).toEqual(value);
});

test('a schema that unfolds without end is cut', () => {
  const both = (ref: string): object => ({ type: 'object', properties: { a: { $ref: ref }, b: { $ref: ref } }, required: ['a', 'b'] });
  const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at}`, both(`#/$defs/d${at + 1}`)]));
  expect(JSON.stringify(sampleOf({ $ref: '#/$defs/d0', $defs } as never)).length).toBeLessThan(20_000);
  expect(JSON.stringify(sampleOf({ type: 'array', minItems: 1e9 })).length).toBeLessThan(20_000);
});

test.each([
  [{ type: 'number' }, { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY, step: undefined }],
  [
    { type: 'number', minimum: 1, exclusiveMaximum: 3 },
    { least: 1, most: 2.5, step: undefined },
  ],
  [
    { type: 'integer', exclusiveMinimum: 1, maximum: 3.5 },
    { least: 2, most: 3, step: 1 },
  ],
  [
    { type: 'integer', multipleOf: 7, minimum: 50, maximum: 60 },
    { least: 56, most: 56, step: 7 },
  ],
])('the range of %j', (schema, range) => {
  expect(numberRange(schema)).toEqual(range);
});
