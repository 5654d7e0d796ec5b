import { expect, test } from 'vitest';
import type { JsonObject } from '../outcome/index.ts';
import { redirectReferences } from './redirect-references.ts';

test.each<[string, JsonObject, JsonObject]>([
  ['to the root', { items: { $ref: '#' } }, { items: { $ref: '#/$defs/x' } }],
  ['to a definition', { anyOf: [{ $ref: '#/$defs/a' }] }, { anyOf: [{ $ref: '#/$defs/x/$defs/a' }] }],
  ['of a field whose name is a keyword', { properties: { const: { $ref: '#' } } }, { properties: { const: { $ref: '#/$defs/x' } } }],
])('leads a reference %s to the new place', (_what, schema, moved) => {
  expect(redirectReferences(schema, '#/$defs/x')).toEqual(moved);
});

test.each<[string, JsonObject]>([
  ['to another document', { $ref: 'https://example.com/schema#/a' }],
  ['to an anchor', { $ref: '#here' }],
  ['below an id of its own', { items: { $id: 'https://example.com/own', properties: { a: { $ref: '#/b' } } } }],
  ['in a value', { const: { $ref: '#' }, default: { $ref: '#' } }],
  ['that is the name of a field', { properties: { $ref: { type: 'string' } } }],
])('leaves one %s alone', (_what, schema) => {
  expect(redirectReferences(schema, '#/$defs/x')).toEqual(schema);
});
