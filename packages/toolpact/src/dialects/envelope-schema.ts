import { redirectReferences } from '../contract/index.ts';
import { type JsonObject, type JsonValue, pendingReasons } from '../outcome/index.ts';
import { type AnyTool, toJsonSchema } from '../runtime/index.ts';

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

/** Parts of an envelope's schema that come from the tool. */
export interface ToolParts {
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** The content of a success: the output, or that the call is pending. */
  readonly answer: JsonObject;
  readonly $defs: JsonObject;
}

const pendingSchema: JsonObject = objectSchema({
  handle: { type: 'string' },
  reason: { enum: [...pendingReasons] },
  'ask?': { type: 'object' },
  'expiresAt?': { type: 'string' },
  'pollAfterMs?': { type: 'number', minimum: 0 },
  'progress?': { type: 'object' },
});

/** The data of a call that is pending. */
export const pendingAnswer: JsonObject = objectSchema({ pending: pendingSchema });

/** Returns the parts of a tool's schemas, to be put anywhere into an envelope's schema that also takes over their definitions. */
export function toolSchemas(tool: AnyTool | undefined): ToolParts {
  if (tool === undefined) return { input: {}, output: {}, answer: {}, $defs: {} };
  const given = toJsonSchema(tool);
  const [input, output] = [embed(given.input, 'input'), embed(given.output ?? {}, 'output')];
  const answer = { anyOf: [output.schema, pendingAnswer] };
  return { input: input.schema, output: output.schema, answer, $defs: { ...input.$defs, ...output.$defs } };
}

/**
 * Creates a schema fit to lie inside another. One with references is also kept whole, as a definition to which they then lead: from the
 * root they would find the envelope instead, or what the other side defines under the same name.
 */
function embed(schema: JsonObject, name: string): { readonly schema: JsonObject; readonly $defs: JsonObject } {
  const root = `#/$defs/${name}`;
  const whole = redirectReferences(schema, root);
  const { $defs: _, ...inline } = whole;
  return { schema: inline, $defs: JSON.stringify(whole).includes(`"$ref":"${root}`) ? { [name]: whole } : {} };
}

/** Adds definitions to a schema that has any. */
export function withDefinitions(schema: JsonObject, $defs: JsonObject): JsonObject {
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs };
}

export const textSchema: JsonObject = { type: 'string' };
export const textOrNull: JsonObject = { type: ['string', 'null'] };
export const objectOrNull: JsonObject = { type: ['object', 'null'] };
