import { fromJsonSchema } from '@toolpact/openapi';
import fc from 'fast-check';
import type { JsonObject } from 'toolpact';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { createRandom } from '../tools/generate/generate-random.ts';
import { generateValue } from '../tools/generate/generate-value.ts';
import { diffSchemas } from './diff-schemas.ts';
import { diffTools } from './diff-tools.ts';
import type { ToolLock } from './lock-tools.ts';

const limit = fc.integer({ min: 0, max: 4 });
const pick = (...parts: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> => fc.oneof(...parts);
const { object } = fc.letrec<{ object: JsonObject; field: JsonObject }>((tie) => ({
  object: fc
    .record({ fields: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('field'), { maxKeys: 3 }), needs: fc.subarray(['a', 'b', 'c']) })
    .map(({ fields, needs }) => ({ type: 'object', properties: fields, required: needs.filter((name) => name in fields) })),
  field: fc.oneof(
    { maxDepth: 2 },
    pick(
      fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null') }),
      fc.record({ type: fc.constantFrom(['string', 'null'], ['integer', 'string'], ['number', 'null']) }),
      fc.record({ type: fc.constant('string'), minLength: limit, maxLength: fc.integer({ min: 4, max: 8 }) }, { requiredKeys: ['type'] }),
      fc.record(
        { type: fc.constantFrom('number', 'integer'), minimum: limit, maximum: fc.integer({ min: 4, max: 8 }) },
        { requiredKeys: ['type'] },
      ),
      fc.record({ enum: fc.subarray(['x', 'y', 1, null], { minLength: 1 }) }),
      fc.record({ const: fc.constantFrom('x', 1) }),
      fc.constant({}),
    ),
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('field'), minItems: limit }, { requiredKeys: ['type'] }) as fc.Arbitrary<JsonObject>,
    fc.record({ anyOf: fc.array(tie('field'), { minLength: 1, maxLength: 2 }) }) as fc.Arbitrary<JsonObject>,
  ) as fc.Arbitrary<JsonObject>,
}));

/** One or two keywords of a field, changed. */
const tweak = fc.record(
  {
    type: fc.constantFrom('string', 'number', 'integer', ['string', 'null']),
    minimum: limit,
    maximum: fc.integer({ min: 4, max: 8 }),
    minLength: limit,
    maxLength: fc.integer({ min: 4, max: 8 }),
    minItems: limit,
    enum: fc.subarray(['x', 'y', 1, null], { minLength: 1 }),
    anyOf: fc.constantFrom([{ type: 'string' }, { type: 'null' }], [{ minLength: 2 }], [{ type: 'number' }, {}]),
    oneOf: fc.constantFrom([{ type: 'string' }, { type: 'null' }], [{ minLength: 2 }, { type: 'string' }]),
    allOf: fc.constantFrom([{ minimum: 2 }, { maximum: 6 }], [{ minLength: 1 }, { minLength: 3 }], [{ type: 'string' }]),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const lockOf = (input: JsonObject, output: JsonObject, fingerprint: string): ToolLock => ({
  v: 1,
  tools: { t: { fingerprint, effects: 'none', input, output, description: '' } },
});
const breaks = (before: JsonObject, after: JsonObject, side: 'input' | 'output'): boolean => {
  const locks = side === 'input' ? [lockOf(before, {}, 'a'), lockOf(after, {}, 'b')] : [lockOf({}, before, 'a'), lockOf({}, after, 'b')];
  return diffTools(locks[0] as ToolLock, locks[1] as ToolLock).some(({ level }) => level === 'breaking');
};
const fits = (schema: JsonObject, value: unknown): boolean => !('issues' in fromJsonSchema(schema)['~standard'].validate(value));

/** Changes that stand where they are easily overlooked; each made a value that fitted fit no longer. */
test.each<[string, JsonObject, JsonObject, string]>([
  ['a required field without a description', { type: 'object' }, { type: 'object', required: ['x'] }, 'x: the field is required now'],
  [
    'a definition that is only referred to from within',
    { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/definitions/x' } } }, definitions: { x: { type: 'string' } } },
    { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/definitions/x' } } }, definitions: { x: { type: 'number' } } },
    'a[]: it was string and is number now',
  ],
  [
    'a definition behind one of several forms',
    { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#/$defs/x' } }], $defs: { x: { maxLength: 9 } } },
    { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#/$defs/x' } }], $defs: { x: { maxLength: 5 } } },
    '[]: maxLength went from 9 to 5',
  ],
  [
    'forms of which only one may fit',
    { anyOf: [{ type: 'string' }, { minLength: 2 }] },
    { oneOf: [{ type: 'string' }, { minLength: 2 }] },
    'no more than one of its forms may fit now',
  ],
  [
    'one of two choices',
    { anyOf: [{ type: 'string' }], oneOf: [{ minLength: 2 }, { maxLength: 1 }] },
    { anyOf: [{ type: 'string' }], oneOf: [{ minLength: 2 }] },
    'oneOf changed',
  ],
  [
    'a choice beside other rules',
    { type: 'object', properties: { a: {}, b: {} } },
    { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    'it became a choice between several forms',
  ],
  ['the items of a list of fixed length', { items: [{ type: 'string' }] }, { items: [{ type: 'number' }] }, 'items changed'],
  [
    'the stricter of two limits',
    { allOf: [{ minimum: 5 }, { minimum: 3 }] },
    { allOf: [{ minimum: 9 }, { minimum: 3 }] },
    'minimum went from 5 to 9',
  ],
  [
    'a limit beside a reference',
    { $ref: '#/$defs/a', maxLength: 9, $defs: { a: { maxLength: 5 } } },
    { $ref: '#/$defs/a', maxLength: 9, $defs: { a: { maxLength: 4 } } },
    'maxLength went from 5 to 4',
  ],
  [
    'the first of two patterns',
    { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    { allOf: [{ pattern: 'c' }, { pattern: 'b' }] },
    'allOf changed',
  ],
  ['a keyword that is not known here', { unevaluatedProperties: true }, { unevaluatedProperties: false }, 'unevaluatedProperties changed'],
])('%s is not overlooked', (_, before, after, message) => {
  expect(breaks(before, after, 'input')).toBe(true);
  expect(diffSchemas(before, after).map((change) => `${change.path}: ${change.message}`.replace(/^: /, ''))).toEqual([message]);
});

test.each<[string, JsonObject, JsonObject, string[]]>([
  ['null besides', { type: 'string' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }, ['null can be given too']],
  [
    'null besides, stated at the top',
    { type: 'string', description: 'Who.' },
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Who.' },
    ['null can be given too'],
  ],
  ['several forms besides', { type: 'string' }, { anyOf: [{ type: 'string' }, {}, { not: {} }] }, ['2 forms can be given too']],
  ['no longer a choice', { anyOf: [{ type: 'string' }] }, {}, ['it is no longer a choice between several forms']],
  ['a length of at least nothing', { type: 'string' }, { type: 'string', minLength: 0 }, []],
  ['a rule that is switched off', { type: 'array' }, { type: 'array', uniqueItems: false }, []],
  ['any other field', { additionalProperties: {} }, { additionalProperties: true }, []],
  ['a remark', { $comment: 'a', 'x-order': 1 }, { $comment: 'b', 'x-order': 2 }, []],
])('%s breaks no caller', (_, before, after, messages) => {
  expect(breaks(before, after, 'input')).toBe(false);
  expect(diffSchemas(before, after).map(({ message }) => message)).toEqual(messages);
});

test('null that may come back breaks those who read', () => {
  expect(breaks({ type: 'string' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'output')).toBe(true);
});

test.each(['input', 'output'] as const)('what fitted one side still fits the other where no change of the %s is breaking', (side) => {
  let judged = 0;
  fc.assert(
    fc.property(object, object, tweak, fc.nat(), (before, other, change, seed) => {
      // Two drawn apart nearly always break; one that differs in a field, or in a keyword of a field, often does not.
      const own = before.properties as Record<string, JsonObject>;
      const tweaked = Object.fromEntries(Object.entries(own).map(([name, field]) => [name, { ...field, ...change }]));
      const properties = [tweaked, tweaked, { ...own, ...(other.properties as JsonObject) }, own][seed % 4] as JsonObject;
      const after = { ...before, properties, required: seed % 5 === 0 ? [] : (before.required as never) };
      const [given, read] = side === 'input' ? [before, after] : [after, before];
      if (breaks(before, after, side)) return;
      for (const extent of ['usual', 'least', 'most'] as const) {
        const value = generateValue(given, given, createRandom(seed), extent) as Record<string, unknown>;
        // A field that only one of them knows is anything to the other.
        const known = Object.fromEntries(Object.entries(value).filter(([name]) => name in (read.properties as object)));
        const shown = side === 'input' ? value : known;
        if (!fits(given, shown)) continue;
        judged += 1;
        expect({ before, after, shown, fits: fits(read, shown) }).toMatchObject({ fits: true });
      }
    }),
    propertyRuns(1_000),
  );
  expect(judged).toBeGreaterThan(20);
});
