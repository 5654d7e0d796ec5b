import type { Issue, JsonObject } from '../outcome/index.ts';
import type { StandardIssue } from './standard-schema.ts';
import { rankNames } from './tool-name.ts';

type Path = readonly (string | number)[];
type Part = Readonly<Record<string, unknown>>;

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
  if (!present) return [missing(path, part)];
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
  const absent = required.map((key) => missing([...path, String(key)], schemaAt(root, [...path, String(key)])));
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

function missing(path: Path, part: Part | undefined): Issue {
  const expected = part && expectedOf(part);
  return issueOf(path, 'missing', expected ? `is required: ${expected}` : 'is required', expected ? { expected } : {});
}

function extraKey(path: Path, key: string, parent: Part): Issue {
  const near = rankNames(key, Object.keys((parent.properties ?? {}) as object), 1)[0];
  return issueOf(path, 'extra', 'is not a known field', near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` });
}

function rule(path: Path, message: string, value: unknown): Issue {
  // An author's own words are kept, but not a value they repeat.
  const text = typeof value === 'string' && value.length > 3 ? message.replaceAll(value, '…') : message;
  return issueOf(path, 'rule', text.slice(0, 300), { received: typeName(value) });
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

function valueAt(value: unknown, path: Path): { present: boolean; found: unknown } {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return { present: false, found: undefined };
    found = (found as Record<string | number, unknown>)[step];
  }
  return { present: found !== undefined, found };
}

function schemaAt(root: JsonObject, path: Path): Part | undefined {
  let parts: readonly Part[] = [root];
  for (const step of path) {
    parts = parts.flatMap((part) => (branchesOf(part, root) ?? [resolve(part, root)]).flatMap((branch) => childOf(branch, step)));
  }
  const found = parts[0];
  return found && resolve(found, root);
}

function childOf(part: Part, step: string | number): Part[] {
  const properties = part.properties as Part | undefined;
  const prefix = part.prefixItems as readonly Part[] | undefined;
  const child =
    typeof step === 'number' || Array.isArray(prefix)
      ? (prefix?.[Number(step)] ?? part.items)
      : properties && Object.hasOwn(properties, step)
        ? properties[step]
        : part.additionalProperties;
  return typeof child === 'object' && child !== null ? [child as Part] : [];
}

function branchesOf(part: Part, root: JsonObject, depth = 0): readonly Part[] | undefined {
  const branches = part.anyOf ?? part.oneOf;
  if (!Array.isArray(branches) || depth > 4) return undefined;
  return branches.map((branch) => resolve(branch, root)).flatMap((branch) => branchesOf(branch, root, depth + 1) ?? [branch]);
}

function resolve(part: Part, root: JsonObject): Part {
  let found = part;
  for (let hops = 0; typeof found.$ref === 'string' && hops < 8; hops += 1) {
    const steps = found.$ref.replace(/^#\/?/, '').split('/').filter(Boolean);
    found = (steps.reduce<unknown>((at, step) => (at as Part | undefined)?.[step.replace(/~1/g, '/').replace(/~0/g, '~')], root) ??
      {}) as Part;
  }
  return found;
}
