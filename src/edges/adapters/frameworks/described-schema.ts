import { locateMisfit, type ObjectSchema, type StandardSchemaV1 } from '../../../core/contract/index.ts';
import { isObject } from '../../../core/json/index.ts';
import { type JsonObject, ToolpactError } from '../../../core/outcome/index.ts';

type Standard = StandardSchemaV1['~standard'];
type Describe = NonNullable<Standard['jsonSchema']>['input'];

/**
 * Gives what a foreign tool says of its arguments as a Standard Schema. Values are checked and left as they are: the tool reads them itself,
 * and a second transformation would spoil them. Without a check of the tool's own, what certainly breaks the JSON Schema is refused.
 */
export function describedSchema(
  vendor: string,
  describe: Describe,
  validate: Standard['validate'] = (value) => byDescription(describe, value),
): ObjectSchema {
  return {
    '~standard': {
      version: 1,
      vendor,
      validate: async (value) => {
        const checked = await validate(value);
        return checked.issues === undefined ? { value } : checked;
      },
      jsonSchema: { input: describe, output: describe },
    },
  };
}

/** Gives a schema of a foreign tool, a Standard Schema or a plain JSON Schema, in this form. Throws where it cannot be shown to a model. */
export function foreignSchema(vendor: string, tool: string, schema: unknown, side: 'input' | 'output' = 'input'): ObjectSchema {
  const standard = isObject(schema) ? (schema as Partial<StandardSchemaV1>)['~standard'] : undefined;
  if (standard?.jsonSchema !== undefined) return describedSchema(vendor, standard.jsonSchema[side], (value) => standard.validate(value));
  if (standard !== undefined || !isObject(schema) || '_def' in schema)
    throw new ToolpactError('invalid_schema', `the ${side} schema of the tool "${tool}" carries no JSON Schema`, { tool });
  return describedSchema(vendor, () => schema as Record<string, unknown>);
}

/** Leaves a value to the tool, which checks it itself. */
export function acceptAny(value: unknown): { readonly value: unknown } {
  return { value };
}

function byDescription(describe: Describe, value: unknown): Awaited<ReturnType<Standard['validate']>> {
  const misfit = locateMisfit(describe({ target: 'draft-2020-12' }) as JsonObject, value);
  return misfit === undefined ? { value } : { issues: [misfit] };
}
