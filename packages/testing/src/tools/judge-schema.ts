import type { JsonObject, StandardSchemaV1 } from 'toolpact';
import { findMisfit, isObject, isRecord } from 'toolpact/internal';

/** Turns a JSON Schema into a validator, as `fromJsonSchema` of `@toolpact/openapi` does. Throws for a schema that cannot be used. */
export type ToStandardSchema = (schema: JsonObject) => StandardSchemaV1;

/** A schema and the judgement over values by it. */
export type JudgedSchema = {
  /** Tells whether a value fits; undefined for a value that only a validator can judge, and for every value of a schema that cannot be used. */
  readonly fits: (value: unknown) => boolean | undefined;
  /** Why nothing can be judged by it. */
  readonly problem?: string;
  /** Whether it has rules that the library does not know, and no validator was given. */
  readonly needsValidator: boolean;
};

/** How values are judged by a schema. */
interface Judges {
  readonly toSchema: ToStandardSchema | undefined;
  /** The tool's own check of the same values, where it is in this process. */
  readonly own: ((value: unknown) => object) | undefined;
}

/**
 * Judges values by a JSON Schema: by a validator where one is given. Otherwise by the rules that the library knows; where the schema has others
 * too, what breaks none of those it knows is left open, unless the tool itself accepts it.
 */
export function judgeSchema(schema: JsonObject, { toSchema, own }: Judges): JudgedSchema {
  if (toSchema !== undefined) return judgeWith(schema, toSchema);
  const needsValidator = !isKnown(schema);
  return {
    fits(value) {
      if (findMisfit(schema, value) !== undefined) return false;
      return !needsValidator || (own !== undefined && accepts(own, value)) ? true : undefined;
    },
    needsValidator,
  };
}

function judgeWith(schema: JsonObject, toSchema: ToStandardSchema): JudgedSchema {
  try {
    const { validate } = toSchema(schema)['~standard'];
    return { fits: (value) => accepts(validate, value), needsValidator: false };
  } catch (thrown) {
    return {
      fits: () => undefined,
      problem: thrown instanceof Error ? thrown.message : String(thrown),
      needsValidator: false,
    };
  }
}

/** A check that answers later says nothing here. */
function accepts(check: (value: unknown) => object, value: unknown): boolean {
  try {
    const result = check(value);
    return 'value' in result && !('issues' in result && result.issues !== undefined);
  } catch {
    return false;
  }
}

type IsKnown = (stated: unknown) => boolean;

const always: IsKnown = () => true;
const each: IsKnown = (stated) => Array.isArray(stated) && stated.every(isKnown);
const eachField: IsKnown = (stated) => isRecord(stated) && Object.values(stated).every(isKnown);
const isScalar: IsKnown = (value) => !isObject(value);

/** The keywords that `findMisfit` of the library decides about, and those that demand nothing. */
const known: ReadonlyMap<string, IsKnown> = new Map([
  ...['type', 'required', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems']
    .concat('title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id', '$comment')
    .map((keyword) => [keyword, always] as const),
  ['$ref', (stated) => typeof stated === 'string' && stated.startsWith('#')],
  ['properties', eachField],
  ['$defs', eachField],
  ['definitions', eachField],
  ['items', isKnown],
  ['prefixItems', each],
  ['allOf', each],
  ['anyOf', each],
  ['enum', (stated) => Array.isArray(stated) && stated.every(isScalar)],
  ['const', isScalar],
  ['additionalProperties', (stated) => typeof stated === 'boolean'],
]);

function isKnown(part: unknown): boolean {
  return isRecord(part) && Object.entries(part).every(([keyword, stated]) => known.get(keyword)?.(stated) === true);
}
