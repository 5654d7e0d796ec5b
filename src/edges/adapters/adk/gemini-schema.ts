import { isRecord } from '../../../core/json/index.ts';
import type { JsonObject } from '../../../core/outcome/index.ts';

type Part = Readonly<Record<string, unknown>>;

/** What becomes of the keywords that Gemini writes in its own way; all others are the same in JSON Schema. */
const writers: Readonly<Record<string, (value: unknown) => Part>> = {
  type: (value) => (value === 'TYPE_UNSPECIFIED' ? {} : { type: typeof value === 'string' ? value.toLowerCase() : value }),
  // 64-bit integers are written as text.
  ...Object.fromEntries(
    ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'].map((keyword) => [
      keyword,
      (value: unknown) => ({ [keyword]: Number(value) }),
    ]),
  ),
  example: (value) => ({ examples: [value] }),
  propertyOrdering: () => ({}),
  nullable: () => ({}),
  items: (value) => ({ items: toJsonPart(value) }),
  anyOf: (value) => ({ anyOf: Array.isArray(value) ? value.map(toJsonPart) : [] }),
  properties: (value) => ({
    properties: Object.fromEntries(Object.entries(isRecord(value) ? value : {}).map(([name, field]) => [name, toJsonPart(field)])),
  }),
};

/** Writes a schema of Gemini as JSON Schema. One that is JSON Schema already stays the same. */
export function fromGeminiSchema(schema: Part): JsonObject {
  return toJsonPart(schema) as JsonObject;
}

function toJsonPart(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const written = Object.entries(part).map(([keyword, value]) =>
    Object.hasOwn(writers, keyword) ? writers[keyword]?.(value) : { [keyword]: value },
  );
  const schema: Part = Object.assign({}, ...written);
  return part.nullable === true ? orNull(schema) : schema;
}

function orNull(schema: Part): Part {
  const { type, enum: choices } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }) };
}
