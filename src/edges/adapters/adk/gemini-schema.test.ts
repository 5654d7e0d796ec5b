import { expect, test } from 'vitest';
import { fromGeminiSchema } from './gemini-schema.ts';

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['types', { type: 'STRING', format: 'date' }, { type: 'string', format: 'date' }],
  ['a type that is not stated', { type: 'TYPE_UNSPECIFIED', title: 'Any' }, { title: 'Any' }],
  ['numbers that are written as text', { type: 'ARRAY', minItems: '1', maxItems: '3' }, { type: 'array', minItems: 1, maxItems: 3 }],
  ['what may be null', { type: 'STRING', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
  [
    'a union that may be null',
    { anyOf: [{ type: 'STRING' }], nullable: true },
    { anyOf: [{ anyOf: [{ type: 'string' }] }, { type: 'null' }] },
  ],
  [
    'fields and items',
    { type: 'OBJECT', propertyOrdering: ['a'], properties: { a: { type: 'ARRAY', items: { type: 'INTEGER', example: 4 } } } },
    { type: 'object', properties: { a: { type: 'array', items: { type: 'integer', examples: [4] } } } },
  ],
  ['JSON Schema', { type: ['string', 'null'], minLength: 2 }, { type: ['string', 'null'], minLength: 2 }],
])('%s of Gemini are written as JSON Schema', (_, gemini, json) => expect(fromGeminiSchema(gemini)).toEqual(json));
