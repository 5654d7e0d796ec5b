import { type ExportableTool, toJsonSchema } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';

/** Starts the schema of an envelope. */
export function envelopeSchema(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema };
}

/** Writes the schema of an object; fields are required unless their name ends in `?`. Other keys are allowed, unless `closed`. */
export function objectSchema(fields: Readonly<Record<string, JsonValue>>, more: JsonObject = {}): JsonObject {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] as JsonValue])),
    required: names.filter((name) => !name.endsWith('?')),
    ...more,
  };
}

/** The parts a tool's own schemas contribute to an envelope; its definitions move to the envelope's root, where its references look. */
export function toolSchemas(tool: ExportableTool | undefined): { readonly input: JsonObject; readonly output: JsonObject; readonly $defs: JsonObject } {
  if (tool === undefined) return { input: {}, output: {}, $defs: {} };
  const { input, output = {} } = toJsonSchema(tool);
  const { $defs: inputDefs, ...inputSchema } = input;
  const { $defs: outputDefs, ...outputSchema } = output;
  return { input: inputSchema, output: outputSchema, $defs: { ...(inputDefs as JsonObject), ...(outputDefs as JsonObject) } };
}

/** Adds definitions to a schema that has any. */
export function withDefinitions(schema: JsonObject, $defs: JsonObject): JsonObject {
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs };
}

export const textSchema: JsonObject = { type: 'string' };
export const textOrNull: JsonObject = { type: ['string', 'null'] };
export const objectOrNull: JsonObject = { type: ['object', 'null'] };
