import { redirectReferences } from '../contract/index.ts';
import { type JsonObject, type JsonValue, pendingReasons } from '../outcome/index.ts';

/**
 * Writes a tool's output schema for clients that check results against it and refuse one without structured content. Besides the result it
 * admits what stands in for it: a call that is still pending, and a result that was too large and had to be cut.
 */
export function toOutputSchema(output: JsonObject): JsonObject {
  const branches = [redirectReferences(output, '#/anyOf/0'), pendingForm, cutForm];
  return { ...(output.type === 'object' && { type: 'object' }), anyOf: branches };
}

/** Returns the stand-in for a result that had to be cut: it may break the tool's output schema, and must not be taken for the whole. */
export function toCutForm(data: JsonValue): JsonObject {
  return { truncated: true, data };
}

const pendingForm: JsonObject = {
  type: 'object',
  description: 'The call is not finished.',
  properties: {
    pending: {
      type: 'object',
      properties: { handle: { type: 'string' }, reason: { enum: [...pendingReasons] } },
      required: ['handle', 'reason'],
    },
  },
  required: ['pending'],
};

/** `data` has no schema: strict readers complain about one that accepts everything. */
const cutForm: JsonObject = {
  type: 'object',
  description: 'The result was too large; `data` is a part of it.',
  properties: { truncated: { const: true } },
  required: ['truncated', 'data'],
};
