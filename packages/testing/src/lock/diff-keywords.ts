import type { JsonValue } from 'toolpact';
import { limitKeywords, type SchemaPart, typeName } from 'toolpact/internal';
import { isSame } from '../lost-paths.ts';

/** One difference between two schemas. */
export interface SchemaChange {
  /** The place below the schema, dotted; empty for the whole. */
  readonly path: string;
  /** Whether fewer values fit now, more, or that is unclear; or only descriptions changed. */
  readonly sort: 'narrowed' | 'widened' | 'unclear' | 'words' | 'removed field' | 'new required field' | 'new optional field';
  readonly message: string;
  /** The words before and after, where only they changed or a field was added. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Makes a change at the place that is looked at. */
export type ToChange = (sort: SchemaChange['sort'], message: string) => SchemaChange;

/** Compares what two parts say about one value by themselves, without the parts below them. */
export function* diffKeywords(old: SchemaPart, now: SchemaPart, toChange: ToChange): Generator<SchemaChange> {
  yield* compareTypes(old, now, toChange);
  yield* compareValues(old, now, toChange);
  for (const [name, isLower] of limitKeywords) yield* compareLimit(name, isLower, old[name], now[name], toChange);
  for (const name of rules) {
    const [before, after] = [old[name], now[name]].map((rule) => (rule === false ? undefined : rule));
    if (isSame(before, after)) continue;
    if (before === undefined) yield toChange('narrowed', `${name} ${JSON.stringify(after)} was added`);
    else if (after === undefined) yield toChange('widened', `${name} was removed`);
    else yield toChange('unclear', `${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
    if (!judged.has(name) && !isAside(name) && !isSame(old[name], now[name])) yield toChange('unclear', `${name} changed`);
}

const rules = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
/** Keywords that say something about values without deciding which fit. */
export const words = ['description', 'title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
/** Keywords that are compared by their meaning. The effect of a change in any other keyword is unclear. */
const judged: ReadonlySet<string> = new Set([
  ...limitKeywords.map(([name]) => name),
  ...rules,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf'],
]);
const asides: ReadonlySet<string> = new Set([...words, '$schema', '$id', '$comment', '$anchor', '$defs', 'definitions']);

/** Recognises keywords that do not decide whether a value fits. */
export function isAside(name: string): boolean {
  return asides.has(name) || name.startsWith('x-');
}

const allTypes = ['string', 'number', 'boolean', 'object', 'array', 'null'];

function* compareTypes(old: SchemaPart, now: SchemaPart, toChange: ToChange): Generator<SchemaChange> {
  const [before, after] = [typesOf(old), typesOf(now)];
  const lost = before.filter((type) => !takes(after, type));
  const won = after.filter((type) => !takes(before, type));
  if (lost.length > 0 && won.length > 0 && lost.length === before.length)
    yield toChange('unclear', `it was ${before.join(' or ')} and is ${after.join(' or ')} now`);
  else {
    if (lost.length > 0)
      yield toChange(
        'narrowed',
        `it can no longer be ${lost.join(' or ')}${after.length < allTypes.length ? `, only ${after.join(' or ')}` : ''}`,
      );
    if (won.length > 0) yield toChange('widened', `it can be ${won.join(' or ')} too`);
  }
}

function typesOf({ type, enum: choices, const: only }: SchemaPart): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string');
  // Choices are compared one by one; their types follow.
  return choices === undefined && only === undefined ? allTypes : [...new Set([choices ?? only].flat().map(typeName))];
}

function takes(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function* compareValues(old: SchemaPart, now: SchemaPart, toChange: ToChange): Generator<SchemaChange> {
  const [before, after] = [choicesOf(old), choicesOf(now)];
  if (before === undefined && after !== undefined) yield toChange('narrowed', `only ${show(after)} can be chosen now`);
  if (before !== undefined && after === undefined) yield toChange('widened', 'any value can be given now, not only the listed ones');
  if (before === undefined || after === undefined) return;
  const gone = before.filter((value) => !after.some((other) => isSame(value, other)));
  const come = after.filter((value) => !before.some((other) => isSame(value, other)));
  if (gone.length > 0) yield toChange('narrowed', `${show(gone)} can no longer be chosen`);
  if (come.length > 0) yield toChange('widened', `${show(come)} can be chosen too`);
}

function choicesOf(part: SchemaPart): readonly unknown[] | undefined {
  if ('const' in part) return [part.const];
  return Array.isArray(part.enum) ? part.enum : undefined;
}

function show(values: readonly unknown[]): string {
  const shown = values.slice(0, 5).map((value) => JSON.stringify(value));
  return `${shown.join(', ')}${values.length > 5 ? ` and ${values.length - 5} more` : ''}`;
}

function* compareLimit(name: string, isLower: boolean, before: unknown, after: unknown, toChange: ToChange): Generator<SchemaChange> {
  // A length of at least nothing is no limit.
  const [old, now] = [before, after].map((limit) => (limit === 0 && /^min[A-Z]/.test(name) ? undefined : limit));
  if (isSame(old, now)) return;
  if (typeof old !== 'number') yield toChange('narrowed', `${name} ${JSON.stringify(now)} was added`);
  else if (typeof now !== 'number') yield toChange('widened', `${name} ${old} was removed`);
  else yield toChange(now > old === isLower ? 'narrowed' : 'widened', `${name} went from ${old} to ${now}`);
}
