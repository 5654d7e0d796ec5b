import type { StandardResult, StandardSchemaV1 } from '../../contract/index.ts';
import { isObject } from '../../json/index.ts';
import { ToolpactError } from '../../outcome/index.ts';

/** A schema that `jsonSchema()` or `zodSchema()` of the AI SDK made. */
interface OwnSchema {
  readonly jsonSchema: Record<string, unknown> | PromiseLike<unknown>;
  readonly validate?: (value: unknown) => Validated | PromiseLike<Validated>;
}

type Validated = { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: Error };

/** By this the AI SDK knows its own schemas. */
const own = Symbol.for('vercel.ai.schema');

/**
 * Returns a schema of the AI SDK, in any of the forms it takes, as a Standard Schema. What it has no validation for is only checked to be
 * an object, as the AI SDK does. Throws where its JSON Schema is a promise, because a tool must be described when it is defined.
 */
export function toStandardSchema(tool: string, schema: unknown): StandardSchemaV1 {
  const made = typeof schema === 'function' && !('~standard' in schema) ? (schema as () => unknown)() : schema;
  if (isStandard(made)) return made;
  if (!isObject(made) || !('jsonSchema' in made)) {
    throw new ToolpactError('invalid_schema', `the tool "${tool}" has a schema that the AI SDK would not take either`, { tool });
  }
  const { jsonSchema, validate } = made as OwnSchema;
  if (typeof jsonSchema !== 'object' || 'then' in jsonSchema) {
    throw new ToolpactError(
      'invalid_schema',
      `the JSON Schema of the tool "${tool}" is not there yet; await it before the tool is wrapped`,
    );
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'ai-sdk',
      validate: async (value) => (validate === undefined ? { value } : toResult(await validate(value))),
      jsonSchema: { input: () => jsonSchema as Record<string, unknown>, output: () => jsonSchema as Record<string, unknown> },
    },
  };
}

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  return '~standard' in schema && !(own in schema);
}

function toResult(validated: Validated): StandardResult<unknown> {
  if (validated.success) return { value: validated.value };
  const { issues, message } = validated.error as Error & { issues?: readonly { message: string; path?: readonly PropertyKey[] }[] };
  return { issues: Array.isArray(issues) ? issues : [{ message }] };
}
