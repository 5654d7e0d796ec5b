import type { JsonObject } from 'toolpact';
import { isMap } from '../document/document-problem.ts';
import type { SchemaBook } from '../document/schema-book.ts';

/** Rules about whole numbers in the schema of a parameter. */
export interface WholeNumbers {
  /** Whether a value, or an item of a list, may be a whole number. */
  readonly found: boolean;
  /** The schema that also takes texts for whole numbers that JavaScript would round; the given one where nothing is added. */
  readonly exact: JsonObject;
}

const deepest = 5;
const combined = ['anyOf', 'oneOf', 'allOf'] as const;

/** Looks for whole numbers in the schema of a parameter: behind references, among alternatives and in the items of lists. */
export function findWholeNumbers(schema: JsonObject, open: SchemaBook['open'], depth = 0): WholeNumbers {
  if (depth > deepest) return { found: false, exact: schema };
  const find = (part: JsonObject): WholeNumbers => findWholeNumbers(part, open, depth + 1);
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    const target = open({ $ref });
    const { found, exact } = find(target);
    return { found, exact: exact === target ? schema : { ...exact, ...beside } };
  }
  if ([schema.type].flat().includes('integer')) return { found: true, exact: withDigits(schema) };
  if (isMap(schema.items)) {
    const { found, exact } = find(schema.items as JsonObject);
    return { found, exact: exact === schema.items ? schema : { ...schema, items: exact } };
  }
  const keyword = combined.find((name) => Array.isArray(schema[name]));
  if (keyword === undefined) return { found: false, exact: schema };
  const parts = schema[keyword] as JsonObject[];
  const read = parts.map(find);
  // Where any number is allowed, a large one is not taken for a whole number that was rounded.
  const found = read.some((part) => part.found) && !parts.some((part) => [open(part).type].flat().includes('number'));
  // Several parts that must all fit, or another part that takes texts, leave no place for digits.
  const isClosed = keyword === 'allOf' ? parts.length > 1 : parts.some((part) => [open(part).type].flat().includes('string'));
  const isSame = isClosed || read.every(({ exact }, index) => exact === parts[index]);
  return { found, exact: isSame ? schema : { ...schema, [keyword]: read.map(({ exact }) => exact) } };
}

function withDigits(schema: JsonObject): JsonObject {
  const types = [schema.type ?? []].flat();
  if (types.includes('string') || schema.enum !== undefined || schema.const !== undefined) return schema;
  // Such a bound allows no number of 16 digits.
  if (Number(schema.maximum ?? schema.exclusiveMaximum) < 1e15) return schema;
  return { ...schema, type: [...types, 'string'], pattern: '^-?\\d{16,}$' };
}

/** Checks whether a value holds a whole number that was rounded before it came here. */
export function isRounded(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isRounded) : Number.isInteger(value) && !Number.isSafeInteger(value);
}
