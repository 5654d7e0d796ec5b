import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { processorMs } from '../../../../proofs/fixtures/processor-time.ts';
import { fromJsonSchema } from './index.ts';

// A schema from elsewhere may be small and cost a lot, or need only one strange value to do so. Whatever it is, checking one value takes less
// than half a second of processor time: the schema is refused, the value is refused, or both are simply fine.

type Schema = Record<string, unknown>;

/** Definitions that each use the one before twice: n of them unfold to 2^n. */
function chain(length: number, step: (ref: Schema) => Schema, last: Schema = { type: 'string' }): Schema {
  const $defs: Record<string, Schema> = { a0: last };
  for (let at = 1; at <= length; at += 1) $defs[`a${at}`] = step({ $ref: `#/$defs/a${at - 1}` });
  return { $ref: `#/$defs/a${length}`, $defs };
}

function nested(depth: number, wrap: (inner: unknown) => unknown, last: unknown): unknown {
  let value = last;
  for (let at = 0; at < depth; at += 1) value = wrap(value);
  return value;
}

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const names = (length: number): string[] => range(length).map((index) => `field_${index}`);
const wide = (length: number): Schema => Object.fromEntries(names(length).map((name) => [name, 1]));
const objects = (length: number): Schema[] => range(length).map((index) => ({ a: { b: index } }));
const deepChild = nested(60, (child) => ({ child }), {});

const hostile: readonly (readonly [what: string, schema: Schema, value: unknown])[] = [
  // Unfolding at one place.
  ['anyOf twice, 14 times', chain(14, (ref) => ({ anyOf: [ref, ref] })), 1],
  ['anyOf twice, 30 times', chain(30, (ref) => ({ anyOf: [ref, ref] })), 1],
  ['anyOf twice, 100 times', chain(100, (ref) => ({ anyOf: [ref, ref] })), 1],
  ['allOf twice, 20 times', chain(20, (ref) => ({ allOf: [ref, ref] })), 'fits'],
  ['allOf twice, 30 times, nothing fits', chain(30, (ref) => ({ allOf: [ref, ref] })), 1],
  ['allOf twice, 300 times', chain(300, (ref) => ({ allOf: [ref, ref] })), 'fits'],
  ['oneOf twice, 30 times', chain(30, (ref) => ({ oneOf: [ref, ref] })), 'fits'],
  ['oneOf with something else, 30 times', chain(30, (ref) => ({ oneOf: [ref, { type: 'null' }, ref] })), 1],
  ['not not, 30 times', chain(30, (ref) => ({ not: { anyOf: [ref, ref] } })), 1],
  ['if then else, 30 times', chain(30, (ref) => ({ if: ref, then: ref, else: ref })), 1],
  ['dependentSchemas, 30 times', chain(30, (ref) => ({ dependentSchemas: { a: ref, b: ref } }), { required: ['c'] }), { a: 1, b: 1 }],
  ['anyOf with a type at each step', chain(30, (ref) => ({ type: 'integer', anyOf: [ref, ref] })), 1],
  ['ten alternatives, 12 times', chain(12, (ref) => ({ anyOf: range(10).map(() => ref) })), 1],
  ['a reference in a reference, 30 times', chain(30, (ref) => ({ ...ref, allOf: [ref] })), 'fits'],
  // Unfolding along the value.
  ['two branches at every level of a value', branching(), deepChild],
  ['two branches of a list at every level', branchingList(), nested(60, (item) => [item], 1)],
  ['additionalProperties at every level', chain(40, (ref) => ({ additionalProperties: { anyOf: [ref, ref] } })), deepChild],
  ['propertyNames at every level', chain(20, (ref) => ({ propertyNames: { anyOf: [ref, ref] } }), { pattern: '^x' }), { child: 1 }],
  [
    'items and prefixItems',
    chain(30, (ref) => ({ prefixItems: [ref], allOf: [{ items: ref }] })),
    nested(40, (item) => [item, item].slice(0, 1), 'x'),
  ],
  ['contains at every level', chain(30, (ref) => ({ contains: { anyOf: [ref, ref] } })), nested(40, (item) => [item], 1)],
  // Values of many parts.
  ['uniqueItems of objects', { type: 'array', uniqueItems: true }, objects(40_000)],
  ['uniqueItems of lists', { type: 'array', uniqueItems: true }, range(60_000).map((item) => [item])],
  ['uniqueItems of long texts', { type: 'array', uniqueItems: true }, range(1_000).map((item) => 'x'.repeat(1_000) + item)],
  ['an enum of objects for each item', { items: { enum: objects(5_000) } }, objects(5_000).reverse()],
  ['a large const for each item', { items: { not: { const: objects(2_000) } } }, range(2_000).map(() => objects(20))],
  ['1,000 lengths of a long text', { anyOf: range(1_000).map((at) => ({ minLength: 2_000_000 + at })) }, 'x'.repeat(1_000_000)],
  ['1,000 patterns of a long text', { anyOf: range(1_000).map((at) => ({ pattern: `(a|b)*c{${at % 9}}d$` })) }, 'ab'.repeat(100_000)],
  ['500 patterns for 20,000 names', { patternProperties: patterns(500) }, wide(20_000)],
  ['20,000 names that are not allowed', { type: 'object', properties: { a: {} }, additionalProperties: false }, wide(70_000)],
  ['20,000 names left over', { type: 'object', properties: { a: {} }, unevaluatedProperties: false }, wide(70_000)],
  ['70,000 names that all break a rule', { additionalProperties: { type: 'string' } }, wide(70_000)],
  ['10,000 names required of 10,000 items', { items: { required: names(10_000) } }, range(10_000).map(() => wide(2))],
  ['200,000 items that all break a rule', { items: { type: 'string' } }, range(200_000)],
  ['alternatives for 100,000 items', { items: { anyOf: range(60).map((at) => ({ const: `none ${at}` })) } }, range(100_000)],
  [
    'a value nested 50,000 deep',
    { $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
    nested(50_000, (item) => [item], 1),
  ],
  // Schemas of many parts, or without end.
  ['30,000 parts', { anyOf: range(30_000).map((at) => ({ const: at })) }, -1],
  [
    '5,000 properties',
    { type: 'object', properties: Object.fromEntries(names(5_000).map((name) => [name, { type: 'string' }])) },
    wide(5_000),
  ],
  ['one large definition, used 2,000 times', shared(), { field_1: {} }],
  ['a schema nested 3,000 deep', nested(3_000, (inner) => ({ properties: { a: inner } }), {}) as Schema, {}],
  ['a schema that is its own alternative', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
  ['two definitions that are each other', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, {}],
  ['a schema hidden in an enum', hidden('enum', 'enum/0'), 1],
  ['a schema hidden in a default', hidden('default', 'default/0'), 1],
  ['a schema hidden in an unknown keyword', hidden('x-schemas', 'x-schemas/0'), 1],
  ['a schema hidden in examples, by an anchor', { examples: [chain(30, (ref) => ({ anyOf: [ref, ref] }))], $ref: '#/examples/0' }, 1],
  ['dynamic references', { $dynamicAnchor: 'node', anyOf: [{ $dynamicRef: '#node' }, { $dynamicRef: '#node' }] }, 1],
];

describe(`${hostile.length} hostile schemas`, () => {
  test.each(hostile)('%s', async (_, schema, value) => {
    const tookMs = await processorMs(500, () => {
      try {
        const result = fromJsonSchema(schema, { maxParts: 1_000 })['~standard'].validate(value);
        expect(result).toEqual(expect.objectContaining('issues' in result ? { issues: expect.any(Array) } : { value }));
      } catch (thrown) {
        expect(String(thrown)).toContain('this JSON Schema cannot be used: ');
      }
    });
    expect(tookMs).toBeLessThan(500);
  });
});

/** Calls a tool whose one argument has a schema. What is wrong with it is explained then, which must not cost more than to find it. */
async function callWith({ $defs, ...schema }: Schema, value: unknown): Promise<string> {
  const input = fromJsonSchema({ type: 'object', properties: { v: schema }, ...($defs !== undefined && { $defs }) }, { maxParts: 1_000 });
  const tool = defineTool({ name: 'act', description: 'x', input, effects: 'none', run: () => 'done' });
  const { status } = await createToolbox([tool], { report: () => undefined }).call('act', { v: value });
  return status;
}

describe('a call', () => {
  const patterns = ['^(a+)+$', '^([a-z]|[a-m])+$', '^(a|a)*$', '^a*a*a*a*$', '(a+)+!!', '^(\\w+)+$'];
  const texts = patterns.map((pattern) => [pattern, { type: 'string', pattern }, `${'a'.repeat(5_000)}\n`] as const);
  test.each([...hostile, ...texts])('is answered soon: %s', async (_, schema, value) => {
    const tookMs = await processorMs(500, async () => {
      try {
        expect(await callWith(schema, value)).toMatch(/^(?:ok|error)$/);
      } catch (thrown) {
        expect(String(thrown)).toMatch(/this JSON Schema cannot be used: |cannot be exported/);
      }
    });
    expect(tookMs).toBeLessThan(500);
  });
});

test('a value that costs too much to check is refused with that reason', () => {
  const schema = fromJsonSchema(chain(30, (ref) => ({ anyOf: [ref, ref] })));
  expect(schema['~standard'].validate(1)).toEqual({ issues: [{ message: 'cannot be checked: that would cost too much' }] });
});

test('a large value that fits is checked as a whole', () => {
  const people = range(20_000).map((id) => ({ id, name: `Ann ${id}`, email: `ann${id}@example.com`, tags: ['a', 'b'] }));
  const schema = fromJsonSchema({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', pattern: '^\\w+ \\d+$' },
        email: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$' },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
      },
      required: ['id', 'name', 'email'],
      additionalProperties: false,
    },
  });
  expect(schema['~standard'].validate(people)).toEqual({ value: people });
  expect(schema['~standard'].validate([...people, { id: 'x' }])).toMatchObject({ issues: [{ path: [20_000, expect.any(String)] }] });
});

function branching(): Schema {
  const child = { properties: { child: { $ref: '#/$defs/node' } } };
  return {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        anyOf: [
          { ...child, required: ['x'] },
          { ...child, required: ['y'] },
        ],
      },
    },
  };
}

function branchingList(): Schema {
  const list = { type: 'array', items: { $ref: '#/$defs/node' } };
  return { $ref: '#/$defs/node', $defs: { node: { oneOf: [list, list, { type: 'string' }] } } };
}

function patterns(count: number): Record<string, Schema> {
  return Object.fromEntries(range(count).map((at) => [`^(a|b|f)*field.*${at}$`, { type: 'string' }]));
}

function shared(): Schema {
  const large = { type: 'object', properties: Object.fromEntries(names(500).map((name) => [name, { type: 'string' }])) };
  return { properties: Object.fromEntries(names(2_000).map((name) => [name, { $ref: '#/$defs/large' }])), $defs: { large } };
}

/** A schema that unfolds to 2^30, at a place where a validator looks for values and not for schemas. */
function hidden(keyword: string, place: string): Schema {
  const { $defs = {} } = chain(30, (ref) => ({ anyOf: [ref, ref] })) as { $defs?: Record<string, Schema> };
  const moved = Object.keys($defs).map((_, at) =>
    at === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/${keyword}/${at - 1}` }, { $ref: `#/${keyword}/${at - 1}` }] },
  );
  return { [keyword]: moved, allOf: [{ $ref: `#/${place.replace('0', String(moved.length - 1))}` }] };
}

test('large patterns count as many parts, because each takes its states to compile', () => {
  const properties = Object.fromEntries(range(50).map((at) => [`p${at}`, { pattern: `^(?:a{1,900}|b${at})$` }]));
  expect(() => fromJsonSchema({ type: 'object', properties }, { maxParts: 1_000 })).toThrow('more than 1000 parts');
  expect(() => fromJsonSchema({ type: 'object', properties: { a: { pattern: '^.{1,900}$' } } }, { maxParts: 1_000 })).not.toThrow();
});
