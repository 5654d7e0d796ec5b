import { isRecord } from '../../../core/json/index.ts';
import type { JsonObject } from '../../../core/outcome/index.ts';

/** Any object of a JSON Schema. */
export type Part = Readonly<Record<string, unknown>>;

const maxJoined = 200;

/** The keywords that set a limit, and whether it is a lower one. */
export const limits: readonly (readonly [name: string, isLower: boolean])[] = [
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, true] as const),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, false] as const),
];

/** Follows references and joins `allOf` into one object. What leads back to itself adds nothing. */
export function flattenSchema(schema: Part, root: JsonObject): Part {
  return join(schema, root, { left: maxJoined, open: new Set() });
}

function join(schema: Part, root: JsonObject, job: { left: number; readonly open: Set<string> }): Part {
  job.left -= 1;
  if (job.left < 0) return {};
  const { $ref, allOf, ...rest } = schema;
  if ($ref === undefined && allOf === undefined) return schema;
  let joined: Part = rest;
  if (typeof $ref === 'string' && !job.open.has($ref)) {
    job.open.add($ref);
    const found = referred($ref, root);
    if (isRecord(found)) joined = mergeSchemas(join(found, root, job), joined);
    job.open.delete($ref);
  }
  if (!Array.isArray(allOf)) return joined;
  return allOf.filter(isRecord).reduce<Part>((all, one) => mergeSchemas(all, join(one, root, job)), joined);
}

/** Joins two schemas into one that says what both say, as far as that can be said in one. Where two limits hold, the stricter one decides. */
export function mergeSchemas(left: Part, right: Part): Part {
  const both: Record<string, unknown> = { ...left, ...right };
  if (isRecord(left.properties) && isRecord(right.properties)) both.properties = { ...left.properties, ...right.properties };
  if (Array.isArray(left.required) && Array.isArray(right.required)) both.required = [...new Set([...left.required, ...right.required])];
  for (const [name, isLower] of limits) {
    const [one, other] = [left[name], right[name]];
    if (typeof one === 'number' && typeof other === 'number') both[name] = (isLower ? Math.max : Math.min)(one, other);
  }
  return both;
}

/** Reads a table by a name from a schema. The name may also be that of an inherited property, which is not read. */
export function own<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

function referred(reference: string, root: JsonObject): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce<unknown>((at, step) => (isRecord(at) || Array.isArray(at) ? (at as Part)[toName(step)] : undefined), root);
}

function toName(step: string): string {
  const name = step.replace(/~1/g, '/').replace(/~0/g, '~');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
