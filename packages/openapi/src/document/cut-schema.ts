import type { JsonObject, JsonValue } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { isMap } from './document-problem.ts';

/** Describes a schema down to a depth; below it only the types of values are left. */
export function cutSchema(schema: JsonObject, depth: number): JsonObject {
  if (depth <= 0) {
    const { type, description } = schema;
    return { ...(type !== undefined && { type }), ...(typeof description === 'string' && { description: cutText(description, 100) }) };
  }
  const cut = (part: JsonValue): JsonValue => (isMap(part) ? cutSchema(part as JsonObject, depth - 1) : part);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (ofFields.has(keyword) && isMap(value))
        return [keyword, Object.fromEntries(Object.entries(value as JsonObject).map(([name, field]) => [name, cut(field as JsonValue)]))];
      if (ofSchemas.has(keyword)) return [keyword, Array.isArray(value) ? (value as JsonValue[]).map(cut) : cut(value as JsonValue)];
      return [keyword, value as JsonValue];
    }),
  );
}

/** Keywords that hold schemas by name. */
const ofFields: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords that hold a schema or a list of them. */
const ofSchemas: ReadonlySet<string> = new Set(
  'items prefixItems contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties allOf anyOf oneOf not if then else'.split(
    ' ',
  ),
);
