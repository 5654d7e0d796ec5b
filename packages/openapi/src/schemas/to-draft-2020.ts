import type { JsonObject, JsonValue } from 'toolpact';
import { isObject } from 'toolpact/internal';

/** Writes the tuples of older drafts as 2020-12 does: `items` in a list become `prefixItems`, and what follows them `items`. */
export function toDraft2020(schema: JsonObject): JsonObject {
  return walk(schema) as JsonObject;
}

function walk(part: JsonValue): JsonValue {
  if (Array.isArray(part)) return (part as readonly JsonValue[]).map(walk);
  if (!isObject(part)) return part;
  const { items, additionalItems, ...rest } = part as JsonObject;
  const written = Array.isArray(items)
    ? { ...rest, prefixItems: items as JsonValue, ...(additionalItems !== undefined && { items: additionalItems }) }
    : part;
  return Object.fromEntries(Object.entries(written).map(([key, value]) => [key, literal.has(key) ? value : walk(value as JsonValue)]));
}

/** Keywords that hold values, not schemas. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
