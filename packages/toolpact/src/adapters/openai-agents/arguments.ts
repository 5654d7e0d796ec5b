import { lift, lower } from '../../contract/index.ts';
import { parseExactly } from '../../json/index.ts';
import type { JsonObject } from '../../outcome/index.ts';

/** The JSON Schema of a tool's arguments, in the form the SDK asks for. */
export interface OpenaiAgentsParameters {
  type: 'object';
  properties: Record<string, JsonObject>;
  required: string[];
  additionalProperties: boolean;
}

/** Writes the schema for strict mode, which not every schema can be written for. */
export function toParameters(schema: JsonObject): { readonly parameters: OpenaiAgentsParameters; readonly strict: boolean } {
  try {
    return { parameters: lower(schema, 'openai-strict') as unknown as OpenaiAgentsParameters, strict: true };
  } catch {
    const loose = looseSchema(schema);
    const { properties = {}, required = [], additionalProperties } = loose as unknown as Partial<OpenaiAgentsParameters>;
    return {
      parameters: { ...loose, type: 'object', properties, required, additionalProperties: additionalProperties !== false },
      strict: false,
    };
  }
}

/** Writes a schema that no model is held to. One that cannot be written is left for the provider to judge, so that it costs no other tool. */
function looseSchema(schema: JsonObject): JsonObject {
  try {
    return lower(schema, 'openai');
  } catch {
    return schema;
  }
}

/** Reads arguments, without the nulls that strict mode makes a model fill in. Text that is no JSON goes on as it is. */
export function readArguments(input: string, schema: JsonObject | undefined): unknown {
  try {
    const args: unknown = parseExactly(input);
    return schema === undefined ? args : lift(args, schema);
  } catch {
    return input;
  }
}

/** Checks whether a schema can be written for strict mode, in which models fill optional fields with null. */
export function isStrict(schema: JsonObject): boolean {
  return toParameters(schema).strict;
}
