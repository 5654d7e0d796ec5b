import { expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../outcome/index.ts';
import { explainIssues } from './explain-issues.ts';
import { findMisfit } from './find-misfit.ts';
import { exportJsonSchema } from './index.ts';

const order = z.object({
  colour: z.enum(['red', 'blue']),
  count: z.number().int().min(1).max(9).optional(),
  to: z.union([z.string().min(3), z.object({ id: z.number() })]).optional(),
  tags: z.array(z.string().max(4)).max(2).optional(),
  mail: z.email().optional(),
  kind: z.literal('gift').optional(),
});
const schema = exportJsonSchema(order, 'input') ?? {};

test.each<[unknown, string]>([
  ['red', 'it must be of the type object, not string'],
  [{}, 'colour is missing'],
  [{ colour: 'green' }, 'colour must be one of "red", "blue"'],
  [{ colour: 'red', count: 0 }, 'count must be at least 1'],
  [{ colour: 'red', count: 10 }, 'count must be at most 9'],
  [{ colour: 'red', count: 1.5 }, 'count must be of the type integer, not number'],
  [{ colour: 'red', to: 'x' }, 'to must have characters, at least 3'],
  [{ colour: 'red', to: { id: 'x' } }, 'to must be of the type string, not object'],
  [{ colour: 'red', tags: ['long one'] }, 'tags[0] must have characters, at most 4'],
  [{ colour: 'red', tags: ['a', 'b', 'c'] }, 'tags must have items, at most 2'],
  [{ colour: 'red', kind: 'loan' }, 'kind must be one of "gift"'],
])('%j does not fit: %s', (value, problem) => {
  expect(findMisfit(schema, value)).toBe(problem);
  expect(order.safeParse(value).success).toBe(false);
});

test.each<unknown>([
  { colour: 'red' },
  { colour: 'blue', count: 9, to: 'home', tags: ['a'], kind: 'gift', more: 1 },
  { colour: 'red', to: { id: 1 } },
  // Only the schema itself knows formats.
  { colour: 'red', mail: 'nowhere' },
])('%j may fit', (value) => {
  expect(findMisfit(schema, value)).toBeUndefined();
});

test('follows references, closed objects and a schema that refers to itself', () => {
  const node = {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
    $ref: '#/$defs/node',
  };
  expect(findMisfit(node, { next: { next: {} } })).toBeUndefined();
  expect(findMisfit(node, { next: { nxt: 1 } })).toBe('next.nxt is not a known field');
});

test('compares a bounded number of parts, however many branches lead back to the schema', () => {
  const branch = { type: 'object', properties: { next: { $ref: '#' } } };
  let looks = 0;
  let value: object = {
    get next() {
      looks += 1;
      return 1;
    },
  };
  for (let depth = 0; depth < 6; depth += 1) value = { next: value };
  findMisfit({ anyOf: Array.from({ length: 8 }, () => branch) }, value);
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(10_000);
});

test.each<JsonObject>([
  { type: JSON.parse('{"toString":1}') },
  { type: [['string']] },
  { required: [JSON.parse('{"toString":1}'), null] },
  { enum: [JSON.parse('{"toString":1}'), 'a'] },
])('survives %j, which no schema states', (schema) => {
  expect(() => [findMisfit(schema, {}), findMisfit(schema, 'b'), explainIssues([{ message: 'Wrong.' }], schema, 'b')]).not.toThrow();
});
