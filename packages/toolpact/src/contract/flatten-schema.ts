import { isRecord, resolveReference } from '../json/index.ts';
import type { JsonObject } from '../outcome/index.ts';
import type { Part } from './schema-at.ts';

const maxJoined = 200;

/** The keywords that set a limit, and whether it is a lower one. */
export const limitKeywords: readonly (readonly [name: string, isLower: boolean])[] = [
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
  const { $ref, allOf, ...own } = schema;
  if ($ref === undefined && allOf === undefined) return schema;
  let joined: Part = {};
  if (typeof $ref === 'string' && !job.open.has($ref)) {
    job.open.add($ref);
    const referred = resolveReference($ref, root);
    if (isRecord(referred)) joined = join(referred, root, job);
    job.open.delete($ref);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) if (isRecord(part)) joined = mergeSchemas(joined, join(part, root, job));
  return mergeSchemas(joined, own);
}

/** Joins two schemas into one that says what both say, as far as that can be said in one. Where two limits hold, the stricter one decides. */
export function mergeSchemas(left: Part, right: Part): Part {
  const both: Record<string, unknown> = { ...left, ...right };
  if (isRecord(left.properties) && isRecord(right.properties)) both.properties = { ...left.properties, ...right.properties };
  if (Array.isArray(left.required) && Array.isArray(right.required)) both.required = [...new Set([...left.required, ...right.required])];
  for (const [name, isLower] of limitKeywords) {
    const [one, other] = [left[name], right[name]];
    if (typeof one === 'number' && typeof other === 'number') both[name] = (isLower ? Math.max : Math.min)(one, other);
  }
  return both;
}
