import type { ObjectSchema, StandardSchemaV1 } from '../../contract/index.ts';

type Standard = StandardSchemaV1['~standard'];

/**
 * Returns what a foreign tool says of its arguments as a Standard Schema. Values are checked and left as they are: the tool reads them itself,
 * and a second transformation would spoil them.
 */
export function describedSchema(
  vendor: string,
  describe: NonNullable<Standard['jsonSchema']>['input'],
  validate: Standard['validate'],
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

/** Leaves a value to the tool, which checks it itself. */
export function acceptAny(value: unknown): { readonly value: unknown } {
  return { value };
}
