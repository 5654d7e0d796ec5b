import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { toCutForm, toOutputSchema } from './to-output-schema.ts';

const tree = {
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/name' },
    children: { type: 'array', items: { $ref: '#' } },
    // Fields that are called like keywords.
    $ref: { type: 'string' },
    default: { $ref: '#/$defs/name' },
  },
  required: ['name'],
  additionalProperties: false,
  examples: [{ $ref: '#/not/a/reference' }],
  $defs: { name: { type: 'string' } },
};
const check = new Ajv2020({ strict: false }).compile(toOutputSchema(tree));

describe('an output schema for clients that check results', () => {
  test.each<[string, unknown, boolean]>([
    ['a result', { name: 'a', children: [{ name: 'b', children: [] }] }, true],
    ['a result with fields named like keywords', { name: 'a', $ref: '#/x', default: 'b' }, true],
    ['a broken result', { name: 1 }, false],
    ['a result that is broken further down', { name: 'a', children: [{ name: 2 }] }, false],
    ['a broken field named like a keyword', { name: 'a', default: 3 }, false],
    ['a pending call', { pending: { handle: 'h', reason: 'running', pollAfterMs: 5 } }, true],
    ['a pending call without its handle', { pending: {} }, false],
    ['a cut result', toCutForm({ children: [] }), true],
    ['anything else', { other: true }, false],
    ['no object', 'text', false],
  ])('says of %s that it fits: %3$s', (_, value, fits) => expect(check(value)).toBe(fits));

  test('leaves values alone that look like references', () => {
    expect(toOutputSchema(tree)).toMatchObject({ type: 'object', anyOf: [{ examples: [{ $ref: '#/not/a/reference' }] }, {}, {}] });
  });

  test('claims no type for results that are none', () => {
    expect(toOutputSchema({ type: 'array', items: { $ref: '#' } })).toMatchObject({
      anyOf: [{ type: 'array', items: { $ref: '#/anyOf/0' } }, {}, {}],
    });
    expect(toOutputSchema({ type: 'array' })).not.toHaveProperty('type');
  });
});
