import type { AnyTool, JsonObject } from 'toolpact';
import {
  envelopeSchema,
  objectOrNull,
  objectSchema,
  pendingAnswer,
  textOrNull,
  textSchema,
  toolSchemas,
  withDefinitions,
} from 'toolpact/internal';
import { codedToolData } from './coded-tool-data.ts';
import { ErrorCode } from './error-codes.ts';

/** Writes the schema of a coded response: one arm for success, one for failure. */
export function codedSchema(tool?: AnyTool): JsonObject {
  const { output, $defs } = toolSchemas(tool);
  const numbers = Object.values(ErrorCode).filter((number) => number !== 0);
  const data = tool === undefined ? objectOrNull : { anyOf: [wrapped(output), pendingAnswer] };
  const schema = envelopeSchema('CodedResponse', {
    oneOf: [
      objectSchema({ code: { const: 0 }, message: textSchema, data, meta: { $ref: '#/$defs/CodedMeta' } }),
      objectSchema({
        code: { enum: numbers },
        message: textSchema,
        data: objectOrNull,
        meta: { $ref: '#/$defs/CodedMeta' },
      }),
    ],
  });
  const meta = objectSchema({
    tool: textSchema,
    execution_time_ms: { type: 'number', minimum: 0 },
    resource_type: textOrNull,
    session_id: textOrNull,
    trace_id: textSchema,
    'temporary_session?': { type: 'boolean' },
  });
  return withDefinitions(schema, { ...$defs, CodedMeta: meta, ...(tool === undefined && codedToolData) });
}

/** Results that are no objects lie under `result`. */
function wrapped(output: JsonObject): JsonObject {
  if (output.type === 'object') return output;
  return output.type === undefined ? objectOrNull : objectSchema({ result: output });
}
