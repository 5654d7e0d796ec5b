import type { StandardSchemaV1 } from '../../core/contract/index.ts';
import type { JsonObject } from '../../core/outcome/index.ts';

/** One field of a sample tool's input. */
export interface SampleField {
  readonly type: 'string' | 'number' | 'integer';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * Makes the Standard Schema of an object whose fields are all required. The samples bring no schema library along; tools of your own use
 * zod, valibot or any other.
 */
export function sampleSchema<TInput extends object>(
  fields: Readonly<Record<keyof TInput & string, SampleField>>,
): StandardSchemaV1<TInput> {
  const rows = Object.entries<SampleField>(fields);
  const schema = {
    type: 'object',
    properties: fields,
    required: rows.map(([name]) => name),
    additionalProperties: false,
  } as unknown as JsonObject;
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      jsonSchema: { input: () => schema, output: () => schema },
      validate(value) {
        const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
        const issues = [
          ...rows.flatMap(([name, field]) => (fits(given[name], field) ? [] : [{ path: [name], message: `must be ${expected(field)}` }])),
          ...Object.keys(given).flatMap((name) => (Object.hasOwn(fields, name) ? [] : [{ path: [name], message: 'is not known' }])),
        ];
        return issues.length > 0 ? { issues } : { value: { ...given } as TInput };
      },
    },
  };
}

function fits(value: unknown, { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: SampleField): boolean {
  if (type === 'string') return typeof value === 'string' && value !== '';
  if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value))) return false;
  return value >= minimum && value <= maximum;
}

function expected({ type, minimum, maximum }: SampleField): string {
  if (type === 'string') return 'a text that is not empty';
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  return `${kind}${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`;
}
