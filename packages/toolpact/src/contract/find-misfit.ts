import { isObject } from '../json/index.ts';
import type { JsonObject } from '../outcome/index.ts';
import { fitsType, typeName } from './explain-issues.ts';
import { namesIn, type Part, type Path, resolvePart } from './schema-at.ts';

/** As deep as a value is looked at. */
const maxDepth = 16;
/** The most parts of a value that are compared with parts of the schema: branches that lead back to the schema multiply. */
const maxLooks = 10_000;

/** The whole schema, and how many looks are left. */
interface Search {
  readonly root: JsonObject;
  looksLeft: number;
}

/**
 * Finds out that a value cannot fit a JSON Schema, and says where and why. What it does not know (formats, patterns, `not`) it takes to fit, so that
 * only the schema itself can say that a value is right; of a process that has the JSON Schema alone, it can say that a value is wrong.
 */
export function findMisfit(schema: JsonObject, value: unknown): string | undefined {
  return misfit(schema, value, { root: schema, looksLeft: maxLooks }, [], 0);
}

function misfit(given: Part, value: unknown, search: Search, at: Path, depth: number): string | undefined {
  search.looksLeft -= 1;
  if (depth > maxDepth || search.looksLeft < 0) return undefined;
  const part = resolvePart(given, search.root);
  const within = (inner: Part): string | undefined => misfit(inner, value, search, at, depth + 1);
  if (!fitsType(part, value)) return misfitAt(at, `must be of the type ${[part.type].flat().join(' or ')}, not ${typeName(value)}`);
  const choices = Array.isArray(part.enum) ? part.enum : 'const' in part ? [part.const] : undefined;
  if (choices !== undefined && !isObject(value) && !choices.includes(value))
    return misfitAt(
      at,
      `must be one of ${choices
        .slice(0, 20)
        .map((choice) => JSON.stringify(choice))
        .join(', ')}`,
    );
  for (const [keyword, breaks, words] of bounds) {
    const bound = part[keyword];
    if (typeof bound === 'number' && breaks(value, bound)) return misfitAt(at, `must ${words} ${bound}`);
  }
  for (const inner of partsIn(part.allOf)) {
    const found = within(inner);
    if (found !== undefined) return found;
  }
  const branches = [...partsIn(part.anyOf), ...(part.anyOf === undefined ? partsIn(part.oneOf) : [])];
  const problem = commonMisfit(branches, within);
  if (problem !== undefined) return problem;
  return Array.isArray(value)
    ? inItems(part, value, search, at, depth)
    : isObject(value)
      ? inFields(part, value as Part, search, at, depth)
      : undefined;
}

/** Returns the first problem where a value fits none of the branches. */
function commonMisfit(branches: readonly Part[], within: (branch: Part) => string | undefined): string | undefined {
  let first: string | undefined;
  for (const branch of branches) {
    const problem = within(branch);
    if (problem === undefined) return undefined;
    first ??= problem;
  }
  return first;
}

function inItems(part: Part, value: readonly unknown[], search: Search, at: Path, depth: number): string | undefined {
  const prefix = partsIn(part.prefixItems);
  for (const [index, item] of value.entries()) {
    const inner = prefix[index] ?? part.items;
    const found = isObject(inner) ? misfit(inner as Part, item, search, [...at, index], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function inFields(part: Part, value: Part, search: Search, at: Path, depth: number): string | undefined {
  const missing = namesIn(part.required).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return misfitAt([...at, missing], 'is missing');
  const properties = (isObject(part.properties) ? part.properties : {}) as Readonly<Record<string, Part>>;
  const isClosed = part.additionalProperties === false && part.patternProperties === undefined;
  for (const [name, field] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner === undefined && isClosed) return misfitAt([...at, name], 'is not a known field');
    const found = isObject(inner) ? misfit(inner, field, search, [...at, name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function misfitAt(path: Path, why: string): string {
  const said = path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return `${said === '' ? 'it' : said} ${why}`;
}

function partsIn(stated: unknown): readonly Part[] {
  return Array.isArray(stated) ? stated.filter((part): part is Part => isObject(part)) : [];
}

type Bound = readonly [keyword: string, breaks: (value: unknown, bound: number) => boolean, words: string];

const ofNumber =
  (breaks: (value: number, bound: number) => boolean): Bound[1] =>
  (value, bound) =>
    typeof value === 'number' && breaks(value, bound);
const ofList =
  (breaks: (length: number, bound: number) => boolean): Bound[1] =>
  (value, bound) =>
    Array.isArray(value) && breaks(value.length, bound);

/** Libraries count characters in two ways: only what is too short or too long in both is wrong. */
const bounds: readonly Bound[] = [
  ['minimum', ofNumber((value, bound) => value < bound), 'be at least'],
  ['maximum', ofNumber((value, bound) => value > bound), 'be at most'],
  ['exclusiveMinimum', ofNumber((value, bound) => value <= bound), 'be more than'],
  ['exclusiveMaximum', ofNumber((value, bound) => value >= bound), 'be less than'],
  ['minLength', (value, bound) => typeof value === 'string' && value.length < bound, 'have characters, at least'],
  ['maxLength', (value, bound) => typeof value === 'string' && [...value].length > bound, 'have characters, at most'],
  ['minItems', ofList((length, bound) => length < bound), 'have items, at least'],
  ['maxItems', ofList((length, bound) => length > bound), 'have items, at most'],
];
