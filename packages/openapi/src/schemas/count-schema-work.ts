import { _, type Ajv } from 'ajv';
import { type JsonObject, type JsonValue, ToolpactError } from 'toolpact';
import { canonicalJson, isObject, isRecord, resolveReference } from 'toolpact/internal';
import { countPatternStates } from './compile-pattern.ts';
import { spendWork } from './spend-work.ts';

/** The keyword that every part of a counted schema carries: what it costs to look at one value. */
const keyword = 'toolpactWork';

/** How many parts a pattern counts as, and how many of its states count as one more: it takes that much longer to compile. */
const partsOfPattern = 4;
const statesOfPart = 25;
/** A larger pattern is refused as such. */
const mostStates = 5_000;

/** Keywords that hold values, not schemas. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default']);
/** Keywords that hold schemas by name; the names are not keywords. */
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
  'dependentRequired',
]);

/**
 * Copies a schema so that each part of it counts the work of checking a value: references can make a small schema unfold without end.
 * Throws for a schema of too many parts, and for a reference to a place that holds no schema, which would not count.
 */
export function countSchemaWork(schema: JsonObject, maxParts: number): JsonObject {
  let parts = 0;
  const copySchema = (given: JsonValue): JsonValue => {
    if (Array.isArray(given)) return (given as readonly JsonValue[]).map(copySchema);
    if (!isObject(given)) return given;
    parts += 1 + partsOfPatterns(given as JsonObject);
    if (parts > maxParts) throw new ToolpactError('invalid_schema', `it has more than ${maxParts} parts`);
    const part = given as JsonObject;
    const copied = Object.entries(part).map(([name, value]) => [name, copyField(name, value as JsonValue)] as const);
    return Object.fromEntries([...copied, [keyword, weightOf(part)]]) as JsonObject;
  };
  const copyField = (name: string, value: JsonValue): JsonValue => {
    if (literal.has(name)) return value;
    if (!maps.has(name) || !isRecord(value)) return copySchema(value);
    return Object.fromEntries(Object.entries(value as JsonObject).map(([key, inner]) => [key, copySchema(inner as JsonValue)]));
  };
  const counted = copySchema(schema) as JsonObject;
  checkReferences(counted, counted);
  return counted;
}

/** Teaches a validator to count, and to compare the items of a list in one pass instead of each with each. */
export function addCounting(validator: Ajv): Ajv {
  validator.addKeyword({
    keyword,
    schemaType: 'number',
    before: '$ref',
    // Written into the code of the validator, because a function per part would double the time to compile it.
    code: ({ gen, schema, data }) => {
      const spend = gen.scopeValue('func', { key: spendOn, ref: spendOn });
      gen.code(_`${spend}(${schema as number}, ${data})`);
    },
  });
  validator.removeKeyword('uniqueItems');
  validator.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isUnique: boolean, items: readonly unknown[]) => !isUnique || !hasTwice(items),
  });
  return validator;
}

function partsOfPatterns({ pattern, patternProperties }: JsonObject): number {
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  if (typeof pattern === 'string') patterns.push(pattern);
  return patterns.reduce(
    (sum, each) => sum + partsOfPattern + Math.floor(Math.min(countPatternStates(each), mostStates) / statesOfPart),
    0,
  );
}

function spendOn(weight: number, value: unknown): void {
  spendWork(typeof value === 'string' ? weight + (value.length >>> 4) : weight);
}

/** The cost of a keyword's entries, relative to an empty part: names are looked up, alternatives produce lists of errors. */
const entryWeights: Readonly<Record<string, number>> = {
  enum: 1 / 8,
  required: 1 / 8,
  properties: 1 / 8,
  dependentRequired: 1 / 8,
  anyOf: 4,
  oneOf: 4,
  additionalProperties: 4,
  patternProperties: 4,
};

function weightOf(part: JsonObject): number {
  let weight = 1;
  for (const [name, each] of Object.entries(entryWeights)) {
    const entries = part[name];
    if (!isObject(entries)) continue;
    weight += (Array.isArray(entries) ? entries.length : Object.keys(entries).length) * each;
  }
  // Objects are compared field by field.
  for (const literals of [part.const, part.enum]) if (hasObject(literals)) weight += JSON.stringify(literals).length / 16;
  return Math.ceil(weight);
}

function hasObject(literals: unknown): boolean {
  if (Array.isArray(literals)) return literals.some((literal) => isObject(literal));
  return isObject(literals);
}

function checkReferences(part: JsonValue, root: JsonObject): void {
  if (Array.isArray(part)) for (const item of part as readonly JsonValue[]) checkReferences(item, root);
  if (!isRecord(part)) return;
  for (const [name, value] of Object.entries(part as JsonObject)) {
    if (name === '$ref' && typeof value === 'string') checkReference(value, root);
    else if (!literal.has(name)) checkReferences(value as JsonValue, root);
  }
}

function checkReference(ref: string, root: JsonObject): void {
  const [base = '', pointer = ''] = ref.split('#');
  if (!pointer.startsWith('/')) return;
  const target = base === '' || base === root.$id ? resolveReference(`#${pointer}`, root) : null;
  // The validator itself says that a reference leads nowhere.
  if (target === undefined || typeof target === 'boolean') return;
  if (!isObject(target) || !Object.hasOwn(target, keyword))
    throw new ToolpactError('invalid_schema', `the reference ${ref.slice(0, 80)} leads to something that is not a schema`);
  if (leadsBack(target as JsonObject, root))
    throw new ToolpactError('invalid_schema', `the reference ${ref.slice(0, 80)} leads back to itself`);
}

function leadsBack(target: JsonObject, root: JsonObject): boolean {
  const seen = new Set<unknown>();
  let at: unknown = target;
  while (isObject(at) && typeof (at as JsonObject).$ref === 'string') {
    if (seen.has(at)) return true;
    seen.add(at);
    at = resolveReference(`#${((at as JsonObject).$ref as string).split('#')[1] ?? ''}`, root);
  }
  return false;
}

function hasTwice(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = item === undefined ? 'undefined' : canonicalJson(item);
    spendWork(1 + (text.length >>> 6));
    if (seen.has(text)) return true;
    seen.add(text);
  }
  return false;
}
