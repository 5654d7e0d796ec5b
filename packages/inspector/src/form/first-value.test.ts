import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { branchOf, firstValue } from './first-value.ts';

const ajv = new Ajv({ strict: false, validateFormats: false });
const loop = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } } };

test.each([
  ['a default', { type: 'number', default: 7 }, 7],
  ['an example', { type: 'string', examples: ['Kyoto'] }, 'Kyoto'],
  ['a format', { type: 'string', format: 'email' }, 'ann@example.com'],
  ['a pattern', { type: 'string', pattern: '^\\d{5}$' }, '12345'],
  ['a least length', { type: 'string', minLength: 1 }, 'text'],
  ['nothing where nothing is asked', { type: 'string', maxLength: 9 }, ''],
  ['a least number', { type: 'integer', exclusiveMinimum: 2, multipleOf: 5 }, 5],
  ['a greatest number', { type: 'number', maximum: -3 }, -3],
  ['needed fields only', { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'string' } }, required: ['a'] }, { a: false }],
  ['as many items as needed', { type: 'array', items: { enum: ['x', 'y'] }, minItems: 2 }, ['x', 'x']],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'number' }, { const: 'm' }] }, [0, 'm']],
  ['the first branch', { anyOf: [{ type: 'string' }, { type: 'null' }] }, ''],
])('a form begins with %s', (_, schema, value) => {
  expect(firstValue(schema, schema)).toEqual(value);
  expect(ajv.validate(schema, value)).toBe(true);
});

test('a schema that holds itself ends', () => {
  expect(JSON.stringify(firstValue({ $ref: '#/$defs/node' }, loop)).length).toBeLessThan(200);
});

const branches = [
  { schema: { type: 'object', properties: { by: { const: 'card' }, number: { type: 'string' } }, required: ['by'] } },
  { schema: { type: 'object', properties: { by: { const: 'cash' } }, required: ['by'] } },
  { schema: { type: 'string' } },
  { schema: { type: 'integer' } },
  { schema: { type: 'null' } },
];
test.each([
  [{ by: 'card', number: '1' }, 0],
  [{ by: 'cash' }, 1],
  ['text', 2],
  [7, 3],
  [null, 4],
  [undefined, 0],
])('%j belongs to branch %d', (value, branch) => {
  expect(branchOf(value, branches, {})).toBe(branch);
});
