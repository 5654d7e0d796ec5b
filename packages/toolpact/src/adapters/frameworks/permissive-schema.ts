import type { StandardSchemaV1 } from '../../contract/index.ts';
import type { JsonObject } from '../../outcome/index.ts';
import { acceptAny } from './described-schema.ts';

/** A Standard Schema that shows a model the whole JSON Schema and lets every value through: the toolbox checks the arguments. */
export type PermissiveSchema<TInput> = StandardSchemaV1<TInput> & { '~standard': { readonly jsonSchema: PlainJsonSchema } };
type PlainJsonSchema = {
  readonly input: () => Record<string, unknown>;
  readonly output: () => Record<string, unknown>;
};

/** Makes such a schema of a tool's JSON Schema. */
export function toPermissive(schema: JsonObject): PermissiveSchema<unknown> {
  const give = (): Record<string, unknown> => schema;
  return { '~standard': { version: 1, vendor: 'toolpact', validate: acceptAny, jsonSchema: { input: give, output: give } } };
}
