import type { JsonObject, JsonValue } from 'toolpact';
import { type SchemaPart, sampleText, sampleValue } from 'toolpact/internal';
import { toField } from './to-field.ts';

/** Returns the value that a form begins with: the default, else an example, else the smallest that fits the types. */
export function firstValue(schema: JsonValue | undefined, root: JsonObject): JsonValue {
  return sampleValue(schema, root, firstText);
}

/** Says which branch of a union a value belongs to; the first where none fits. */
export function branchOf(value: JsonValue | undefined, branches: readonly { readonly schema: JsonObject }[], root: JsonObject): number {
  const fitting = branches.map(({ schema }) => fits(value, schema, root));
  return Math.max(0, fitting.indexOf(Math.max(...fitting)));
}

/** Counts how well a value fits: 0 not at all. Only the shape is looked at, the server checks the rest. */
function fits(value: JsonValue | undefined, schema: JsonObject, root: JsonObject): number {
  const field = toField(schema, root);
  switch (field.type) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
      const own = value as Readonly<Record<string, JsonValue>>;
      const misfits = field.fields.some((one) => {
        const inside = toField(one.schema, root);
        return one.name in own ? inside.type === 'choice' && !inside.choices.includes(own[one.name] as JsonValue) : one.isRequired;
      });
      return misfits ? 0.5 : 1 + field.fields.filter(({ name }) => name in own).length;
    }
    case 'array':
      return Array.isArray(value) ? 1 : 0;
    case 'text':
      return typeof value === 'string' ? 1 : 0;
    case 'number':
      return typeof value === 'number' ? (field.isInteger && Number.isInteger(value) ? 2 : 1) : 0;
    case 'boolean':
      return typeof value === 'boolean' ? 1 : 0;
    case 'choice':
      return field.choices.includes(value as JsonValue) ? 2 : 0;
    case 'union':
      return Math.max(...field.branches.map((branch) => fits(value, branch.schema, root)));
    case 'raw':
      return 0.1;
  }
}

/** Empty where that fits: a form that begins with a value its own schema refuses would be a trap. */
function firstText(schema: SchemaPart): string {
  const { format, pattern, minLength } = schema;
  return format === undefined && pattern === undefined && minLength === undefined ? '' : sampleText(schema);
}
