import type { StandardSchemaV1 } from '../../../core/contract/index.ts';
import type { JsonObject } from '../../../core/outcome/index.ts';
import { fromJsonSchema } from '../../../parts/schemas/index.ts';

/** Makes a JSON Schema a Standard Schema that is compiled when it is first needed: a description has a thousand, a conversation uses five. */
export function lazySchema<TValue>(source: JsonObject): StandardSchemaV1<TValue, TValue> {
  let compiled: StandardSchemaV1<TValue, TValue>['~standard'] | undefined;
  const exported = (): JsonObject => source;
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      validate: (value) => {
        compiled ??= fromJsonSchema<TValue>(source)['~standard'];
        return compiled.validate(value);
      },
      jsonSchema: { input: exported, output: exported },
    },
  };
}
