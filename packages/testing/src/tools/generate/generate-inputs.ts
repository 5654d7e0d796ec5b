import type { JsonObject } from 'toolpact';
import { flattenSchema, isRecord, ownEntry, type SchemaPart } from 'toolpact/internal';
import { createRandom, type Random } from './generate-random.ts';
import { generateValue, plainValue } from './generate-value.ts';

/** The purpose of an input. */
export type InputSort = 'example' | 'valid' | 'boundary' | 'invalid' | 'hostile';

/** One input to try on a tool. */
export interface InputCase {
  readonly sort: InputSort;
  /** The point of this input, in a few words. */
  readonly title: string;
  readonly args: unknown;
  /** The field that is wrong, dotted; empty for the whole. */
  readonly field?: string;
}

/** The source of inputs. */
export interface InputSource {
  readonly schema: JsonObject;
  readonly examples: readonly unknown[];
  /**
   * Checks whether a value fits the schema, undefined where that is not known; such values are not tried. Undefined itself when the schema cannot
   * be checked, and then only examples are used.
   */
  readonly fits: Fits | undefined;
  readonly seed: number;
  /** Whose inputs these are; each tool has choices of its own. */
  readonly name: string;
}

type Fits = (value: unknown) => boolean | undefined;

const maxOf: Readonly<Record<InputSort, number>> = { example: 4, valid: 8, boundary: 14, invalid: 16, hostile: 12 };
const tries = 24;
/** After this many tries in a row without a fitting value, more tries are not worth their time. */
const hopeless = 12;

/** Creates the inputs that a tool is tried with, the same ones for the same seed. Valid ones fit the schema and invalid ones do not. */
export function generateInputs({ schema, examples, fits, seed, name }: InputSource): readonly InputCase[] {
  const random = createRandom(seed, name);
  const given = examples.slice(0, maxOf.example).map((args, at) => ({ sort: 'example', title: `example ${at + 1}`, args }) as const);
  if (fits === undefined) return given;
  const valid = validInputs(schema, random, fits);
  const base = given.find(({ args }) => isRecord(args) && fits(args))?.args ?? valid.find(({ args }) => isRecord(args))?.args;
  const root = isRecord(base) ? base : {};
  const boundary = boundaryInputs(schema, root, random).filter(({ args }) => fits(args));
  const invalid = invalidInputs(schema, root, random)
    .filter(({ args }) => fits(args) === false)
    // Without an input that fits, more than the one field may be wrong, so no field is named.
    .map(({ field, ...one }) => (base === undefined || field === undefined ? one : { ...one, field }));
  // Invalid inputs come first: refusing them is fast, even for a slow tool.
  return [
    ...unique(invalid, maxOf.invalid, random),
    ...given,
    ...valid,
    ...unique(boundary, maxOf.boundary, random),
    ...hostileInputs.map(([title, args]) => ({ sort: 'hostile', title, args }) as const),
  ];
}

function validInputs(schema: JsonObject, random: Random, fits: Fits): InputCase[] {
  const found = new Map<string, InputCase>();
  for (let round = 0; round < tries && found.size < maxOf.valid; round += 1) {
    const args = round === 0 ? plainValue(schema, random) : generateValue(schema, schema, random);
    if (fits(args)) found.set(JSON.stringify(args), { sort: 'valid', title: `generated ${found.size + 1}`, args });
    else if (round >= hopeless && found.size === 0) return [];
  }
  return [...found.values()];
}

function* fieldsOf(
  schema: JsonObject,
  base: SchemaPart,
  depth = 0,
  part: SchemaPart = schema,
  path: readonly string[] = [],
): Generator<Field> {
  const { properties, required } = flattenSchema(part, schema);
  if (!isRecord(properties) || depth > 2) return;
  for (const [name, described] of Object.entries(properties).slice(0, 40)) {
    if (!isRecord(described)) continue;
    const steps = [...path, name];
    yield { path: steps, part: flattenSchema(described, schema), isRequired: Array.isArray(required) && required.includes(name) };
    yield* fieldsOf(schema, base, depth + 1, described, steps);
  }
}

interface Field {
  readonly path: readonly string[];
  readonly part: SchemaPart;
  readonly isRequired: boolean;
}

function boundaryInputs(schema: JsonObject, base: SchemaPart, random: Random): InputCase[] {
  const whole = (['least', 'most'] as const).map((extent) => ({
    sort: 'boundary' as const,
    title: extent === 'least' ? 'the least that fits' : 'the most that fits',
    args: generateValue(schema, schema, random, extent),
  }));
  return [
    ...whole,
    ...[...fieldsOf(schema, base)].flatMap(({ path, part }) =>
      [
        ...(['least', 'most'] as const).map((extent) => [`${extent} of`, generateValue(part, schema, random, extent)] as const),
        ...(ownEntry(edges, part.type) ?? []),
      ].map(([title, value]) => ({ sort: 'boundary' as const, title: `${title} ${path.join('.')}`, args: put(base, path, value) })),
    ),
  ];
}

const edges: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  string: [
    ['an empty', ''],
    ['only spaces in', '   '],
    ['other scripts in', '東京 – Ωμέγα 🗾'],
    ['quotes and braces in', `'"\`{}<>\\ \${x}`],
    ['line breaks in', 'a\nb\r\n\tc'],
  ],
  number: [
    ['zero as', 0],
    ['a negative', -1],
    ['a fraction as', 0.1],
    ['a huge', 1e15],
  ],
  integer: [
    ['zero as', 0],
    ['a negative', -1],
    ['the largest safe', Number.MAX_SAFE_INTEGER],
  ],
  array: [['an empty', []]],
};

function invalidInputs(schema: JsonObject, base: SchemaPart, random: Random): InputCase[] {
  const wrong = (title: string, field: string, args: unknown): InputCase => ({ sort: 'invalid', title, field, args });
  const fields = [...fieldsOf(schema, base)];
  return [
    ...[null, [], 'text', 5].map((args) => wrong(`${JSON.stringify(args)} instead of an object`, '', args)),
    // A tool that takes no arguments may overlook those it gets: there is none that they could be mistaken for.
    ...(fields.length === 0 ? [] : [wrong('an unknown field', 'no_such_field', { ...base, no_such_field: 1 })]),
    ...fields.flatMap(({ path, part, isRequired }) => {
      const name = path.join('.');
      return [
        ...(isRequired ? [wrong(`${name} missing`, name, drop(base, path))] : []),
        ...wrongValues(part, random).map(([title, value]) => wrong(`${name}: ${title}`, name, put(base, path, value))),
      ];
    }),
  ];
}

function wrongValues(part: SchemaPart, random: Random): (readonly [string, unknown])[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } = part as Record<string, never>;
  const beyond = (limit: unknown, by: number): unknown => (typeof limit === 'number' ? limit + by : undefined);
  const length = (limit: unknown, by: number, make: (count: number) => unknown): unknown =>
    typeof limit === 'number' && limit + by >= 0 && limit < 10_000 ? make(limit + by) : undefined;
  const list = (count: number): unknown[] => Array.from({ length: count }, () => 0);
  return (
    [
      ['null', null],
      ['a text', 'not-this'],
      ['a number', 12.5],
      ['a boolean', true],
      ['an object', { a: 1 }],
      ['a list', [random.int(1, 9)]],
      ['below the minimum', beyond(minimum, -1) ?? exclusiveMinimum],
      ['above the maximum', beyond(maximum, 1) ?? exclusiveMaximum],
      ['too short', length(minLength, -1, (count) => 'a'.repeat(count))],
      ['too long', length(maxLength, 1, (count) => 'a'.repeat(count))],
      ['too few items', length(minItems, -1, list)],
      ['too many items', length(maxItems, 1, list)],
    ] as const
  ).filter(([, value]) => value !== undefined);
}

/** Inputs that no caller sends on purpose. */
const hostileInputs: readonly (readonly [string, unknown])[] = [
  ['text that is no JSON', '{"a": '],
  ['nothing at all', undefined],
  ['keys that mean something to JavaScript', JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "toString": null}')],
  ['two hundred levels', Array.from({ length: 200 }).reduce<unknown>((inner) => ({ a: inner }), 1)],
  ['a long text', { text: 'x'.repeat(100_000) }],
];

function put(base: SchemaPart, [first = '', ...rest]: readonly string[], value: unknown): SchemaPart {
  const inner = Object.hasOwn(base, first) ? base[first] : undefined;
  const next = rest.length === 0 ? value : put(isRecord(inner) ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(base).filter(([name]) => name !== first), [first, next]]);
}

function drop(base: SchemaPart, [first = '', ...rest]: readonly string[]): SchemaPart {
  const inner = base[first];
  if (rest.length > 0) return isRecord(inner) ? { ...base, [first]: drop(inner, rest) } : base;
  const { [first]: _, ...others } = base;
  return others;
}

/** Keeps some, spread over all of them, each once. */
function unique(cases: readonly InputCase[], most: number, random: Random): InputCase[] {
  const found = [...new Map(cases.map((one) => [JSON.stringify(one.args) ?? '', one])).values()];
  // A missing field is the mistake models make most; those stay.
  const kept = found.filter(({ title }) => title.endsWith(' missing')).slice(0, most / 2);
  const others = found.filter((one) => !kept.includes(one));
  while (kept.length + others.length > most) others.splice(random.int(0, others.length - 1), 1);
  return [...kept, ...others];
}
