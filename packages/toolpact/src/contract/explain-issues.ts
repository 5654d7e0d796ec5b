import { issueValues } from '../classify/index.ts';
import { hideValues, isObject, rankNames } from '../json/index.ts';
import { type Issue, type JsonObject, withoutAbsent } from '../outcome/index.ts';
import { branchesOf, namesIn, type Part, type Path, schemaAt, valueAt } from './schema-at.ts';
import type { StandardIssue } from './standard-schema.ts';

const maxIssues = 20;
/** Longer names of unknown fields are not repeated. */
const longestName = 64;

/**
 * Turns a schema library's issues into ours. What is wrong is read off the JSON Schema and the value, never off the library's message,
 * because some of those repeat the value; only a rule that JSON Schema does not know keeps its author's words.
 */
export function explainIssues(issues: readonly StandardIssue[], schema: JsonObject | undefined, value: unknown): Issue[] {
  const explained = new Map<string, Issue>();
  for (const issue of issues) {
    for (const found of explainAt(issue, schema, value)) {
      const key = JSON.stringify([found.path, found.problem, found.expected]);
      if (!explained.has(key)) explained.set(key, found);
    }
  }
  return [...explained.values()].slice(0, maxIssues);
}

function explainAt(issue: StandardIssue, schema: JsonObject | undefined, value: unknown): Issue[] {
  const path = pathOf(issue);
  const above = path.slice(0, -1);
  const found = valueAt(value, path);
  const parent = schema && schemaAt(schema, above);
  const part = schema && schemaAt(schema, path);
  if (found === undefined) return [missing(path, part, asPart(valueAt(value, above)), asPart(parent?.properties))];
  if (part === undefined && parent?.additionalProperties === false && typeof path.at(-1) === 'string') return [extraKey(path, parent)];
  const explained = part === undefined ? [] : explainByBranch(part, found, path, schema as JsonObject);
  if (explained.length > 0) return explained;
  // An author's own words are kept, but not a value they repeat; a library's own for a pattern too. The pattern is not tried here: its schema
  // did so in bounded time, which the engine of the platform does not promise.
  const words = hideValues(issue.message, [found, ...issueValues(issue)]);
  return [issueOf(path, 'rule', words.slice(0, 300), { received: typeName(found) })];
}

/** Returns the path of a schema library's issue. */
export function pathOf({ path = [] }: StandardIssue): (string | number)[] {
  return Array.from(path, (step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'number' ? key : String(key);
  });
}

/** Explains a value by the branch of a union that fits best: the first of the value's own type with the fewest problems. */
function explainByBranch(part: Part, value: unknown, path: Path, root: JsonObject): Issue[] {
  const branches = branchesOf([part], root);
  const fitting = branches.filter((branch) => fitsType(branch, value));
  if (fitting.length === 0) return [wrongType(path, branches.map(expectedOf).join(' or '), value)];
  const explained = fitting.map((branch) => explainValue(branch, value, path, root)).filter((issues) => issues.length > 0);
  return explained.sort((a, b) => a.length - b.length)[0] ?? [];
}

/** Finds everything that a part of a JSON Schema, no union, can say against a value of its type. */
function explainValue(part: Part, value: unknown, path: Path, root: JsonObject): Issue[] {
  const expected = expectedOf(part);
  const received = typeName(value);
  if (received === 'object') return explainObject(part, value as Part, path, root);
  const choices = part.enum ?? ('const' in part ? [part.const] : undefined);
  if (Array.isArray(choices) && !choices.includes(value)) {
    const hint = didYouMean(String(value), choices.filter((choice) => !isObject(choice)).map(String));
    return [issueOf(path, 'rule', `must be ${expected}`, { expected, received, hint })];
  }
  for (const [keyword, breaks, text] of bounds) {
    const bound = part[keyword] as number | undefined;
    if (bound === undefined) continue;
    const measured = /Length|Items/.test(keyword) ? (value as string).length : (value as number);
    if (!breaks(measured, bound)) continue;
    const rule = text.replace('#', () => String(bound));
    return [issueOf(path, 'rule', `must ${rule}`, { expected: rule, received })];
  }
  const { format } = part;
  if (typeof format !== 'string' || received !== 'string') return [];
  return [issueOf(path, 'format', `must be a valid ${format}`, { format, expected, received })];
}

function explainObject(part: Part, value: Part, path: Path, root: JsonObject): Issue[] {
  const properties = asPart(part.properties);
  const issues = namesIn(part.required)
    .filter((key) => value[key] === undefined)
    .map((key) => missing([...path, key], schemaAt(root, [...path, key]), value, properties));
  if (part.additionalProperties === false) {
    for (const key of strangersIn(value, properties)) issues.push(extraKey([...path, key], part));
  }
  return issues;
}

/** Says that a value is of another type than the one asked for. */
export function wrongType(path: Path, expected: string, value: unknown): Issue {
  const received = typeName(value);
  return issueOf(path, 'type', `expected ${expected}, received ${received}`, { expected, received });
}

/** A missing field; an unknown one of a similar name, or the only unknown one, is the likely cause. */
function missing(path: Path, part: Part | undefined, siblings: Part, known: Part): Issue {
  const expected = part && expectedOf(part);
  const strangers = strangersIn(siblings, known);
  const [near = strangers.length === 1 ? strangers[0] : undefined] = rankNames(String(path.at(-1)), strangers, 1);
  return issueOf(path, 'missing', `is required${expected === undefined ? '' : ` (${expected})`}`, {
    expected,
    hint: near === undefined || near.length > longestName ? undefined : `You sent ${JSON.stringify(near)}`,
  });
}

function extraKey(path: Path, parent: Part): Issue {
  return issueOf(path, 'extra', 'is not a known field', { hint: didYouMean(String(path.at(-1)), Object.keys(asPart(parent.properties))) });
}

function didYouMean(asked: string, names: readonly string[]): string | undefined {
  const [near] = rankNames(asked, names, 1);
  return near === undefined ? undefined : `Did you mean ${JSON.stringify(near)}?`;
}

function strangersIn(value: Part, known: Part): string[] {
  return Object.keys(value).filter((key) => !Object.hasOwn(known, key));
}

function asPart(value: unknown): Part {
  return isObject(value) ? (value as Part) : {};
}

function issueOf(
  path: Path,
  problem: Issue['problem'],
  message: string,
  facts: { readonly [K in keyof Issue]?: Issue[K] | undefined },
): Issue {
  return withoutAbsent({ path, problem, ...facts, message });
}

const below = (value: number, bound: number): boolean => value < bound;
const above = (value: number, bound: number): boolean => value > bound;

/** Keywords a value can break, with how to see it and how to say it. */
const bounds: readonly (readonly [keyword: string, breaks: (value: number, bound: number) => boolean, text: string])[] = [
  ['minimum', below, 'be at least #'],
  ['maximum', above, 'be at most #'],
  ['exclusiveMinimum', (value, bound) => value <= bound, 'be more than #'],
  ['exclusiveMaximum', (value, bound) => value >= bound, 'be less than #'],
  ['multipleOf', (value, bound) => value % bound !== 0, 'be a multiple of #'],
  ['minLength', below, 'have at least # characters'],
  ['maxLength', above, 'have at most # characters'],
  ['minItems', below, 'have at least # items'],
  ['maxItems', above, 'have at most # items'],
];

function expectedOf(part: Part): string {
  if (Array.isArray(part.enum)) {
    const choices = part.enum.slice(0, 20).map((choice) => JSON.stringify(choice));
    return `one of ${choices.join(', ')}`;
  }
  if ('const' in part) return JSON.stringify(part.const);
  if (typeof part.format === 'string') return `${withArticle(part.format)} string`;
  const types = namesIn(part.type);
  return types.length === 0 ? 'a value' : types.map(withArticle).join(' or ');
}

/** Names a JSON type as one would in a sentence. */
export function withArticle(type: string): string {
  if (type === 'boolean') return 'true or false';
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** Checks whether a value is of a type that a part of a JSON Schema states. */
export function fitsType(part: Part, value: unknown): boolean {
  const types = namesIn(part.type);
  return types.length === 0 || types.includes(typeName(value)) || (types.includes('integer') && Number.isInteger(value));
}

/** Names a value's JSON type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
