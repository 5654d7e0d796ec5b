import type { JsonObject, JsonValue } from 'toolpact';
import { flattenSchema } from 'toolpact/internal';

/** How a value of a schema is entered. Inner schemas are read when they are shown, because schemas may hold themselves. */
export type Field = FieldTexts &
  (
    | { readonly type: 'object'; readonly fields: readonly NamedSchema[]; readonly extra: JsonObject | undefined }
    | { readonly type: 'array'; readonly items: readonly JsonObject[]; readonly rest: JsonObject | undefined }
    | { readonly type: 'text'; readonly input: 'text' | 'email' | 'url' | 'date' | 'time'; readonly isLong: boolean }
    | { readonly type: 'number'; readonly isInteger: boolean }
    | { readonly type: 'boolean' }
    | { readonly type: 'choice'; readonly choices: readonly JsonValue[] }
    | { readonly type: 'union'; readonly branches: readonly { readonly title: string; readonly schema: JsonObject }[] }
    | { readonly type: 'raw' }
  );

/** Texts beside a field. */
interface FieldTexts {
  readonly description: string;
  /** Bounds and formats in words. */
  readonly hint: string;
}

/** A property of an object. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

type Part = Field extends infer TField ? (TField extends Field ? Omit<TField, keyof FieldTexts> : never) : never;

const inputs: Readonly<Record<string, 'email' | 'url' | 'date' | 'time'>> = {
  email: 'email',
  uri: 'url',
  url: 'url',
  date: 'date',
  time: 'time',
};

/** Says how a value of a schema is entered; what no field fits is entered as raw JSON. */
export function toField(given: JsonValue | undefined, root: JsonObject): Field {
  const schema = resolveSchema(given, root);
  return { ...toPart(schema, root), description: String(schema.description ?? ''), hint: hintOf(schema) } as Field;
}

/** Follows references and puts the parts of `allOf` together. */
function resolveSchema(given: JsonValue | undefined, root: JsonObject): JsonObject {
  return flattenSchema(inner(given), root) as JsonObject;
}

function toPart(schema: JsonObject, root: JsonObject): Part {
  if ('const' in schema) return { type: 'choice', choices: [schema.const ?? null] };
  if (Array.isArray(schema.enum)) return { type: 'choice', choices: schema.enum as JsonValue[] };
  const branches = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (branches.length > 0) return toUnion(branches, schema, root);
  if (Array.isArray(schema.type)) return toUnion(schema.type.map((type) => ({ ...schema, type })) as JsonObject[], {}, root);
  const type = schema.type ?? (schema.properties ? 'object' : schema.items || schema.prefixItems ? 'array' : undefined);
  switch (type) {
    case 'object':
      return toObject(schema);
    case 'array':
      return {
        type: 'array',
        items: listOf(schema.prefixItems) as JsonObject[],
        rest: schema.items === false ? undefined : inner(schema.items),
      };
    case 'string':
      return { type: 'text', input: inputs[String(schema.format)] ?? 'text', isLong: Number(schema.maxLength ?? 0) > 200 };
    case 'number':
    case 'integer':
      return { type: 'number', isInteger: type === 'integer' };
    case 'boolean':
      return { type: 'boolean' };
    case 'null':
      return { type: 'choice', choices: [null] };
    default:
      return { type: 'raw' };
  }
}

function toObject(schema: JsonObject): Part {
  const required = listOf(schema.required);
  const fields = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonValue>>).map(([name, own]) => ({
    name,
    schema: inner(own),
    isRequired: required.includes(name),
  }));
  const extra = schema.additionalProperties;
  // Where nothing is said, an object with named fields asks for no others.
  const isOpen = isJsonObject(extra) || (extra === true && fields.length === 0) || (extra === undefined && fields.length === 0);
  return { type: 'object', fields, extra: isOpen ? inner(extra) : undefined };
}

function toUnion(given: readonly JsonValue[], beside: JsonObject, root: JsonObject): Part {
  const { anyOf, oneOf, ...common } = beside;
  const branches = given.map((branch) => resolveSchema(branch, root));
  const parts = branches.map((branch) => toPart(branch, root));
  if (parts.every((part) => part.type === 'choice')) return { type: 'choice', choices: parts.flatMap(({ choices }) => choices) };
  if (branches.length === 1 && branches[0]) return toPart({ ...common, ...branches[0] }, root);
  return {
    type: 'union',
    branches: branches.map((schema, index) => ({ title: titleOf(schema, parts[index]), schema })),
  };
}

function titleOf(schema: JsonObject, part: Part | undefined): string {
  if (typeof schema.title === 'string') return schema.title;
  const tag = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonValue>>).find(
    ([, own]) => isJsonObject(own) && 'const' in own,
  );
  if (tag) return `${tag[0]}: ${String((tag[1] as JsonObject).const)}`;
  if (part?.type === 'choice' && part.choices.length === 1) return String(part.choices[0]);
  const words: Readonly<Record<string, string>> = {
    text: 'text',
    array: 'list',
    choice: 'one of a list',
    raw: 'JSON',
    boolean: 'yes or no',
  };
  return words[part?.type ?? 'raw'] ?? part?.type ?? 'JSON';
}

function hintOf(schema: JsonObject): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  return [
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : maximum !== undefined && `at most ${maximum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
    Number(minLength) > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${counted(maxLength, 'character')}`,
    minItems !== undefined && `at least ${counted(minItems, 'item')}`,
    maxItems !== undefined && `at most ${counted(maxItems, 'item')}`,
    format !== undefined && String(format),
    pattern !== undefined && `matches ${pattern}`,
    schema.default !== undefined && `default: ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function counted(count: JsonValue, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function inner(schema: JsonValue | undefined): JsonObject {
  return isJsonObject(schema) ? schema : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Checks whether a value is a JSON object, such as a schema. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
