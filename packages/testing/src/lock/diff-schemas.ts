import type { JsonObject, JsonValue } from 'toolpact';
import { flattenSchema, isRecord, type SchemaPart } from 'toolpact/internal';
import { isSame } from '../lost-paths.ts';
import { diffKeywords, isAside, type SchemaChange, type ToChange, words } from './diff-keywords.ts';

interface Sides {
  readonly roots: readonly [JsonObject, JsonObject];
  /** Whether equal words may mean different things, because what they refer to has changed. */
  readonly refers: boolean;
  /** Pairs that were compared: each is reported once, and the walk ends for schemas that refer to themselves. */
  readonly seen: Map<unknown, Set<unknown>>;
}

/** Lists the changes of a JSON Schema, place by place. */
export function diffSchemas(before: JsonObject, after: JsonObject): SchemaChange[] {
  if (isSame(before, after)) return [];
  const refers = /"\$(?:ref|dynamicRef)":/.test(JSON.stringify([before, after]));
  return [...compare(before, after, '', { roots: [before, after], refers, seen: new Map() })];
}

function* compare(left: unknown, right: unknown, path: string, sides: Sides): Generator<SchemaChange> {
  const [old, now] = [asPart(left), asPart(right)].map((part, at) => flattenSchema(part, sides.roots[at] as JsonObject)) as [
    SchemaPart,
    SchemaPart,
  ];
  const isJoined = !isSame(asPart(left).allOf, asPart(right).allOf);
  if (!sides.refers && !isJoined && isSame(old, now)) return;
  const met = sides.seen.get(left) ?? new Set();
  if ((isRecord(left) || isRecord(right)) && met.has(right)) return;
  sides.seen.set(left, met.add(right));
  const toChange = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path, sort, message });
  const found = [...(compareLoneForms(old, now, sides, toChange) ?? compareParts(old, now, path, sides, toChange))];
  // Parts that contradict each other were joined into one, and the change was in what the other hid.
  if (isJoined && found.length === 0) yield toChange('unclear', 'allOf changed');
  yield* found;
  for (const name of words) {
    if (isSame(old[name], now[name])) continue;
    const [before, after] = [old[name], now[name]] as (JsonValue | undefined)[];
    yield {
      ...toChange('words', `the ${name} changed`),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  }
}

function* compareParts(old: SchemaPart, now: SchemaPart, path: string, sides: Sides, toChange: ToChange): Generator<SchemaChange> {
  yield* diffKeywords(old, now, toChange);
  yield* compareFields(old, now, path, sides, toChange);
  yield* compareForms(old, now, path, sides, toChange);
  if ([old.items, now.items].some(Array.isArray)) {
    if (!isSame(old.items, now.items)) yield toChange('unclear', 'items changed');
  } else if (old.items !== undefined || now.items !== undefined) yield* compare(old.items, now.items, `${path}[]`, sides);
}

function* compareFields(old: SchemaPart, now: SchemaPart, path: string, sides: Sides, toChange: ToChange): Generator<SchemaChange> {
  const [before, after] = [asPart(old.properties), asPart(now.properties)];
  const [needed, needs] = [namesIn(old.required), namesIn(now.required)];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after), ...needed, ...needs])) {
    const at = path === '' ? name : `${path}.${name}`;
    const own = (sort: SchemaChange['sort'], message: string): SchemaChange => ({ path: at, sort, message });
    const [was, is] = [Object.hasOwn(before, name), Object.hasOwn(after, name)];
    if (was && !is) yield own('removed field', 'the field was removed');
    else if (is && !was)
      yield {
        ...(needs.has(name)
          ? own('new required field', 'a required field was added')
          : own('new optional field', 'an optional field was added')),
        // Its words, too, are read by a model.
        ...(isRecord(now.properties) && { after: asPart(now.properties)[name] as JsonValue }),
      };
    else {
      if (needs.has(name) && !needed.has(name)) yield own('narrowed', 'the field is required now');
      if (!needs.has(name) && needed.has(name)) yield own('widened', 'the field is optional now');
      yield* compare(before[name], after[name], at, sides);
    }
  }
  const [open, opened] = [old, now].map(({ additionalProperties: rest = true }) => (isSame(rest, {}) ? true : rest));
  if (isSame(open, opened) || (isRecord(open) && isRecord(opened))) {
    if (isRecord(open)) yield* compare(open, opened, `${path}.*`, sides);
  } else if (opened === false) yield toChange('narrowed', 'other fields are no longer taken');
  else if (open === false) yield toChange('widened', 'other fields are taken too');
  else yield toChange(opened === true ? 'widened' : 'narrowed', 'what other fields may hold changed');
}

function namesIn(list: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.filter((name) => typeof name === 'string') : []);
}

type Forms = { readonly keyword: 'anyOf' | 'oneOf'; readonly forms: readonly unknown[] };

function formsOf({ anyOf, oneOf }: SchemaPart): Forms | undefined {
  if (Array.isArray(anyOf)) return { keyword: 'anyOf', forms: anyOf };
  return Array.isArray(oneOf) ? { keyword: 'oneOf', forms: oneOf } : undefined;
}

/** Compares a bare choice with a part that is not a choice: often one of its forms is the part that stood there alone. */
function compareLoneForms(old: SchemaPart, now: SchemaPart, { refers }: Sides, toChange: ToChange): SchemaChange[] | undefined {
  const [before, after] = [formsOf(old), formsOf(now)];
  const [choice, part, other] = before === undefined ? [after, now, old] : [before, old, now];
  if (choice === undefined || (before !== undefined && after !== undefined)) return undefined;
  if (Object.keys(bare(part)).length > 1) return undefined;
  const isChoiceNow = after !== undefined;
  const more = choice.forms.filter((form) => refers || !isRecord(form) || !isSame(bare(form), bare(other)));
  if (isSame(bare(other), {})) return [toChange(isChoiceNow ? 'narrowed' : 'widened', isChoiceNow ? becameForms : leftForms)];
  // In `oneOf` a value that another form takes too is refused.
  if (more.length === choice.forms.length || (choice.keyword === 'oneOf' && isChoiceNow))
    return [toChange('unclear', isChoiceNow ? becameForms : leftForms)];
  return [
    isChoiceNow
      ? toChange('widened', `${formsText(more)} can be given too`)
      : toChange('narrowed', `${formsText(more)} can no longer be given`),
  ];
}

const becameForms = 'it became a choice between several forms';
const leftForms = 'it is no longer a choice between several forms';

function bare(part: SchemaPart): SchemaPart {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !isAside(name)));
}

function* compareForms(old: SchemaPart, now: SchemaPart, path: string, sides: Sides, toChange: ToChange): Generator<SchemaChange> {
  if ([old, now].some(({ anyOf, oneOf }) => anyOf !== undefined && oneOf !== undefined)) {
    for (const name of ['anyOf', 'oneOf']) if (!isSame(old[name], now[name])) yield toChange('unclear', `${name} changed`);
    return;
  }
  const [before, after] = [formsOf(old), formsOf(now)];
  // Beside other rules a choice is one rule more.
  if (before === undefined && after !== undefined) yield toChange('narrowed', becameForms);
  if (before !== undefined && after === undefined) yield toChange('widened', leftForms);
  if (before === undefined || after === undefined) return;
  if (before.keyword !== after.keyword)
    yield after.keyword === 'oneOf'
      ? toChange('narrowed', 'no more than one of its forms may fit now')
      : toChange('widened', 'several of its forms may fit now');
  const gone = before.forms.filter((form) => !after.forms.some((other) => isSame(form, other)));
  const come = after.forms.filter((form) => !before.forms.some((other) => isSame(form, other)));
  if (sides.refers)
    for (const form of before.forms) {
      const same = after.forms.find((other) => isSame(form, other));
      if (same !== undefined) yield* compare(form, same, path, sides);
    }
  if (gone.length === come.length) for (const [at, form] of gone.entries()) yield* compare(form, come[at], path, sides);
  else {
    if (gone.length > 0) yield toChange('narrowed', `${formsText(gone)} can no longer be given`);
    if (come.length > 0) yield toChange('widened', `${formsText(come)} can be given too`);
  }
}

function formsText(forms: readonly unknown[]): string {
  const [only] = forms;
  if (forms.length === 1) return isRecord(only) && only.type === 'null' ? 'null' : 'one form';
  return `${forms.length} forms`;
}

function asPart(value: unknown): SchemaPart {
  // `false` takes nothing; anything else that is not an object takes everything.
  return value === false ? { not: {} } : isRecord(value) ? value : {};
}
