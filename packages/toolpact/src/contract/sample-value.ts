import { isRecord, ownEntry } from '../json/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';
import { flattenSchema, mergeSchemas } from './flatten-schema.ts';
import { sampleText } from './sample-text.ts';
import type { Part } from './schema-at.ts';

/** A small schema can ask for a value without end; such a value stops fitting after this many parts. */
const maxParts = 500;

/** One value in the making. */
interface Sample {
  readonly root: JsonObject;
  readonly toText: (part: Part) => string;
  /** The schemas around the part that is made: one that needs itself has no value that ends. */
  readonly open: Set<unknown>;
  left: number;
}

/**
 * Returns a small value that fits a schema: its default or an example where it has one, otherwise as little as its types and limits ask for. The
 * schema is a part of `root`. What only a validator understands is not looked at, so the value may still be refused.
 */
export function sampleValue(schema: unknown, root: JsonObject, toText: (part: Part) => string = sampleText): JsonValue {
  return make(schema, { root, toText, open: new Set(), left: maxParts });
}

function make(schema: unknown, sample: Sample, beside: Part = {}): JsonValue {
  sample.left -= 1;
  if (!isRecord(schema) || sample.open.has(schema) || sample.left < 0) return null;
  sample.open.add(schema);
  const made = makePart(mergeSchemas(beside, flattenSchema(schema, sample.root)), sample);
  sample.open.delete(schema);
  return made;
}

function makePart({ anyOf, oneOf, ...part }: Part, sample: Sample): JsonValue {
  const stated = [part.default, listOf(part.examples)[0], part.const, listOf(part.enum)[0]].find((value) => value !== undefined);
  if (stated !== undefined) return stated as JsonValue;
  const branches = listOf(anyOf ?? oneOf).filter(isRecord);
  if (branches.length === 0) return ownEntry(makers, typeOf(part))?.(part, sample) ?? null;
  const branch = branches.find((one) => !sample.open.has(one));
  return make(branch, sample, part);
}

function typeOf({ type, properties, required, items, prefixItems }: Part): unknown {
  if (type !== undefined) return Array.isArray(type) ? type[0] : type;
  if (properties !== undefined || required !== undefined) return 'object';
  return items !== undefined || prefixItems !== undefined ? 'array' : 'null';
}

const makers: Readonly<Record<string, (part: Part, sample: Sample) => JsonValue>> = {
  boolean: () => false,
  integer: sampleNumber,
  number: sampleNumber,
  string: (part, { toText }) => toText(part),
  array: makeList,
  object: makeObject,
};

function makeList({ items, prefixItems, minItems }: Part, sample: Sample): JsonValue {
  const wanted = numberOf(minItems) ?? 0;
  const first = listOf(prefixItems);
  const list: JsonValue[] = [];
  while (list.length < Math.max(first.length, wanted) && sample.left > 0) list.push(make(first[list.length] ?? items, sample));
  return list;
}

function makeObject({ properties, required, additionalProperties, minProperties }: Part, sample: Sample): JsonValue {
  const wanted = numberOf(minProperties) ?? 0;
  const fields = isRecord(properties) ? properties : {};
  const made = new Map<string, JsonValue>();
  const add = (name: string): unknown => made.set(name, make(ownEntry(fields, name) ?? additionalProperties, sample));
  for (const name of listOf(required)) if (typeof name === 'string' && sample.left > 0) add(name);
  for (const name of Object.keys(fields)) if (made.size < wanted) add(name);
  for (let extra = 1; made.size < wanted && sample.left > 0; extra += 1) add(`field${extra}`);
  // `fromEntries` defines; an assignment to `__proto__` would not.
  return Object.fromEntries(made);
}

/** Returns zero where it fits, otherwise the number nearest to it that does. */
function sampleNumber(part: Part): number {
  const { least, most } = numberRange(part);
  return Math.min(Math.max(0, least), most);
}

/** Returns the least and the greatest number that fit a schema, infinite without a limit, and the step between those that fit. */
export function numberRange(part: Part): { readonly least: number; readonly most: number; readonly step: number | undefined } {
  const step = numberOf(part.multipleOf) ?? (isWhole(part) ? 1 : undefined);
  const minimum = numberOf(part.minimum) ?? Number.NEGATIVE_INFINITY;
  const maximum = numberOf(part.maximum) ?? Number.POSITIVE_INFINITY;
  const above = numberOf(part.exclusiveMinimum) ?? Number.NEGATIVE_INFINITY;
  const below = numberOf(part.exclusiveMaximum) ?? Number.POSITIVE_INFINITY;
  if (step === undefined || step <= 0) {
    const gap = Math.min(0.5, (below - above) / 2);
    return { least: Math.max(minimum, above + gap), most: Math.min(maximum, below - gap), step: undefined };
  }
  return {
    least: Math.max(Math.ceil(minimum / step), Math.floor(above / step) + 1) * step,
    most: Math.min(Math.floor(maximum / step), Math.ceil(below / step) - 1) * step,
    step,
  };
}

function isWhole({ type }: Part): boolean {
  return Array.isArray(type) ? type.includes('integer') && !type.includes('number') : type === 'integer';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
