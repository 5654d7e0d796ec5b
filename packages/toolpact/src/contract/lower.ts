import { isObject, isRecord } from '../json/index.ts';
import { expectArgument, type JsonObject, type JsonValue, ToolpactError } from '../outcome/index.ts';
import { createJoinBudget, joinAllOf, spreadUnion } from './join-all-of.ts';
import { branchesOf, type Part, resolvePart } from './schema-at.ts';

/** Whose rules a schema is lowered to. */
export type SchemaTarget = 'openai-strict' | 'openai' | 'gemini' | 'anthropic' | 'mcp';

/** The schema rules of a target. */
interface Rules {
  /** The keywords it knows; all of them when absent. */
  readonly keeps?: ReadonlySet<string>;
  /** Whether every field must be required and no other allowed, so that an optional field becomes a nullable one. */
  readonly closed?: true;
  /** Whether it refuses a list that does not describe its items. */
  readonly describesItems?: true;
  /** Whether the root may be a union. */
  readonly rootUnion: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const structure =
  'type properties required additionalProperties items enum anyOf $ref $defs title description minItems maxItems minimum maximum format';

const rules: Record<SchemaTarget, Rules> = {
  'openai-strict': {
    keeps: words(`${structure} const pattern multipleOf exclusiveMinimum exclusiveMaximum`),
    closed: true,
    describesItems: true,
    rootUnion: false,
  },
  openai: { describesItems: true, rootUnion: false },
  gemini: { keeps: words(`${structure} prefixItems $id $anchor`), rootUnion: true },
  anthropic: { rootUnion: false },
  mcp: { rootUnion: true },
};

/** Keywords whose loss would change what the arguments mean, so that it is better to say so than to drop them. */
const essential = words('not if then else dependentRequired dependentSchemas patternProperties unevaluatedProperties prefixItems');
const lookaround = /\(\?<?[=!]/;
const openaiFormats = words('date-time time date duration email hostname ipv4 ipv6 uuid');

/**
 * Writes a JSON Schema in the form a provider accepts. What the provider does not know but the description can say (a minimum length, a
 * default) moves there, and the parts of an `allOf` become one; the tool still checks all of it. Throws with the field's path where the
 * meaning cannot be kept.
 */
export function lower(schema: JsonObject, target: SchemaTarget): JsonObject {
  expectArgument(isRecord(schema) && Object.hasOwn(rules, target), `lower takes a JSON Schema and one of ${Object.keys(rules).join(', ')}`);
  const { keeps, closed, describesItems, rootUnion } = rules[target];
  const { $schema: _, ...given } = schema;
  const budget = createJoinBudget();
  const root = rootUnion && given.type === 'object' ? given : join(given, []);
  if (root.type !== 'object') cannot([], 'the root must be an object');
  if (!rootUnion && (root.anyOf ?? root.oneOf) !== undefined) cannot([], 'the root must not be a union');
  return walk(root, []);

  function join(part: Part, path: readonly string[]): Part {
    return joinAllOf(part, schema, budget, (why) => cannot(path, why));
  }

  function walk(whole: Part, path: readonly string[]): JsonObject {
    const part =
      keeps === undefined || whole.allOf === undefined ? whole : path.length === 0 ? join(whole, path) : spreadUnion(join(whole, path));
    const lowered: Record<string, unknown> = {};
    const notes: string[] = [];
    for (const [name, value] of Object.entries(keeps === undefined ? part : withDefs(part))) {
      if (keeps === undefined || keeps.has(name)) lowered[name] = value;
      else if (name === 'oneOf' && part.anyOf !== undefined) cannot(path, 'it uses oneOf beside anyOf');
      else if (name === 'oneOf') lowered.anyOf = value;
      else if (name === 'const') lowered.enum = [value];
      else if (essential.has(name)) cannot(path, `it uses ${name}`);
      else if (!quiet.has(name)) notes.push(`${name}: ${JSON.stringify(value)}`);
    }
    if (closed === true && typeof lowered.format === 'string' && !openaiFormats.has(lowered.format)) {
      notes.push(`format: ${lowered.format}`);
      delete lowered.format;
    }
    if (closed === true && typeof lowered.pattern === 'string' && lookaround.test(lowered.pattern)) {
      notes.push(`pattern: ${JSON.stringify(lowered.pattern)}`);
      delete lowered.pattern;
    }
    if (notes.length > 0) lowered.description = [part.description, `(${notes.join(', ')})`].filter(Boolean).join(' ');
    if (describesItems === true && allows(lowered, 'array') && lowered.items === undefined && lowered.prefixItems === undefined)
      lowered.items = {};
    descend(lowered, path);
    if (closed === true && allows(lowered, 'object')) close(lowered, path);
    if (closed === true && ['type', '$ref', 'anyOf', 'enum', 'const'].every((name) => lowered[name] === undefined))
      cannot(path, 'it takes anything');
    const { $ref, ...beside } = lowered;
    // Neither takes anything beside a reference.
    const isAlone = keeps === undefined || $ref === undefined || Object.keys(beside).length === 0;
    return (isAlone ? lowered : { ...beside, anyOf: [{ $ref }] }) as JsonObject;
  }

  /** Where keywords are few, `true` is none of them; a schema without keywords means the same. */
  function lowerField(field: unknown, path: readonly string[]): unknown {
    const described = field === true && keeps !== undefined ? {} : field;
    return isRecord(described) ? walk(described, path) : described;
  }

  function descend(lowered: Record<string, unknown>, path: readonly string[]): void {
    for (const name of ['properties', '$defs']) {
      const fields = lowered[name];
      if (isRecord(fields)) lowered[name] = mapValues(fields, (field, key) => lowerField(field, [...path, key]));
    }
    for (const name of ['items', 'additionalProperties', 'not']) {
      const field = lowered[name];
      if (isRecord(field)) lowered[name] = walk(field, [...path, '*']);
    }
    for (const name of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      const list = lowered[name];
      if (Array.isArray(list)) lowered[name] = list.map((field: unknown) => (isRecord(field) ? walk(field, path) : field));
    }
  }
}

function allows({ type }: Part, name: string): boolean {
  return [type].flat().includes(name);
}

/** Returns a schema of an older draft the newer name of its definitions, which is the one that providers know. */
function withDefs(part: Part): Part {
  const { definitions, $ref, ...rest } = part;
  const moved = typeof $ref === 'string' ? { $ref: $ref.replace(/^#\/definitions\//, '#/$defs/') } : {};
  return { ...rest, ...moved, ...(isRecord(definitions) && { $defs: { ...definitions, ...(isRecord(rest.$defs) && rest.$defs) } }) };
}

/** Closes an object: every field required, the optional ones nullable, no others. */
function close(lowered: Record<string, unknown>, path: readonly string[]): void {
  const open = lowered.additionalProperties;
  if (open === true || isRecord(open)) cannot(path, 'it takes fields of any name');
  const fields = isRecord(lowered.properties) ? lowered.properties : {};
  const required = new Set(Array.isArray(lowered.required) ? lowered.required : []);
  lowered.properties = mapValues(fields, (field, key) => (required.has(key) || !isRecord(field) ? field : nullable(field)));
  lowered.required = Object.keys(fields);
  lowered.additionalProperties = false;
}

function nullable(field: Part): Part {
  const { type } = field;
  if (Array.isArray(field.enum) && allows(field, 'null') && !field.enum.includes(null)) return { ...field, enum: [...field.enum, null] };
  if (typeof type === 'string' && type !== 'null' && field.enum === undefined && field.const === undefined)
    return { ...field, type: [type, 'null'] };
  if (Array.isArray(type) && type.includes('null')) return field;
  if (Array.isArray(field.anyOf)) return { ...field, anyOf: [...field.anyOf, { type: 'null' }] };
  const { description, ...rest } = field;
  return { anyOf: [rest, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** Takes the nulls out again that a closed schema made a model fill in, by the schema as it was before it was lowered. */
export function lift(args: unknown, schema: JsonObject): unknown {
  expectArgument(isRecord(schema), 'lift takes arguments and the JSON Schema of the tool');
  return liftPart(args, schema, { root: schema, branches: new Map() }, 0);
}

interface Lift {
  readonly root: JsonObject;
  /** The alternatives of each part. Items of a list share one part, which is joined once. */
  readonly branches: Map<Part, readonly Part[]>;
}

function liftPart(value: unknown, part: Part, lift: Lift, depth: number): unknown {
  if (!isObject(value) || depth > 100) return value;
  const { root } = lift;
  const branches = alternativesOf(part, lift);
  if (Array.isArray(value)) {
    const items = branches.map((branch) => branch.items).find(isRecord);
    return items === undefined ? value : value.map((item) => liftPart(item, items, lift, depth + 1));
  }
  const holder = branches.find(({ properties }) => isRecord(properties) && mayHold(properties, value as Part, root));
  if (!isRecord(holder?.properties)) return value;
  const { properties, required } = holder;
  const needed = new Set(Array.isArray(required) ? required : []);
  const entries = Object.entries(value).flatMap(([key, field]) => {
    const described = (properties as Record<string, unknown>)[key];
    if (!isRecord(described)) return [[key, field]];
    if (field === null && !needed.has(key) && !acceptsNull(described, lift)) return [];
    return [[key, liftPart(field, described, lift, depth + 1)]];
  });
  return Object.fromEntries(entries);
}

/** Lists a part and the alternatives of its unions, written as they were lowered. */
function alternativesOf(part: Part, { root, branches }: Lift): readonly Part[] {
  const known = branches.get(part);
  if (known !== undefined) return known;
  const found = joinAgain(part, root);
  const all = [found, ...branchesOf([found], root).map((branch) => joinAgain(branch, root))];
  branches.set(part, all);
  return all;
}

/** Restores a part. One that cannot be joined was never lowered either, so it holds no nulls to remove. */
function joinAgain(part: Part, root: JsonObject): Part {
  const found = resolvePart(part, root);
  if (found.allOf === undefined) return found;
  try {
    return spreadUnion(
      resolvePart(
        joinAllOf(found, root, createJoinBudget(), (why) => cannot([], why)),
        root,
      ),
    );
  } catch {
    return found;
  }
}

/** Checks whether fields are those of a value. Branches of a union may have the same fields; those with fixed values tell them apart. */
function mayHold(properties: Part, value: Part, root: JsonObject): boolean {
  return Object.entries(value).every(([key, field]) => {
    if (!Object.hasOwn(properties, key)) return false;
    const described = properties[key];
    const { const: only, enum: some } = isRecord(described) ? resolvePart(described, root) : {};
    return field === null || ((only === undefined || only === field || isObject(only)) && (!Array.isArray(some) || some.includes(field)));
  });
}

function acceptsNull(part: Part, lift: Lift): boolean {
  return alternativesOf(part, lift).some(
    (branch) =>
      [branch.type].flat().includes('null') || branch.const === null || (Array.isArray(branch.enum) && branch.enum.includes(null)),
  );
}

/** Keywords that say nothing a model needs. */
const quiet = words('examples $comment $id $anchor readOnly writeOnly deprecated contentEncoding contentMediaType');

function cannot(path: readonly string[], why: string): never {
  throw new ToolpactError(
    'invalid_schema',
    `${path.length === 0 ? 'the schema' : `the field "${path.join('.')}"`} cannot be lowered: ${why}`,
  );
}

function mapValues(fields: Part, change: (field: unknown, key: string) => unknown): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, change(field, key) as JsonValue]));
}
