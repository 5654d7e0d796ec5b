import type { JsonObject, StandardSchemaV1 } from 'toolpact';
import { fromJsonSchema } from '../schemas/index.ts';

/** Someone else wrote the schema, so compiling it must stay cheap. */
const maxParts = 1_000;

/** Makes a JSON Schema a Standard Schema that is compiled when it is first needed: a description has a thousand, a conversation uses five. `checked` is what values are checked against where that is not what is shown. */
export function lazySchema<TValue>(source: JsonObject, checked = source): StandardSchemaV1<TValue, TValue> {
  let compiled: Pick<StandardSchemaV1<TValue, TValue>['~standard'], 'validate'> | undefined;
  const exported = (): JsonObject => source;
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      validate: (value) => {
        compiled ??= compile<TValue>(checked);
        return compiled.validate(value);
      },
      jsonSchema: { input: exported, output: exported },
    },
  };
}

function compile<TValue>(source: JsonObject): Pick<StandardSchemaV1<TValue, TValue>['~standard'], 'validate'> {
  try {
    return fromJsonSchema<TValue>(source, { maxParts })['~standard'];
  } catch {
    // A schema that cannot be checked here is left to the API, which checks its own arguments.
    return { validate: (value) => ({ value: value as TValue }) };
  }
}
