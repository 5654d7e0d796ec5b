import type { JsonObject, JsonValue } from '../../core/outcome/index.ts';

/**
 * Writes a tool's output schema for clients that check results against it and refuse one without structured content. Besides the result it
 * admits what stands in for it: a call that is still pending, and a result that was too large and had to be cut.
 */
export function toOutputSchema(output: JsonObject): JsonObject {
  const branches = [rebase(output, 'schema') as JsonObject, pendingForm, cutForm];
  return { ...(output.type === 'object' && { type: 'object' }), anyOf: branches };
}

/** What stands in for a result that had to be cut: it may break the tool's output schema, and must not be taken for the whole. */
export function toCutForm(data: JsonValue): JsonObject {
  return { truncated: true, data };
}

const pendingForm: JsonObject = {
  type: 'object',
  description: 'The call is not finished.',
  properties: {
    pending: {
      type: 'object',
      properties: { handle: { type: 'string' }, reason: { enum: ['approval', 'input', 'running', 'host'] } },
      required: ['handle', 'reason'],
    },
  },
  required: ['pending'],
};

/** What `data` is cannot be said: a schema that accepts everything is one that strict readers complain about. */
const cutForm: JsonObject = {
  type: 'object',
  description: 'The result was too large; `data` is a part of it.',
  properties: { truncated: { const: true } },
  required: ['truncated', 'data'],
};

/** Keywords that hold values, and keywords that hold schemas by name. */
const literal: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Makes references to the root lead to the first branch, where the schema now lies. Below an id of its own they mean that. */
function rebase(part: JsonValue, place: 'schema' | 'names'): JsonValue {
  if (Array.isArray(part)) return (part as readonly JsonValue[]).map((item) => rebase(item, 'schema'));
  if (typeof part !== 'object' || part === null) return part;
  if (place === 'schema' && typeof (part as JsonObject).$id === 'string') return part;
  return Object.fromEntries(
    Object.entries(part as JsonObject).map(([key, value]) => {
      if (place === 'names') return [key, rebase(value, 'schema')];
      if (key === '$ref' && typeof value === 'string') return [key, value.replace(/^#(?=\/|$)/, '#/anyOf/0')];
      return [key, literal.has(key) ? value : rebase(value, byName.has(key) ? 'names' : 'schema')];
    }),
  );
}
