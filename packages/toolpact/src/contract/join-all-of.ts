import { canonicalJson, isRecord } from '../json/index.ts';
import type { JsonObject } from '../outcome/index.ts';
import { type Part, resolvePart } from './schema-at.ts';

/** How many parts may still be joined. Parts that refer to each other could be joined without end. */
export interface JoinBudget {
  left: number;
}

type Refuse = (why: string) => never;

interface Job {
  readonly root: JsonObject;
  readonly budget: JoinBudget;
  readonly refuse: Refuse;
}

/** Begins a count of joined parts, one for each schema. */
export function createJoinBudget(): JoinBudget {
  return { left: 1_000 };
}

/**
 * Writes a schema and the parts of its `allOf` as one schema that means the same. What two parts say of one field is left as an `allOf` of
 * that field, to be joined in its turn. `refuse` gets the reason where parts contradict each other, or no single schema can express them.
 */
export function joinAllOf(part: Part, root: JsonObject, budget: JoinBudget, refuse: Refuse): Part {
  const { allOf, ...own } = part;
  if (!Array.isArray(allOf)) return part;
  const [only] = allOf as unknown[];
  // A single part, a reference for example, with only descriptions beside it is not joined.
  if (allOf.length === 1 && isRecord(only) && only.allOf === undefined && Object.keys(own).every(isNote)) return { ...only, ...own };
  const { unevaluatedProperties: others, ...rest } = join(part, { root, budget, refuse }, new Set());
  // In one schema without alternatives, the fields that no part has evaluated are those that it does not list.
  const closes = others === false && unionOf(rest) === undefined;
  const joined = closes
    ? { ...rest, additionalProperties: false }
    : { ...rest, ...(others !== undefined && { unevaluatedProperties: others }) };
  checkNeeded(joined, refuse);
  return joined;
}

function checkNeeded({ required, properties, additionalProperties }: Part, refuse: Refuse): void {
  if (additionalProperties !== false || !Array.isArray(required)) return;
  const fields = isRecord(properties) ? properties : {};
  const lost = required.find((name: string) => !Object.hasOwn(fields, name));
  if (lost !== undefined) refuse(`its allOf parts contradict each other: one needs "${lost}", another does not allow it`);
}

/** Puts what stands beside a union into each of its alternatives: providers take nothing beside it. */
export function spreadUnion(part: Part): Part {
  const union = unionOf(part);
  const branches = union === undefined ? undefined : part[union];
  if (union === undefined || !Array.isArray(branches)) return part;
  const beside = Object.entries(part).filter(([name]) => name !== union);
  const binding = beside.filter(([name]) => !isNote(name));
  if (binding.length === 0) return part;
  const notes = beside.filter(([name]) => isNote(name));
  const spread = branches.map((branch: unknown) => ({ allOf: [Object.fromEntries(binding), branch] }));
  return { ...Object.fromEntries(notes), [union]: spread };
}

function unionOf(part: Part): 'anyOf' | 'oneOf' | undefined {
  return part.anyOf !== undefined ? 'anyOf' : part.oneOf !== undefined ? 'oneOf' : undefined;
}

function join(part: Part, job: Job, open: Set<string>): Part {
  job.budget.left -= 1;
  if (job.budget.left < 0) job.refuse('the parts of its allOf are too many, or refer to each other without end');
  const { $ref, allOf, ...own } = part;
  const parts: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
  let joined: Part = own;
  // A part that leads back to itself adds nothing.
  if (typeof $ref === 'string' && !open.has($ref)) {
    open.add($ref);
    joined = merge(joined, join(resolvePart({ $ref }, job.root), job, open), job);
    open.delete($ref);
  }
  for (const one of parts) {
    if (one === false) job.refuse('one part of its allOf allows nothing');
    if (isRecord(one)) joined = merge(joined, join(one, job, open), job);
  }
  return joined;
}

function merge(left: Part, right: Part, job: Job): Part {
  const both: Record<string, unknown> = { ...right, ...left };
  for (const name of Object.keys(left)) {
    if (right[name] === undefined || left[name] === undefined) continue;
    both[name] = ruleOf(name)(left[name], right[name], job.refuse, name);
  }
  if (left.properties !== undefined || right.properties !== undefined) both.properties = mergeFields(left, right);
  if (both.const === undefined || !Array.isArray(both.enum)) return both;
  const { enum: choices, ...rest } = both;
  if (!includes(choices, both.const)) contradict(job.refuse, 'const', both.const, choices);
  return rest;
}

/** Unites the fields of two parts. A field that one of them does not list is a matter of its `additionalProperties`. */
function mergeFields(left: Part, right: Part): Part {
  const sides = [left, right].map(({ properties, additionalProperties }) => ({
    fields: isRecord(properties) ? properties : {},
    others: additionalProperties ?? true,
  }));
  const names = new Set(sides.flatMap(({ fields }) => Object.keys(fields)));
  const entries = [...names].flatMap((name) => {
    const said = sides.map(({ fields, others }) => (Object.hasOwn(fields, name) ? fields[name] : others));
    return said.includes(false) ? [] : [[name, oneOf(said)]];
  });
  return Object.fromEntries(entries);
}

/** Returns one schema for what two parts say, joined where both say something. */
function oneOf(said: readonly unknown[]): unknown {
  const [left, right] = said.filter((one) => one !== true);
  if (right === undefined) return left ?? true;
  return isSame(left, right) ? left : { allOf: [left, right] };
}

type Rule = (left: unknown, right: unknown, refuse: Refuse, name: string) => unknown;

const first: Rule = (left) => left;
const either: Rule = (left, right) => left === true || right === true;
const both: Rule = (left, right) => (left === false || right === false ? false : oneOf([left, right]));
const united: Rule = (left, right) => [...new Set([left, right].flat())];
const highest: Rule = (left, right) => Math.max(Number(left), Number(right));
const lowest: Rule = (left, right) => Math.min(Number(left), Number(right));
const same: Rule = (left, right, refuse, name) => {
  if (!isSame(left, right)) refuse(`its allOf parts differ in ${name}, and one schema cannot express both`);
  return left;
};

const rules: Readonly<Record<string, Rule>> = {
  type: (left, right, refuse) => {
    const kinds = (stated: unknown): unknown[] => [stated].flat().flatMap((kind) => (kind === 'number' ? ['number', 'integer'] : [kind]));
    const kept = kinds(left).filter((kind) => kinds(right).includes(kind));
    if (kept.length === 0) contradict(refuse, 'type', left, right);
    const plain = kept.filter((kind) => kind !== 'integer' || !kept.includes('number'));
    return plain.length === 1 ? plain[0] : plain;
  },
  const: (left, right, refuse) => (isSame(left, right) ? left : contradict(refuse, 'const', left, right)),
  enum: (left, right, refuse) => {
    const kept = [left].flat().filter((choice) => includes(right, choice));
    return kept.length > 0 ? kept : contradict(refuse, 'enum', left, right);
  },
  required: united,
  items: both,
  additionalProperties: both,
  uniqueItems: either,
  ...Object.fromEntries('minimum exclusiveMinimum minLength minItems minProperties'.split(' ').map((name) => [name, highest])),
  ...Object.fromEntries('maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ').map((name) => [name, lowest])),
};

function ruleOf(name: string): Rule {
  // Fields are united by `mergeFields`.
  if (name === 'properties' || isNote(name)) return first;
  return (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? same;
}

/** Keywords that bind nothing: what the schema itself says of them counts. */
const notes = new Set(
  'title description default examples deprecated readOnly writeOnly $comment $id $schema $anchor $defs definitions'.split(' '),
);

function isNote(name: string): boolean {
  return notes.has(name);
}

function contradict(refuse: Refuse, name: string, left: unknown, right: unknown): never {
  const [one, other] = [left, right].map((value) => JSON.stringify(value)?.slice(0, 100));
  return refuse(`its allOf parts contradict each other: the ${name} is ${one} in one and ${other} in another`);
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}

function includes(choices: unknown, value: unknown): boolean {
  return Array.isArray(choices) && choices.some((choice) => isSame(choice, value));
}
