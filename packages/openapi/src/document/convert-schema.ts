import type { JsonObject, JsonValue } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { asMap, isMap, type JsonMap } from './document-problem.ts';

/** Which way a schema's values go: what the API is sent may hold no read-only fields, what it answers is read with tolerance. */
export type Side = 'request' | 'response';

/** How the schemas of one description are converted. */
export interface ConvertSettings {
  readonly is30: boolean;
  readonly side: Side;
  /** Returns the place of a referenced schema in the `$defs` of the schema that uses it. */
  readonly refer: (ref: string) => string;
  /** Returns what is referred to. */
  readonly lookUp: (ref: string) => unknown;
  /** Checks whether a pattern can be checked here. */
  readonly isSafePattern: (pattern: string) => boolean;
}

/**
 * Writes a schema of an OpenAPI description as JSON Schema 2020-12. Only keywords that are well formed are taken over, so that what comes
 * out always compiles; references point into `$defs`.
 */
export function convertSchema(given: unknown, settings: ConvertSettings): JsonObject {
  return walk(given, { ...settings, above: new Set(), nodes: { left: maxNodes }, parts: { left: maxNodes } });
}

interface Walk extends ConvertSettings {
  readonly above: Set<object>;
  readonly nodes: { left: number };
  /** How many more parts of schemas are looked into for fields that travel one way only. */
  readonly parts: { left: number };
}

/** A description whose references were resolved in place can be far larger than its text. */
const maxNodes = 20_000;
const maxDepth = 60;

function walk(given: unknown, state: Walk): JsonObject {
  if (given === false) return { not: {} };
  if (!isMap(given)) return {};
  const { above, nodes } = state;
  nodes.left -= 1;
  if (above.has(given) || above.size > maxDepth || nodes.left < 0) return {};
  above.add(given);
  const converted = typeof given.$ref === 'string' ? convertRef(given, given.$ref, state) : convertNode(given, state);
  above.delete(given);
  return converted;
}

/** In 3.0 nothing beside a reference counts, but many write it all the same. */
function convertRef(given: JsonMap, ref: string, state: Walk): JsonObject {
  const { $ref: _, ...beside } = given;
  const target = { $ref: state.refer(ref) };
  const { description, title, deprecated, nullable } = beside;
  const rest = convertNode(state.is30 ? { description, title, deprecated } : beside, state);
  return nullable === true ? { ...rest, anyOf: [target, { type: 'null' }] } : { ...rest, ...target };
}

function convertNode(given: JsonMap, state: Walk): JsonObject {
  const schema: Record<string, JsonValue> = {};
  for (const [keyword, value] of Object.entries(given)) {
    const read = Object.hasOwn(readers, keyword) ? readers[keyword] : undefined;
    const converted = value === undefined ? undefined : read?.(value, state);
    if (converted !== undefined) schema[keyword] = converted;
  }
  tidyBounds(schema, given);
  if (Array.isArray(given.items)) {
    // An empty list says nothing about any item, and 2020-12 does not allow it.
    if (given.items.length > 0) schema.prefixItems = given.items.map((item) => walk(item, state));
    delete schema.items;
  }
  if (schema.examples === undefined && given.example !== undefined && state.side === 'request') {
    const example = literal(given.example);
    if (example !== undefined) schema.examples = [example];
  }
  if (state.side === 'response') relax(schema);
  // Where a field says which of the alternatives is meant, it is no mistake when a value also fits another; in an answer it never is.
  if (state.side === 'response' || given.discriminator !== undefined) takeAny(schema);
  dropOneWayFields(schema, given, state);
  // The second name is how Swagger 2 says it.
  return (given.nullable ?? given['x-nullable']) === true ? allowNull(schema) : schema;
}

type Reader = (value: unknown, state: Walk) => JsonValue | undefined;

const typeNames: ReadonlySet<unknown> = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

const schemaOf: Reader = (value, state) => (isMap(value) || value === true ? walk(value, state) : value === false ? false : undefined);
const schemasOf: Reader = (value, state) => (Array.isArray(value) && value.length > 0 ? value.map((item) => walk(item, state)) : undefined);
const fieldsOf: Reader = (value, state) =>
  isMap(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, walk(schema, state)])) : undefined;
const numberOf: Reader = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const countOf: Reader = (value) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined);
const flagOf: Reader = (value) => (typeof value === 'boolean' ? value : undefined);
const wordOf: Reader = (value) => (typeof value === 'string' ? value : undefined);
const namesOf: Reader = (value) => {
  const names = Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : [];
  return names.length === 0 ? undefined : names;
};

/** Models read what requests are made of; of answers the shape is enough. */
const longestNote: Readonly<Record<Side, number>> = { request: 1000, response: 200 };

/** How each keyword is taken over; every other is left out. */
const readers: Readonly<Record<string, Reader>> = {
  title: wordOf,
  description: (value, { side }) => (typeof value === 'string' && value !== '' ? cutText(value, longestNote[side]) : undefined),
  type: (value) => {
    const types = [...new Set([value].flat().filter((name) => typeNames.has(name)))] as string[];
    return types.length > 1 ? types : types[0];
  },
  enum: (value) => (Array.isArray(value) && value.length > 0 ? (literal(value, 20_000) ?? undefined) : undefined),
  const: (value) => literal(value),
  default: (value, { side }) => (side === 'request' ? literal(value) : undefined),
  examples: (value, { side }) => (side === 'request' && Array.isArray(value) ? literal(value.slice(0, 2)) : undefined),
  format: wordOf,
  contentEncoding: wordOf,
  contentMediaType: wordOf,
  deprecated: flagOf,
  multipleOf: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  maximum: numberOf,
  minimum: numberOf,
  exclusiveMaximum: numberOf,
  exclusiveMinimum: numberOf,
  maxLength: countOf,
  minLength: countOf,
  pattern: (value, { isSafePattern }) => (typeof value === 'string' && isSafePattern(value) ? value : undefined),
  maxItems: countOf,
  minItems: countOf,
  uniqueItems: flagOf,
  maxContains: countOf,
  minContains: countOf,
  maxProperties: countOf,
  minProperties: countOf,
  required: namesOf,
  dependentRequired: (value) => {
    const entries = isMap(value) ? Object.entries(value).map(([name, names]) => [name, namesOf(names, unread) ?? []] as const) : [];
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  },
  items: schemaOf,
  prefixItems: schemasOf,
  contains: schemaOf,
  properties: fieldsOf,
  patternProperties: (value, state) =>
    isMap(value)
      ? fieldsOf(Object.fromEntries(Object.entries(value).filter(([pattern]) => state.isSafePattern(pattern))), state)
      : undefined,
  additionalProperties: schemaOf,
  propertyNames: schemaOf,
  dependentSchemas: fieldsOf,
  unevaluatedItems: schemaOf,
  unevaluatedProperties: schemaOf,
  allOf: schemasOf,
  anyOf: schemasOf,
  oneOf: schemasOf,
  not: schemaOf,
  if: schemaOf,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schemaOf,
  else: schemaOf,
};

const unread = undefined as never;

/** In 3.0 an exclusive bound is a flag next to the bound itself. */
function tidyBounds(schema: Record<string, JsonValue>, given: JsonMap): void {
  for (const [bound, exclusive] of bounds) {
    if (given[exclusive] !== true || schema[bound] === undefined) continue;
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** The schema of an answer allows fields that were added later, and a long number that was sent as text. */
function relax(schema: Record<string, JsonValue>): void {
  const types = [schema.type ?? []].flat();
  if (
    schema.format === 'int64' &&
    types.includes('integer') &&
    !types.includes('string') &&
    schema.enum === undefined &&
    schema.const === undefined
  ) {
    schema.type = [...types, 'string'];
    schema.pattern = '^-?\\d{16,}$';
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (schema[keyword] === false) delete schema[keyword];
  }
}

/** Lets a value fit more than one of several alternatives. */
function takeAny(schema: Record<string, JsonValue>): void {
  if (schema.oneOf === undefined || schema.anyOf !== undefined) return;
  schema.anyOf = schema.oneOf;
  delete schema.oneOf;
}

/** Takes out the fields that only travel the other way. */
function dropOneWayFields(schema: Record<string, JsonValue>, given: JsonMap, state: Walk): void {
  const dropped = oneWayFields(given, state, 0);
  if (dropped.length === 0) return;
  if (isMap(schema.properties))
    schema.properties = Object.fromEntries(Object.entries(schema.properties as JsonObject).filter(([name]) => !dropped.includes(name)));
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => !dropped.includes(name as string)) : [];
  if (required.length > 0) schema.required = required;
  else delete schema.required;
}

/** Lists them, also those of the schemas that a schema is put together from: what is required is often said in another place. */
function oneWayFields(given: JsonMap, state: Walk, depth: number): string[] {
  const mark = state.side === 'request' ? 'readOnly' : 'writeOnly';
  const target = (part: unknown): JsonMap => asMap(isMap(part) && typeof part.$ref === 'string' ? state.lookUp(part.$ref) : part);
  const own = Object.entries(asMap(given.properties)).flatMap(([name, field]) =>
    asMap(field)[mark] === true || target(field)[mark] === true ? [name] : [],
  );
  state.parts.left -= 1;
  if (depth > 3 || state.parts.left < 0 || !Array.isArray(given.allOf)) return own;
  return [...own, ...given.allOf.flatMap((part) => oneWayFields(target(part), state, depth + 1))];
}

function allowNull(schema: Record<string, JsonValue>): JsonObject {
  const { type, enum: values } = schema;
  const { description, title, ...rest } = schema;
  const notes = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
  if (
    typeof type === 'string' &&
    schema.allOf === undefined &&
    schema.anyOf === undefined &&
    schema.oneOf === undefined &&
    schema.const === undefined
  ) {
    const widened = Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
    return { ...schema, ...widened, type: type === 'null' ? type : [type, 'null'] };
  }
  return Object.keys(rest).length === 0 ? schema : { ...notes, anyOf: [rest, { type: 'null' }] };
}

/** Returns a value as plain JSON; undefined where it is not JSON, or too long to help. */
function literal(value: unknown, longest = 2_000): JsonValue | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > longest ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}
