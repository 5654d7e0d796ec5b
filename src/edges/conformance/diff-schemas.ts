import type { JsonObject } from '../../core/outcome/index.ts';
import { flatten, isPart, type Part } from './generate-value.ts';
import { isSame } from './lost-paths.ts';

/** One difference between two schemas. */
export interface SchemaChange {
  /** The place below the schema, dotted; empty for the whole. */
  readonly path: string;
  /** Whether fewer values fit now, more, or nobody can tell; or only the words around them changed. */
  readonly sort: 'narrowed' | 'widened' | 'unclear' | 'words' | 'removed field' | 'new required field' | 'new optional field';
  readonly message: string;
}

interface Sides {
  readonly roots: readonly [JsonObject, JsonObject];
  /** Pairs that were compared: each is told once, and schemas that refer to themselves end. */
  readonly seen: Map<unknown, Set<unknown>>;
}

/** Tells how a JSON Schema changed, place by place. */
export function diffSchemas(before: JsonObject, after: JsonObject): SchemaChange[] {
  return [...compare(before, after, '', { roots: [before, after], seen: new Map() })];
}

function* compare(left: unknown, right: unknown, path: string, sides: Sides): Generator<SchemaChange> {
  const [old, now] = [asPart(left), asPart(right)].map((part, at) => flatten(part, sides.roots[at] as JsonObject)) as [Part, Part];
  if (isSame(old, now) && isSame(sides.roots[0].$defs, sides.roots[1].$defs)) return;
  const met = sides.seen.get(left) ?? new Set();
  if ((isPart(left) || isPart(right)) && met.has(right)) return;
  sides.seen.set(left, met.add(right));
  const told = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path, sort, message });
  yield* compareTypes(old, now, told);
  yield* compareValues(old, now, told);
  for (const [name, isLower] of limits) yield* compareLimit(name, isLower, old[name], now[name], told);
  for (const name of rules) {
    if (isSame(old[name], now[name])) continue;
    if (old[name] === undefined) yield told('narrowed', `${name} ${JSON.stringify(now[name])} was added`);
    else if (now[name] === undefined) yield told('widened', `${name} was removed`);
    else yield told('unclear', `${name} changed from ${JSON.stringify(old[name])} to ${JSON.stringify(now[name])}`);
  }
  for (const name of unjudged) if (!isSame(old[name], now[name])) yield told('unclear', `${name} changed`);
  for (const name of words) if (!isSame(old[name], now[name])) yield told('words', `the ${name} changed`);
  yield* compareFields(old, now, path, sides, told);
  yield* compareBranches(old, now, path, sides, told);
  if (old.items !== undefined || now.items !== undefined) yield* compare(old.items, now.items, `${path}[]`, sides);
}

type Tell = (sort: SchemaChange['sort'], message: string) => SchemaChange;

const limits: readonly (readonly [name: string, isLower: boolean])[] = [
  ['minimum', true],
  ['exclusiveMinimum', true],
  ['minLength', true],
  ['minItems', true],
  ['minProperties', true],
  ['maximum', false],
  ['exclusiveMaximum', false],
  ['maxLength', false],
  ['maxItems', false],
  ['maxProperties', false],
];
const rules = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
const unjudged = [
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'prefixItems',
];
const words = ['description', 'title', 'default', 'examples', 'deprecated'];
const allTypes = ['string', 'number', 'boolean', 'object', 'array', 'null'];

function* compareTypes(old: Part, now: Part, told: Tell): Generator<SchemaChange> {
  const [before, after] = [typesOf(old), typesOf(now)];
  const lost = before.filter((type) => !takes(after, type));
  const won = after.filter((type) => !takes(before, type));
  if (lost.length > 0 && won.length > 0 && lost.length === before.length)
    yield told('unclear', `it was ${before.join(' or ')} and is ${after.join(' or ')} now`);
  else {
    if (lost.length > 0)
      yield told(
        'narrowed',
        `it can no longer be ${lost.join(' or ')}${after.length < allTypes.length ? `, only ${after.join(' or ')}` : ''}`,
      );
    if (won.length > 0) yield told('widened', `it can be ${won.join(' or ')} too`);
  }
}

function typesOf({ type, enum: choices, const: only }: Part): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string');
  // Choices are compared one by one; their types follow.
  return choices === undefined && only === undefined ? allTypes : [...new Set([choices ?? only].flat().map(typeName))];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function takes(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function* compareValues(old: Part, now: Part, told: Tell): Generator<SchemaChange> {
  const [before, after] = [choicesOf(old), choicesOf(now)];
  if (before === undefined && after !== undefined) yield told('narrowed', `only ${show(after)} can be chosen now`);
  if (before !== undefined && after === undefined) yield told('widened', 'any value can be given now, not only the listed ones');
  if (before === undefined || after === undefined) return;
  const gone = before.filter((value) => !after.some((other) => isSame(value, other)));
  const come = after.filter((value) => !before.some((other) => isSame(value, other)));
  if (gone.length > 0) yield told('narrowed', `${show(gone)} can no longer be chosen`);
  if (come.length > 0) yield told('widened', `${show(come)} can be chosen too`);
}

function choicesOf(part: Part): readonly unknown[] | undefined {
  if ('const' in part) return [part.const];
  return Array.isArray(part.enum) ? part.enum : undefined;
}

function show(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${values.length > 5 ? ` and ${values.length - 5} more` : ''}`;
}

function* compareLimit(name: string, isLower: boolean, old: unknown, now: unknown, told: Tell): Generator<SchemaChange> {
  if (isSame(old, now)) return;
  if (typeof old !== 'number') yield told('narrowed', `${name} ${JSON.stringify(now)} was added`);
  else if (typeof now !== 'number') yield told('widened', `${name} ${old} was removed`);
  else yield told(now > old === isLower ? 'narrowed' : 'widened', `${name} went from ${old} to ${now}`);
}

function* compareFields(old: Part, now: Part, path: string, sides: Sides, told: Tell): Generator<SchemaChange> {
  const [before, after] = [asPart(old.properties), asPart(now.properties)];
  const [needed, needs] = [old.required, now.required].map((list) => new Set(Array.isArray(list) ? (list as string[]) : [])) as [
    Set<string>,
    Set<string>,
  ];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = path === '' ? name : `${path}.${name}`;
    const own = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path: at, sort, message });
    if (!Object.hasOwn(after, name)) yield own('removed field', 'the field was removed');
    else if (!Object.hasOwn(before, name))
      yield needs.has(name)
        ? own('new required field', 'a required field was added')
        : own('new optional field', 'an optional field was added');
    else {
      if (needs.has(name) && !needed.has(name)) yield own('narrowed', 'the field is required now');
      if (!needs.has(name) && needed.has(name)) yield own('widened', 'the field is optional now');
      yield* compare(before[name], after[name], at, sides);
    }
  }
  const [open, opened] = [old.additionalProperties ?? true, now.additionalProperties ?? true];
  if (isSame(open, opened) || (isPart(open) && isPart(opened))) {
    if (isPart(open)) yield* compare(open, opened, `${path}.*`, sides);
  } else if (opened === false) yield told('narrowed', 'other fields are no longer taken');
  else if (open === false) yield told('widened', 'other fields are taken too');
  else yield told(opened === true ? 'widened' : 'narrowed', 'what other fields may hold changed');
}

function* compareBranches(old: Part, now: Part, path: string, sides: Sides, told: Tell): Generator<SchemaChange> {
  const [before, after] = [old, now].map((part) => (part.anyOf ?? part.oneOf) as unknown) as [unknown, unknown];
  if (!Array.isArray(before) && !Array.isArray(after)) return;
  if (!Array.isArray(before) || !Array.isArray(after)) {
    yield told(
      'unclear',
      Array.isArray(after) ? 'it became a choice between several forms' : 'it is no longer a choice between several forms',
    );
    return;
  }
  const gone = before.filter((branch) => !after.some((other) => isSame(branch, other)));
  const come = after.filter((branch) => !before.some((other) => isSame(branch, other)));
  if (gone.length === come.length) for (const [at, branch] of gone.entries()) yield* compare(branch, come[at], path, sides);
  else {
    if (gone.length > 0) yield told('narrowed', `${count(gone.length)} can no longer be given`);
    if (come.length > 0) yield told('widened', `${count(come.length)} can be given too`);
  }
}

function count(forms: number): string {
  return forms === 1 ? 'one form' : `${forms} forms`;
}

function asPart(value: unknown): Part {
  // `false` takes nothing; everything else that is no object takes anything.
  return value === false ? { not: {} } : isPart(value) ? value : {};
}
