import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/outcome/index.ts';
import { fromJsonSchema } from '../../parts/schemas/index.ts';
import { diffTools } from './diff-tools.ts';
import { createRandom } from './generate-random.ts';
import { generateValue } from './generate-value.ts';
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
    { numRuns: 1_000, seed: 3 },
  );
  expect(judged).toBeGreaterThan(100);
});
