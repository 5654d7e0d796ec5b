import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../outcome/index.ts';
import { exportJsonSchema } from './json-schema.ts';
import { lift, lower, type SchemaTarget } from './lower.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const pet = { type: 'object', properties: { name: text }, required: ['name'] };

function at(both: object, target: SchemaTarget = 'gemini', $defs: object = {}): unknown {
  const given = { type: 'object', properties: { both }, required: ['both'], $defs } as JsonObject;
  return (lower(given, target).properties as JsonObject).both;
}

describe('the parts of an allOf become one', () => {
  test.each<[string, object, object]>([
    [
      'objects',
      { allOf: [pet, { type: 'object', properties: { age: whole }, required: ['age', 'name'] }], description: 'A pet.' },
      { type: 'object', properties: { name: text, age: whole }, required: ['name', 'age'], description: 'A pet.' },
    ],
    [
      'what stands beside them',
      { type: 'object', properties: { age: whole }, allOf: [pet] },
      { type: 'object', properties: { age: whole, name: text }, required: ['name'] },
    ],
    [
      'references',
      { allOf: [{ $ref: '#/$defs/Base' }, { properties: { next: { $ref: '#/$defs/Base' } } }] },
      { type: 'object', properties: { id: whole, next: { $ref: '#/$defs/Base' } } },
    ],
    [
      'one reference with words',
      { allOf: [{ $ref: '#/$defs/Base' }], description: 'The base.' },
      { description: 'The base.', anyOf: [{ $ref: '#/$defs/Base' }] },
    ],
    [
      'one field described twice',
      {
        allOf: [{ properties: { n: { type: 'number', minimum: 1, maximum: 9 } } }, { properties: { n: { type: 'integer', minimum: 3 } } }],
      },
      { properties: { n: { type: 'integer', minimum: 3, maximum: 9 } } },
    ],
    ['choices', { allOf: [{ type: 'string', enum: ['a', 'b', 'c'] }, { enum: ['c', 'b', 'd'] }] }, { type: 'string', enum: ['b', 'c'] }],
    ['an allOf in an allOf', { allOf: [{ allOf: [{ type: ['object', 'null'] }, pet] }] }, pet],
    [
      'an object that is closed with all its parts',
      { allOf: [pet, { properties: { age: whole } }], unevaluatedProperties: false },
      { type: 'object', properties: { name: text, age: whole }, required: ['name'], additionalProperties: false },
    ],
    [
      'a field that another part does not allow',
      { allOf: [{ ...pet, additionalProperties: false }, { properties: { age: whole } }] },
      { ...pet, additionalProperties: false },
    ],
    [
      'a union, each of whose alternatives gets the rest',
      { allOf: [pet, { oneOf: [{ properties: { barks: text } }, { properties: { purrs: text } }] }], description: 'One.' },
      {
        description: 'One.',
        anyOf: [
          { type: 'object', properties: { name: text, barks: text }, required: ['name'] },
          { type: 'object', properties: { name: text, purrs: text }, required: ['name'] },
        ],
      },
    ],
  ])('%s', (_, given, expected) => {
    expect(at(given, 'gemini', { Base: { type: 'object', properties: { id: whole } } })).toEqual(expected);
  });

  test.each<SchemaTarget>(['openai-strict', 'openai', 'anthropic', 'gemini'])('at the root, for %s', (target) => {
    const given = { allOf: [pet, { type: 'object', properties: { age: whole }, required: ['age'] }] } as unknown as JsonObject;
    expect(lower(given, target)).toMatchObject({ type: 'object', properties: { name: text, age: whole }, required: ['name', 'age'] });
  });

  test('for OpenAI in strict mode, which fills in nulls that are taken out again', () => {
    const given = exportJsonSchema(
      z.object({ both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().optional() })) }),
      'input',
    );
    expect(lower(given, 'openai-strict').properties).toMatchObject({
      both: { properties: { a: text, b: { type: ['number', 'null'] } }, required: ['a', 'b'], additionalProperties: false },
    });
    expect(lift({ both: { a: 'x', b: null } }, given)).toEqual({ both: { a: 'x' } });
  });

  test('whose nulls are taken out of the alternatives too', () => {
    const both = { allOf: [{ properties: { a: text } }, { anyOf: [{ properties: { b: text } }, { properties: { c: text } }] }] };
    const given = { type: 'object', properties: { both } } as unknown as JsonObject;
    expect(lift({ both: { a: null, c: null } }, given)).toEqual({ both: {} });
  });
});

describe('what no single schema can express is refused', () => {
  const knot = { properties: { left: { $ref: '#/$defs/A' }, right: { $ref: '#/$defs/B' } } };
  test.each<[string, object, string]>([
    ['two types', { allOf: [text, whole] }, 'its allOf parts contradict each other: the type is "string" in one and "integer" in another'],
    [
      'two constants',
      { allOf: [{ const: 1 }, { const: 2 }] },
      'its allOf parts contradict each other: the const is 1 in one and 2 in another',
    ],
    [
      'a constant that is no choice',
      { allOf: [{ const: 1 }, { enum: [2] }] },
      'its allOf parts contradict each other: the const is 1 in one and [2] in another',
    ],
    [
      'choices of which none is left',
      { allOf: [{ enum: [1] }, { enum: [2] }] },
      'its allOf parts contradict each other: the enum is [1] in one and [2] in another',
    ],
    [
      'a field that is needed and not allowed',
      { allOf: [{ ...pet, additionalProperties: false }, { properties: { age: whole } }, { required: ['age'] }] },
      'its allOf parts contradict each other: one needs "age", another does not allow it',
    ],
    [
      'two patterns',
      { allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
      'its allOf parts differ in pattern, and one schema cannot express both',
    ],
    [
      'two unions',
      { allOf: [{ anyOf: [text, whole] }, { anyOf: [text, pet] }] },
      'its allOf parts differ in anyOf, and one schema cannot express both',
    ],
    ['a part that allows nothing', { allOf: [false] }, 'one part of its allOf allows nothing'],
    ['a negation', { allOf: [text, { not: { const: 'a' } }] }, 'it uses not'],
  ])('%s', (_, given, why) => {
    expect(() => at(given)).toThrow(`the field "both" cannot be lowered: ${why}`);
  });

  test('parts that refer to each other without end', () => {
    const $defs = { A: { ...knot, title: 'A' }, B: { properties: { left: { $ref: '#/$defs/B' }, right: { $ref: '#/$defs/A' } } } };
    const given = { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] };
    expect(() => at(given, 'gemini', $defs)).toThrow('the parts of its allOf are too many, or refer to each other without end');
  });

  test('a part that is its own part adds nothing', () => {
    const $defs = { A: { ...pet, allOf: [{ $ref: '#/$defs/A' }] } };
    expect(at({ allOf: [{ $ref: '#/$defs/A' }, {}] }, 'gemini', $defs)).toEqual(pet);
  });
});
