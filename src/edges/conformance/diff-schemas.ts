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
  /** Whether equal words may mean different things, because what they refer to has changed. */
  readonly refers: boolean;
  /** Pairs that were compared: each is told once, and schemas that refer to themselves end. */
  readonly seen: Map<unknown, Set<unknown>>;
}

/** Tells how a JSON Schema changed, place by place. */
export function diffSchemas(before: JsonObject, after: JsonObject): SchemaChange[] {
  if (isSame(before, after)) return [];
  const refers = /"\$(?:ref|dynamicRef)":/.test(JSON.stringify([before, after]));
  return [...compare(before, after, '', { roots: [before, after], refers, seen: new Map() })];
}

function* compare(left: unknown, right: unknown, path: string, sides: Sides): Generator<SchemaChange> {
  const [old, now] = [asPart(left), asPart(right)].map((part, at) => flatten(part, sides.roots[at] as JsonObject)) as [Part, Part];
  const isJoined = !isSame(asPart(left).allOf, asPart(right).allOf);
  if (!sides.refers && !isJoined && isSame(old, now)) return;
  const met = sides.seen.get(left) ?? new Set();
  if ((isPart(left) || isPart(right)) && met.has(right)) return;
  sides.seen.set(left, met.add(right));
  const told = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path, sort, message });
  const found = [...(compareLoneForms(old, now, sides, told) ?? compareParts(old, now, path, sides, told))];
  // Parts that contradict each other were joined into one, and the change was in what the other hid.
  if (isJoined && found.length === 0) yield told('unclear', 'allOf changed');
  yield* found;
  for (const name of words) if (!isSame(old[name], now[name])) yield told('words', `the ${name} changed`);
}

function* compareParts(old: Part, now: Part, path: string, sides: Sides, told: Tell): Generator<SchemaChange> {
  yield* compareTypes(old, now, told);
  yield* compareValues(old, now, told);
  for (const [name, isLower] of limits) yield* compareLimit(name, isLower, old[name], now[name], told);
  for (const name of rules) {
    const [before, after] = [old[name], now[name]].map((rule) => (rule === false ? undefined : rule));
    if (isSame(before, after)) continue;
    if (before === undefined) yield told('narrowed', `${name} ${JSON.stringify(after)} was added`);
    else if (after === undefined) yield told('widened', `${name} was removed`);
    else yield told('unclear', `${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
    if (!judged.has(name) && !isAside(name) && !isSame(old[name], now[name])) yield told('unclear', `${name} changed`);
  yield* compareFields(old, now, path, sides, told);
  yield* compareForms(old, now, path, sides, told);
  if ([old.items, now.items].some(Array.isArray)) {
    if (!isSame(old.items, now.items)) yield told('unclear', 'items changed');
  } else if (old.items !== undefined || now.items !== undefined) yield* compare(old.items, now.items, `${path}[]`, sides);
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
const words = ['description', 'title', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
/** What is compared by its meaning; of everything else nobody here knows what a change of it does. */
const judged: ReadonlySet<string> = new Set([
  ...limits.map(([name]) => name),
  ...rules,
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'oneOf'],
]);
const asides: ReadonlySet<string> = new Set([...words, '$schema', '$id', '$comment', '$anchor', '$defs', 'definitions']);

/** Tells what takes no part in whether a value fits. */
function isAside(name: string): boolean {
  return asides.has(name) || name.startsWith('x-');
}

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

function* compareLimit(name: string, isLower: boolean, before: unknown, after: unknown, told: Tell): Generator<SchemaChange> {
  // A length of at least nothing is no limit.
  const [old, now] = [before, after].map((limit) => (limit === 0 && /^min[A-Z]/.test(name) ? undefined : limit));
  if (isSame(old, now)) return;
  if (typeof old !== 'number') yield told('narrowed', `${name} ${JSON.stringify(now)} was added`);
  else if (typeof now !== 'number') yield told('widened', `${name} ${old} was removed`);
  else yield told(now > old === isLower ? 'narrowed' : 'widened', `${name} went from ${old} to ${now}`);
}

function* compareFields(old: Part, now: Part, path: string, sides: Sides, told: Tell): Generator<SchemaChange> {
  const [before, after] = [asPart(old.properties), asPart(now.properties)];
  const [needed, needs] = [namesIn(old.required), namesIn(now.required)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after), ...needed, ...needs])) {
    const at = path === '' ? name : `${path}.${name}`;
    const own = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path: at, sort, message });
    const [was, is] = [Object.hasOwn(before, name), Object.hasOwn(after, name)];
    if (was && !is) yield own('removed field', 'the field was removed');
    else if (is && !was)
      yield needs.has(name)
        ? own('new required field', 'a required field was added')
        : own('new optional field', 'an optional field was added');
    else {
      if (needs.has(name) && !needed.has(name)) yield own('narrowed', 'the field is required now');
      if (!needs.has(name) && needed.has(name)) yield own('widened', 'the field is optional now');
      yield* compare(before[name], after[name], at, sides);
    }
  }
  const [open, opened] = [old, now].map(({ additionalProperties: rest = true }) => (isSame(rest, {}) ? true : rest));
  if (isSame(open, opened) || (isPart(open) && isPart(opened))) {
    if (isPart(open)) yield* compare(open, opened, `${path}.*`, sides);
  } else if (opened === false) yield told('narrowed', 'other fields are no longer taken');
  else if (open === false) yield told('widened', 'other fields are taken too');
  else yield told(opened === true ? 'widened' : 'narrowed', 'what other fields may hold changed');
}

function namesIn(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []);
}

type Forms = { readonly keyword: 'anyOf' | 'oneOf'; readonly forms: readonly unknown[] };

function formsOf({ anyOf, oneOf }: Part): Forms | undefined {
  if (Array.isArray(anyOf)) return { keyword: 'anyOf', forms: anyOf };
  return Array.isArray(oneOf) ? { keyword: 'oneOf', forms: oneOf } : undefined;
}

/** Compares a choice that says nothing else with a part that is none: one of the forms is often what was there alone. */
function compareLoneForms(old: Part, now: Part, { refers }: Sides, told: Tell): SchemaChange[] | undefined {
  const [before, after] = [formsOf(old), formsOf(now)];
  const [choice, part, other] = before === undefined ? [after, now, old] : [before, old, now];
  if (choice === undefined || (before !== undefined && after !== undefined)) return undefined;
  if (Object.keys(bare(part)).length > 1) return undefined;
  const isChoiceNow = after !== undefined;
  const more = choice.forms.filter((form) => refers || !isPart(form) || !isSame(bare(form), bare(other)));
  if (isSame(bare(other), {})) return [told(isChoiceNow ? 'narrowed' : 'widened', isChoiceNow ? becameForms : leftForms)];
  // In `oneOf` a value that another form takes too is refused.
  if (more.length === choice.forms.length || (choice.keyword === 'oneOf' && isChoiceNow))
    return [told('unclear', isChoiceNow ? becameForms : leftForms)];
  return [
    isChoiceNow ? told('widened', `${formsText(more)} can be given too`) : told('narrowed', `${formsText(more)} can no longer be given`),
  ];
}

const becameForms = 'it became a choice between several forms';
const leftForms = 'it is no longer a choice between several forms';

function bare(part: Part): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !isAside(name)));
}

function* compareForms(old: Part, now: Part, path: string, sides: Sides, told: Tell): Generator<SchemaChange> {
  if ([old, now].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined)) {
    for (const name of ['anyOf', 'oneOf']) if (!isSame(old[name], now[name])) yield told('unclear', `${name} changed`);
    return;
  }
  const [before, after] = [formsOf(old), formsOf(now)];
  // Beside other rules a choice is one rule more.
  if (before === undefined && after !== undefined) yield told('narrowed', becameForms);
  if (before !== undefined && after === undefined) yield told('widened', leftForms);
  if (before === undefined || after === undefined) return;
  if (before.keyword !== after.keyword)
    yield after.keyword === 'oneOf'
      ? told('narrowed', 'no more than one of its forms may fit now')
      : told('widened', 'several of its forms may fit now');
  const gone = before.forms.filter((form) => !after.forms.some((other) => isSame(form, other)));
  const come = after.forms.filter((form) => !before.forms.some((other) => isSame(form, other)));
  if (sides.refers)
    for (const form of before.forms) {
      const same = after.forms.find((other) => isSame(form, other));
      if (same !== undefined) yield* compare(form, same, path, sides);
    }
  if (gone.length === come.length) for (const [at, form] of gone.entries()) yield* compare(form, come[at], path, sides);
  else {
    if (gone.length > 0) yield told('narrowed', `${formsText(gone)} can no longer be given`);
    if (come.length > 0) yield told('widened', `${formsText(come)} can be given too`);
  }
}

function formsText(forms: readonly unknown[]): string {
  const [only] = forms;
  if (forms.length === 1) return isPart(only) && only.type === 'null' ? 'null' : 'one form';
  return `${forms.length} forms`;
}

function asPart(value: unknown): Part {
  // `false` takes nothing; everything else that is no object takes anything.
  return value === false ? { not: {} } : isPart(value) ? value : {};
}
