import { type ExportableTool, toJsonSchema } from '../contract/index.ts';
import type { JsonObject, JsonValue } from '../outcome/index.ts';

/** Starts the schema of an envelope. */
export function envelopeSchema(title: string, schema: JsonObject): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...schema };
}

/** Writes the schema of an object; fields are required unless their name ends in `?`, and other keys are allowed. */
export function objectSchema(fields: Readonly<Record<string, JsonValue>>, more: JsonObject = {}): JsonObject {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] as JsonValue])),
    required: names.filter((name) => !name.endsWith('?')),
    ...more,
  };
}

/** What a tool's own schemas contribute to an envelope. */
export interface ToolParts {
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** What a success holds: the output, or that the call is pending. */
  readonly answer: JsonObject;
  readonly $defs: JsonObject;
}

const pendingSchema: JsonObject = objectSchema({
  handle: { type: 'string' },
  reason: { enum: ['approval', 'input', 'running', 'host'] },
  'ask?': { type: 'object' },
  'expiresAt?': { type: 'string' },
  'pollAfterMs?': { type: 'number', minimum: 0 },
});

/** The data of a call that is pending. */
export const pendingAnswer: JsonObject = objectSchema({ pending: pendingSchema });

/** Gives the parts of a tool's schemas; their definitions move to the envelope's root, where their references look. */
export function toolSchemas(tool: ExportableTool | undefined): ToolParts {
  if (tool === undefined) return { input: {}, output: {}, answer: {}, $defs: {} };
  const { input, output = {} } = toJsonSchema(tool);
  const { $defs: inputDefs, ...inputSchema } = input;
  const { $defs: outputDefs, ...outputSchema } = output;
  const $defs = { ...(inputDefs as JsonObject), ...(outputDefs as JsonObject) };
  return { input: inputSchema, output: outputSchema, answer: { anyOf: [outputSchema, pendingAnswer] }, $defs };
}

/** Adds definitions to a schema that has any. */
export function withDefinitions(schema: JsonObject, $defs: JsonObject): JsonObject {
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs };
}

export const textSchema: JsonObject = { type: 'string' };
export const textOrNull: JsonObject = { type: ['string', 'null'] };
export const objectOrNull: JsonObject = { type: ['object', 'null'] };
