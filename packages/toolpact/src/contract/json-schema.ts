import { isObject } from '../json/index.ts';
import { type JsonObject, ToolpactError } from '../outcome/index.ts';
import type { StandardSchemaV1 } from './standard-schema.ts';

/** How schemas of a library that cannot export themselves get a JSON Schema. */
const ways: Readonly<Record<string, string>> = {
  zod: 'import from zod 4.2 or newer, because older ones cannot export their schemas',
  valibot: 'wrap it in toStandardJsonSchema of @valibot/to-json-schema',
};

/** Exports one side of a Standard Schema as JSON Schema 2020-12. Throws with the reason where the schema has none. */
export function exportJsonSchema(schema: StandardSchemaV1, side: 'input' | 'output'): JsonObject {
  const { vendor, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    const way =
      (Object.hasOwn(ways, vendor) ? ways[vendor] : undefined) ?? 'take a newer version of the library, if it can export its schemas';
    throw new ToolpactError('invalid_schema', `this ${vendor} schema has no JSON Schema: ${way}, or give \`jsonSchema.${side}\``);
  }
  try {
    const { $schema: _, ...exported } = jsonSchema[side]({ target: 'draft-2020-12' });
    return asObject(tidy(exported) as JsonObject);
  } catch (thrown) {
    const field = findField(schema, side);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ToolpactError('invalid_schema', field === '' ? why : `the field "${field}": ${why}`);
  }
}

/** Finds the field that cannot be exported, in libraries whose schemas show their fields. */
function findField(schema: StandardSchemaV1, side: 'input' | 'output', depth = 0): string {
  const { shape, entries } = schema as { shape?: Record<string, StandardSchemaV1>; entries?: Record<string, StandardSchemaV1> };
  for (const [name, field] of Object.entries(shape ?? entries ?? {})) {
    const exported = field?.['~standard']?.jsonSchema;
    if (exported === undefined || depth > 8) continue;
    try {
      exported[side]({ target: 'draft-2020-12' });
    } catch {
      const inner = findField(field, side, depth + 1);
      return inner === '' ? name : `${name}.${inner}`;
    }
  }
  return '';
}

/** Says of a union of objects that it is an object, which every provider asks for. */
function asObject(schema: JsonObject): JsonObject {
  const branches = schema.anyOf ?? schema.oneOf;
  if (schema.type !== undefined || !Array.isArray(branches)) return schema;
  return branches.every((branch: JsonObject) => branch.type === 'object') ? { type: 'object', ...schema } : schema;
}

/** Removes what only costs tokens: a pattern that its format already says, and the bounds every integer has. */
function tidy(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(tidy);
  if (!isObject(part)) return part;
  const entries = Object.entries(part).filter(([key, value]) => !isNoise(key, value, part as Record<string, unknown>));
  return Object.fromEntries(entries.map(([key, value]) => [key, tidy(value)]));
}

function isNoise(key: string, value: unknown, part: Record<string, unknown>): boolean {
  if (key === 'pattern') return typeof part.format === 'string' && part.type === 'string';
  return (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || (key === 'minimum' && value === Number.MIN_SAFE_INTEGER);
}
