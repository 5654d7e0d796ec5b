import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../outcome/index.ts';
import { exportJsonSchema } from './json-schema.ts';
import { lift, lower, type SchemaTarget } from './lower.ts';

const schema = z.object({
  city: z.string().min(2).describe('Where.'),
  days: z.number().int().min(1).max(7).optional(),
  unit: z.enum(['celsius', 'kelvin']).optional(),
  site: z.url().optional(),
  stops: z.array(z.object({ name: z.string(), note: z.string().optional() })).optional(),
  comment: z.string().nullable().optional(),
});
const json = exportJsonSchema(schema, 'input');

describe('openai-strict', () => {
  test('requires every field, makes optional ones nullable, and closes every object', () => {
    expect(lower(json, 'openai-strict')).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Where. (minLength: 2)' },
        days: { type: ['integer', 'null'], minimum: 1, maximum: 7 },
        unit: { anyOf: [{ type: 'string', enum: ['celsius', 'kelvin'] }, { type: 'null' }] },
        site: { type: ['string', 'null'], description: '(format: uri)' },
        stops: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, note: { type: ['string', 'null'] } },
            required: ['name', 'note'],
            additionalProperties: false,
          },
        },
        comment: { type: ['string', 'null'] },
      },
      required: ['city', 'days', 'unit', 'site', 'stops', 'comment'],
      additionalProperties: false,
    });
  });

  const object = (properties: object) => ({ type: 'object', properties }) as JsonObject;
  test.each([
    [
      'fields of any name',
      exportJsonSchema(z.object({ map: z.record(z.string(), z.number()) }), 'input'),
      /"map" cannot be lowered: it takes fields of any name/,
    ],
    [
      'an intersection of a text and a number',
      object({ inner: object({ both: { allOf: [{ type: 'string' }, { type: 'number' }] } }) }),
      /"inner\.both" cannot be lowered: its allOf parts contradict each other: the type is "string" in one and "number" in another/,
    ],
    ['a field that takes anything', object({ rest: { description: 'Whatever.' } }), /"rest" cannot be lowered: it takes anything/],
    ['a tuple', object({ pair: { type: 'array', prefixItems: [{ type: 'string' }] } }), /"pair" cannot be lowered: it uses prefixItems/],
  ])('says where %s cannot be lowered', (_what, given, message) => {
    expect(() => lower(given, 'openai-strict')).toThrow(message);
  });
});

test.each<SchemaTarget>(['openai-strict', 'gemini'])('%s gets nothing beside a reference', (target) => {
  const $defs = { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false } };
  const given = { type: 'object', properties: { at: { $ref: '#/$defs/point', description: 'Where.' } }, required: ['at'], $defs };
  const { properties } = lower(given, target) as unknown as { properties: { at: unknown } };
  expect(properties.at).toEqual({ description: 'Where.', anyOf: [{ $ref: '#/$defs/point' }] });
});

test('openai-strict reads of a pattern that looks around', () => {
  const given = { type: 'object', properties: { word: { type: 'string', pattern: '^(?!a)' } }, required: ['word'] };
  expect(lower(given, 'openai-strict').properties).toEqual({ word: { type: 'string', description: '(pattern: "^(?!a)")' } });
});

test('gemini gets only the keywords it knows', () => {
  const lowered = lower(
    exportJsonSchema(z.object({ n: z.number().gt(0), kind: z.literal('a'), word: z.string().regex(/^a/) }), 'input'),
    'gemini',
  );
  expect(lowered.properties).toEqual({
    n: { type: 'number', description: '(exclusiveMinimum: 0)' },
    kind: { type: 'string', enum: ['a'] },
    word: { type: 'string', description: '(pattern: "^a")' },
  });
});

test.each<SchemaTarget>(['anthropic', 'mcp'])('%s keeps the schema as it is', (target) => {
  expect(lower({ $schema: 'x', ...json }, target)).toEqual(json);
});

test('a root that is no object, or a union where none may be, is refused', () => {
  expect(() => lower({ type: 'string' }, 'mcp')).toThrow(/the root must be an object/);
  const union = { type: 'object', anyOf: [{ type: 'object' }] };
  expect(() => lower(union, 'anthropic')).toThrow(/the root must not be a union/);
  expect(lower(union, 'mcp')).toEqual(union);
});

test('lowering changes nothing in the schema it is given', () => {
  const before = JSON.stringify(json);
  lower(json, 'openai-strict');
  expect(JSON.stringify(json)).toBe(before);
});

test('lift takes out the nulls that were filled in, and no others', () => {
  const filled = { city: 'Oslo', days: null, unit: null, site: null, stops: [{ name: 'a', note: null }], comment: null };
  expect(lift(filled, json)).toEqual({ city: 'Oslo', stops: [{ name: 'a' }], comment: null });
  expect(lift({ city: null }, json)).toEqual({ city: null });
  expect(lift('not an object', json)).toBe('not an object');
});

test('what a model fills in by the lowered schema is valid again once lifted', () => {
  const optional = { days: fc.constantFrom(1, 7), unit: fc.constantFrom('celsius', 'kelvin'), site: fc.constant('https://example.com') };
  const valid = fc.record({ city: fc.string({ minLength: 2 }), comment: fc.option(fc.string()), ...optional }, { requiredKeys: ['city'] });
  fc.assert(
    fc.property(valid, (args) => {
      const filled = { days: null, unit: null, site: null, stops: null, ...args };
      expect(lift(filled, json)).toEqual(args);
      expect(schema.safeParse(lift(filled, json)).success).toBe(true);
    }),
  );
});

describe('schemas that providers refuse', () => {
  const object = (a: JsonObject): JsonObject => ({ type: 'object', properties: { a }, required: ['a'] });

  test.each<SchemaTarget>(['openai-strict', 'gemini'])('%s finds the definitions of an older draft under their newer name', (target) => {
    const schema = { ...object({ $ref: '#/definitions/A' }), definitions: { A: { type: 'string' } } };
    expect(lower(schema, target)).toMatchObject({ properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } });
    expect(lower(schema, target)).not.toHaveProperty('description');
  });

  test('an object that may be null is closed, too', () => {
    expect(lower(object({ type: ['object', 'null'], properties: { x: { type: 'string' } } }), 'openai-strict').properties).toEqual({
      a: { type: ['object', 'null'], properties: { x: { type: ['string', 'null'] } }, required: ['x'], additionalProperties: false },
    });
  });

  test('a list says something about its items', () => {
    expect(lower(object({ type: 'array' }), 'openai').properties).toEqual({ a: { type: 'array', items: {} } });
    expect(() => lower(object({ type: 'array' }), 'openai-strict')).toThrow('the field "a.*" cannot be lowered: it takes anything');
  });

  test('two unions in one place cannot be written as one', () => {
    const both = object({ anyOf: [{ type: 'string' }], oneOf: [{ type: 'string' }] });
    expect(() => lower(both, 'gemini')).toThrow('it uses oneOf beside anyOf');
  });

  test('a field that takes anything is refused where all is fixed, and written as a schema elsewhere', () => {
    const schema: JsonObject = { type: 'object', properties: { a: true } };
    expect(() => lower(schema, 'openai-strict')).toThrow('it takes anything');
    expect(lower(schema, 'gemini').properties).toEqual({ a: {} });
  });

  test('an optional choice that may be null can be left out', () => {
    const schema: JsonObject = { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x'] } } };
    expect(lower(schema, 'openai-strict').properties).toEqual({ a: { type: ['string', 'null'], enum: ['x', null] } });
  });
});

describe('lift takes out the nulls', () => {
  const note: JsonObject = { type: 'object', properties: { text: { type: 'string' } } };

  test('inside lists that may be something else', () => {
    const schema: JsonObject = { type: 'object', properties: { notes: { anyOf: [{ type: 'array', items: note }, { type: 'null' }] } } };
    expect(lift({ notes: [{ text: null }] }, schema)).toEqual({ notes: [{}] });
  });

  test('by the branch of a union that the fixed values of a value select', () => {
    const branch = (kind: string, required: string[], text: JsonObject): JsonObject => ({
      type: 'object',
      properties: { kind: { const: kind }, text },
      required: ['kind', ...required],
    });
    const a = branch('a', ['text'], { type: ['string', 'null'] });
    const schema: JsonObject = { type: 'object', properties: { one: { anyOf: [a, branch('b', [], { type: 'string' })] } } };
    expect(lift({ one: { kind: 'b', text: null } }, schema)).toEqual({ one: { kind: 'b' } });
    expect(lift({ one: { kind: 'a', text: null } }, schema)).toEqual({ one: { kind: 'a', text: null } });
  });
});
