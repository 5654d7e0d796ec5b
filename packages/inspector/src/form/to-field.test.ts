import { describe, expect, test } from 'vitest';
import { toField } from './to-field.ts';

const texts = { description: '', hint: '' };
const text = { type: 'text', input: 'text', isLong: false, ...texts };

describe('a schema becomes a field', () => {
  test.each([
    ['text', { type: 'string' }, text],
    ['an address', { type: 'string', format: 'email' }, { ...text, input: 'email', hint: 'email' }],
    ['a long text', { type: 'string', maxLength: 5000 }, { ...text, isLong: true, hint: 'at most 5000 characters' }],
    ['a whole number', { type: 'integer', minimum: 1, maximum: 25 }, { type: 'number', isInteger: true, description: '', hint: '1 to 25' }],
    [
      'a number with a description',
      { type: 'number', description: 'How much.', exclusiveMinimum: 0 },
      { type: 'number', isInteger: false, description: 'How much.', hint: 'more than 0' },
    ],
    ['yes or no', { type: 'boolean' }, { type: 'boolean', ...texts }],
    ['a fixed value', { const: 'card' }, { type: 'choice', choices: ['card'], ...texts }],
    ['one of a list', { type: 'string', enum: ['a', 'b'] }, { type: 'choice', choices: ['a', 'b'], ...texts }],
    [
      'fixed values side by side',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }, { type: 'null' }] },
      { type: 'choice', choices: ['a', 'b', 'c', null], ...texts },
    ],
    [
      'a list',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { type: 'array', items: [], rest: { type: 'string' }, description: '', hint: 'at least 1 item' },
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'number' }], items: false },
      { type: 'array', items: [{ type: 'number' }], rest: undefined, ...texts },
    ],
    ['anything', {}, { type: 'raw', ...texts }],
    ['anything, said otherwise', true, { type: 'raw', ...texts }],
    ['an address elsewhere', { $ref: 'https://example.com/a.json' }, { type: 'raw', ...texts }],
  ])('%s', (_, schema, field) => {
    expect(toField(schema, {})).toEqual(field);
  });

  test('an object names its fields and says which are needed', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: true }, required: ['a'], additionalProperties: false };
    expect(toField(schema, {})).toEqual({
      type: 'object',
      fields: [
        { name: 'a', schema: { type: 'string' }, isRequired: true },
        { name: 'b', schema: {}, isRequired: false },
      ],
      extra: undefined,
      ...texts,
    });
  });

  test('an object of unnamed fields says what they hold', () => {
    expect(toField({ type: 'object', additionalProperties: { type: 'number' } }, {})).toMatchObject({
      fields: [],
      extra: { type: 'number' },
    });
  });

  test('several types are a choice between them', () => {
    expect(toField({ type: ['string', 'null'] }, {})).toMatchObject({ type: 'union', branches: [{ title: 'text' }, { title: 'null' }] });
  });

  test('the branches of a union are named by title, by tag, or by type', () => {
    const card = { type: 'object', properties: { by: { const: 'card' }, number: { type: 'string' } } };
    expect(toField({ oneOf: [{ title: 'Cash', type: 'object' }, card, { type: 'array' }] }, {})).toMatchObject({
      type: 'union',
      branches: [{ title: 'Cash' }, { title: 'by: card' }, { title: 'list' }],
    });
  });

  test('references are followed, also those that lead back', () => {
    const root = {
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, a: { $ref: '#/$defs/a~1b' } } },
        'a/b': { type: 'boolean' },
      },
    };
    expect(toField({ $ref: '#/$defs/node', description: 'The first.' }, root)).toMatchObject({ type: 'object', description: 'The first.' });
    expect(toField({ $ref: '#/$defs/a~1b' }, root)).toMatchObject({ type: 'boolean' });
    expect(toField({ $ref: '#/$defs/loop' }, { $defs: { loop: { $ref: '#/$defs/loop' } } })).toMatchObject({ type: 'raw' });
  });

  test('the parts of allOf are put together', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    };
    expect(toField(schema, {})).toMatchObject({
      type: 'object',
      fields: [
        { name: 'a', isRequired: true },
        { name: 'b', isRequired: true },
      ],
    });
  });
});
