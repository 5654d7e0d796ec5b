import type { Issue, JsonObject } from '../outcome/index.ts';
import { branchesOf, type Part, type Path, schemaAt, valueAt } from './schema-at.ts';
import type { StandardIssue } from './standard-schema.ts';
import { rankNames } from './tool-name.ts';

const mostIssues = 20;

/**
 * Turns a schema library's issues into ours. What is wrong is read off the JSON Schema and the value, never off the library's message,
 * because some of those repeat the value; only a rule that JSON Schema does not know keeps its author's words.
 */
export function explainIssues(issues: readonly StandardIssue[], schema: JsonObject | undefined, value: unknown): Issue[] {
  const seen = new Set<string>();
  const explained: Issue[] = [];
  for (const issue of issues) {
    const path = toPath(issue);
    for (const found of explainAt(issue, path, schema, value)) {
      const key = JSON.stringify([found.path, found.problem, found.expected]);
      if (!seen.has(key) && explained.length < mostIssues) explained.push(found);
      seen.add(key);
    }
  }
  return explained;
}

function toPath({ path }: StandardIssue): Path {
  const keys = Array.from(path ?? [], (step) => (typeof step === 'object' ? step.key : step));
  return keys.map((key) => (typeof key === 'number' ? key : String(key)));
}

function explainAt(issue: StandardIssue, path: Path, schema: JsonObject | undefined, value: unknown): Issue[] {
  const { present, found } = valueAt(value, path);
  const parent = schema && schemaAt(schema, path.slice(0, -1));
  const part = schema && schemaAt(schema, path);
  const last = path.at(-1);
  if (part === undefined && parent?.additionalProperties === false && typeof last === 'string' && present) {
    return [extraKey(path, last, parent)];
  }
  if (!present) return [missing(path, part, asPart(valueAt(value, path.slice(0, -1)).found), asPart(parent?.properties))];
  const explained = part === undefined ? [] : explainValue(part, found, path, schema as JsonObject);
  return explained.length > 0 ? explained : [rule(path, issue.message, found)];
}

/** Finds everything that JSON Schema can say against a value. */
function explainValue(part: Part, value: unknown, path: Path, root: JsonObject): Issue[] {
  const branches = branchesOf(part, root);
  if (branches !== undefined) return explainBranches(branches, value, path, root);
  const expected = expectedOf(part);
  const types = [part.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return [issueOf(path, 'type', `expected ${expected}, received ${typeName(value)}`, { expected, received: typeName(value) })];
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return explainObject(part, value as Part, path, root);
  const choices = part.enum ?? ('const' in part ? [part.const] : undefined);
  if (Array.isArray(choices) && !choices.includes(value)) {
    const near = typeof value === 'string' ? rankNames(value, choices.map(String), 1)[0] : undefined;
    const hint = near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` };
    return [issueOf(path, 'rule', `must be ${expected}`, { expected, received: typeName(value), ...hint })];
  }
  for (const [keyword, breaks, text] of bounds) {
    const bound = part[keyword];
    if (bound === undefined || !breaks(value, bound)) continue;
    return [issueOf(path, 'rule', `must ${text(bound)}`, { expected: text(bound), received: typeName(value) })];
  }
  const format = part.format;
  if (typeof format === 'string' && typeof value === 'string') {
    return [issueOf(path, 'format', `must be a valid ${format}`, { format, expected, received: typeName(value) })];
  }
  return [];
}

function explainObject(part: Part, value: Part, path: Path, root: JsonObject): Issue[] {
  const properties = (part.properties ?? {}) as Part;
  const required = [part.required ?? []].flat().filter((key) => value[String(key)] === undefined);
  const absent = required.map((key) => missing([...path, String(key)], schemaAt(root, [...path, String(key)]), value, properties));
  if (part.additionalProperties !== false) return absent;
  const extra = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  return [...absent, ...extra.map((key) => extraKey([...path, key], key, part))];
}

/** Explains a union by the branch that fits best: the first of the value's own type with the fewest problems. */
function explainBranches(branches: readonly Part[], value: unknown, path: Path, root: JsonObject): Issue[] {
  const fitting = branches.filter((branch) => branch.type === undefined || [branch.type].flat().some((type) => hasType(value, type)));
  if (fitting.length === 0) {
    const expected = branches.map(expectedOf).join(' or ');
    return [issueOf(path, 'type', `expected ${expected}, received ${typeName(value)}`, { expected, received: typeName(value) })];
  }
  const explained = fitting.map((branch) => explainValue(branch, value, path, root)).filter((issues) => issues.length > 0);
  return explained.sort((a, b) => a.length - b.length)[0] ?? [];
}

/** A missing field; when an unknown one of a similar name was sent, that is the likely cause. */
function missing(path: Path, part: Part | undefined, siblings: Part, known: Part): Issue {
  const expected = part && expectedOf(part);
  const strangers = Object.keys(siblings).filter((key) => !Object.hasOwn(known, key));
  const near = rankNames(String(path.at(-1)), strangers, 1)[0];
  const hint = near === undefined ? {} : { hint: `You sent ${JSON.stringify(near)}` };
  return issueOf(path, 'missing', `is required${expected ? ` (${expected})` : ''}`, { ...(expected && { expected }), ...hint });
}

function asPart(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}

function extraKey(path: Path, key: string, parent: Part): Issue {
  const near = rankNames(key, Object.keys((parent.properties ?? {}) as object), 1)[0];
  return issueOf(path, 'extra', 'is not a known field', near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` });
}

function rule(path: Path, message: string, value: unknown): Issue {
  // An author's own words are kept, but not a value they repeat.
  return issueOf(path, 'rule', withoutValues(message.slice(0, 2000), value, 0).slice(0, 300), { received: typeName(value) });
}

function withoutValues(message: string, value: unknown, depth: number): string {
  if (typeof value === 'string') return value.length > 3 ? message.replaceAll(value, '…') : message;
  if (typeof value !== 'object' || value === null || depth > 4) return message;
  return Object.values(value)
    .slice(0, 50)
    .reduce<string>((text, part) => withoutValues(text, part, depth + 1), message);
}

function issueOf(path: Path, problem: Issue['problem'], message: string, facts: Partial<Issue>): Issue {
  return { path, problem, ...facts, message };
}

/** Keywords a value can break, with how to see it and how to say it. */
const bounds: readonly (readonly [string, (value: unknown, bound: unknown) => boolean, (bound: unknown) => string])[] = [
  ['minimum', (value, bound) => (value as number) < (bound as number), (bound) => `be at least ${bound}`],
  ['maximum', (value, bound) => (value as number) > (bound as number), (bound) => `be at most ${bound}`],
  ['exclusiveMinimum', (value, bound) => (value as number) <= (bound as number), (bound) => `be more than ${bound}`],
  ['exclusiveMaximum', (value, bound) => (value as number) >= (bound as number), (bound) => `be less than ${bound}`],
  ['multipleOf', (value, bound) => (value as number) % (bound as number) !== 0, (bound) => `be a multiple of ${bound}`],
  ['minLength', (value, bound) => (value as string).length < (bound as number), (bound) => `have at least ${bound} characters`],
  ['maxLength', (value, bound) => (value as string).length > (bound as number), (bound) => `have at most ${bound} characters`],
  ['minItems', (value, bound) => (value as unknown[]).length < (bound as number), (bound) => `have at least ${bound} items`],
  ['maxItems', (value, bound) => (value as unknown[]).length > (bound as number), (bound) => `have at most ${bound} items`],
  ['pattern', (value, bound) => !new RegExp(bound as string, 'u').test(value as string), (bound) => `match ${bound}`],
];

function expectedOf(part: Part): string {
  if (Array.isArray(part.enum))
    return `one of ${part.enum
      .slice(0, 20)
      .map((choice) => JSON.stringify(choice))
      .join(', ')}`;
  if ('const' in part) return JSON.stringify(part.const);
  if (typeof part.format === 'string') return `a ${part.format} string`;
  const types = [part.type ?? []].flat().map((type) => articles[String(type)] ?? String(type));
  return types.length > 0 ? types.join(' or ') : 'a value';
}

const articles: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeName(value) === type;
}

/** Names a value's JSON type. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
