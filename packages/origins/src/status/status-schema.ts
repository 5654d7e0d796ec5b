import type { AnyTool, JsonObject } from 'toolpact';
import { envelopeSchema, objectOrNull, objectSchema, textOrNull, textSchema, toolSchemas } from 'toolpact/internal';
import { toolContextSchema } from './tool-context.ts';
import { ToolErrorType } from './tool-error-type.ts';

const integerOrNull: JsonObject = { type: ['integer', 'null'] };
const countSchema: JsonObject = { type: 'integer', minimum: 0 };
const countsOrNull: JsonObject = { type: ['object', 'null'], additionalProperties: countSchema };

const errorMetaExample: JsonObject = { took_ms: 10 };
const resultMetaExample: JsonObject = { took_ms: 42, token_usage: { prompt: 12, completion: 20 } };
const errorDetailExample: JsonObject = {
  type: 'VALIDATION',
  message: 'Missing required field',
  code: 'missing_field',
  retry_after_ms: null,
};

/** The documented examples. They are inside the schema, and decode and re-encode to themselves. */
const statusExamples: { readonly result: JsonObject; readonly error: JsonObject } = {
  result: { status: 'ok', input: { query: 'hello' }, data: { answer: 'Hi there!' }, meta: resultMetaExample },
  error: { status: 'error', input: { query: 'hello' }, error: errorDetailExample, meta: errorMetaExample },
};

/** Writes the schema of a tool's output: a union distinguished by `status`, every model of the contract under `$defs`. */
export function statusSchema(tool?: AnyTool): JsonObject {
  const { input, answer, $defs } = toolSchemas(tool);
  // The documented answers belong to no tool in particular, so a given tool's own schema need not fit them.
  const examples = tool === undefined;
  const { $schema: _, ...toolContext } = toolContextSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject;
  return envelopeSchema('ToolOutput', {
    oneOf: [{ $ref: '#/$defs/ToolResult' }, { $ref: '#/$defs/ToolError' }],
    discriminator: { propertyName: 'status', mapping: { ok: '#/$defs/ToolResult', error: '#/$defs/ToolError' } },
    $defs: {
      ...$defs,
      ToolContext: toolContext,
      ToolResult: objectSchema(
        { status: { const: 'ok' }, input, data: answer, meta: { $ref: '#/$defs/ToolResultMeta' } },
        { title: 'ToolResult', ...(examples && { examples: [statusExamples.result] }) },
      ),
      ToolResultMeta: objectSchema(
        {
          took_ms: countSchema,
          'source_counts?': countsOrNull,
          'routing?': objectOrNull,
          'cache_hit?': { type: ['boolean', 'null'] },
          'token_usage?': countsOrNull,
        },
        { title: 'ToolResultMeta', examples: [resultMetaExample] },
      ),
      ToolError: objectSchema(
        { status: { const: 'error' }, input: {}, error: { $ref: '#/$defs/ToolErrorDetail' }, meta: { $ref: '#/$defs/ToolErrorMeta' } },
        { title: 'ToolError', ...(examples && { examples: [statusExamples.error] }) },
      ),
      ToolErrorDetail: objectSchema(
        {
          type: { enum: Object.values(ToolErrorType) },
          message: textSchema,
          'code?': textOrNull,
          'cause?': textOrNull,
          'details?': objectOrNull,
          'retry_after_ms?': integerOrNull,
          'upstream_status?': integerOrNull,
          'endpoint?': textOrNull,
          'attempt?': integerOrNull,
        },
        { title: 'ToolErrorDetail', examples: [errorDetailExample] },
      ),
      ToolErrorMeta: objectSchema({ took_ms: countSchema }, { title: 'ToolErrorMeta', examples: [errorMetaExample] }),
    },
  });
}
