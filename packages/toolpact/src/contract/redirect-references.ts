import { isObject } from '../json/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';

/** Creates the references of a schema that lead to its root lead to another place, where it now lies. Below an id of its own they mean that. */
export function redirectReferences(schema: JsonObject, root: string): JsonObject {
  return redirect(schema, root, 'schema') as JsonObject;
}

function redirect(part: JsonValue, root: string, place: 'schema' | 'names'): JsonValue {
  if (Array.isArray(part)) return (part as readonly JsonValue[]).map((item) => redirect(item, root, 'schema'));
  if (!isObject(part)) return part;
  if (place === 'schema' && typeof (part as JsonObject).$id === 'string') return part;
  const entries = Object.entries(part as JsonObject).map(([key, value]): [string, JsonValue] => {
    if (place === 'names') return [key, redirect(value, root, 'schema')];
    if (key === '$ref' && typeof value === 'string') return [key, value.replace(/^#(?=\/|$)/, () => root)];
    return [key, literal.has(key) ? value : redirect(value, root, byName.has(key) ? 'names' : 'schema')];
  });
  return Object.fromEntries(entries);
}

/** Keywords that hold values, and keywords that hold schemas by name. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
