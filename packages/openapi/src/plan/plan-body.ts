import type { JsonObject } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { asMap, asText, isMap, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import { firstExample } from './plan-parameters.ts';

/** How a body is written. */
export type BodyForm = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** The kind of a part in a multipart form. */
export type PartKind = 'file' | 'object';

/** The request body of an operation, in the one media type that is sent. */
export interface Body {
  readonly form: BodyForm;
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: JsonObject;
  /** The fields of a body that is a plain object, which can stand next to the parameters. */
  readonly fields: JsonObject | undefined;
  readonly requiredFields: readonly string[];
  /** How single fields of a form are written, by name. */
  readonly encoding: JsonMap;
  /** The fields of a multipart form that the description calls files or objects. What it leaves open may be either. */
  readonly parts: ReadonlyMap<string, PartKind>;
  readonly example: unknown;
}

/** The argument of a caller where an API takes a file. */
const fileSchema: JsonObject = {
  type: 'object',
  description: 'A file: its content as `text` or as `base64`.',
  properties: {
    text: { type: 'string' },
    base64: { type: 'string' },
    filename: { type: 'string' },
    contentType: { type: 'string' },
  },
  additionalProperties: false,
};

/** Forms by media type, the most useful first. */
const forms: readonly (readonly [BodyForm, RegExp])[] = [
  ['json', /^application\/json\b|^\*\/\*$/i],
  ['json', /[/+]json\b/i],
  ['form', /^application\/x-www-form-urlencoded\b/i],
  ['multipart', /^multipart\/form-data\b/i],
  ['text', /^text\/|[/+]xml\b|ndjson|yaml|graphql|javascript|^application\/sql/i],
  ['binary', /./],
];

/** Reads the request body of an operation and chooses how it is sent. */
export function planBody(root: JsonMap, definition: JsonMap, book: SchemaBook): Body | undefined {
  if (definition.requestBody === undefined) return undefined;
  const given = resolveRef(root, definition.requestBody);
  const content = asMap(given.content);
  const [form, contentType] = chooseForm(Object.keys(content));
  if (form === undefined || contentType === undefined) return undefined;
  const media = asMap(content[contentType]);
  const encoding = asMap(media.encoding);
  const schema = toInputSchema(form, book.convert(media.schema), book, encoding);
  const flat = form === 'text' || form === 'binary' ? undefined : plainObject(book.open(schema));
  const description = asText(given.description);
  const required = given.required === true;
  const requiredFields = (flat?.required ?? []) as string[];
  return {
    form,
    contentType: contentType === '*/*' ? 'application/json' : contentType,
    required,
    schema: description === undefined || '$ref' in schema ? schema : { description: cutText(description, 1000), ...schema },
    // Of a body that may be left out as a whole, its fields cannot be asked for one by one.
    fields: required || requiredFields.length === 0 ? (flat?.properties as JsonObject | undefined) : undefined,
    requiredFields,
    encoding,
    parts: new Map(form === 'multipart' ? partKinds(book.open(schema), book) : []),
    example: media.example ?? firstExample(media) ?? (schema.examples as unknown[] | undefined)?.[0],
  };
}

function chooseForm(types: readonly string[]): readonly [BodyForm | undefined, string | undefined] {
  for (const [form, pattern] of forms) {
    const type = types.find((name) => pattern.test(name));
    if (type !== undefined) return [form, type];
  }
  return [undefined, undefined];
}

/** Says what a caller gives: a text for text, a file where the API takes bytes. */
function toInputSchema(form: BodyForm, schema: JsonObject, book: SchemaBook, encoding: JsonMap): JsonObject {
  if (form === 'text') return { type: 'string' };
  if (form === 'binary') return fileSchema;
  if (form !== 'multipart') return schema;
  const opened = book.open(schema);
  if (!isMap(opened.properties)) return schema;
  const properties = Object.fromEntries(
    Object.entries(opened.properties as JsonObject).map(([name, field]) => [
      name,
      toPart(field as JsonObject, book, asText(asMap(encoding[name]).contentType)),
    ]),
  );
  return { ...opened, properties };
}

/** Says of each field whether it is a file or an object, or a list of them. */
function partKinds({ properties }: JsonObject, book: SchemaBook): [string, PartKind][] {
  return Object.entries(asMap(properties)).flatMap(([name, field]): [string, PartKind][] => {
    const kinds = new Set(formsOf(field as JsonObject, book).flatMap((form) => kindOf(form, book)));
    const [kind] = kinds;
    return kind === undefined || kinds.size > 1 ? [] : [[name, kind]];
  });
}

function kindOf(form: JsonObject, book: SchemaBook, depth = 0): PartKind[] {
  if (isMap(form.items))
    return depth > deepest ? [] : formsOf(form.items as JsonObject, book).flatMap((item) => kindOf(item, book, depth + 1));
  if (!isMap(form.properties)) return [];
  return [form.properties === fileSchema.properties ? 'file' : 'object'];
}

/** Lists the alternatives of a field, which is one itself where it has none. */
function formsOf(field: JsonObject, book: SchemaBook): JsonObject[] {
  const opened = book.open(field);
  const parts = opened.anyOf ?? opened.oneOf;
  return Array.isArray(parts) ? (parts as JsonObject[]).map(book.open) : [opened];
}

/** How far files are looked for in lists and alternatives, which may hold themselves. */
const deepest = 3;

function toPart(field: JsonObject, book: SchemaBook, contentType: string | undefined, depth = 0): JsonObject {
  const opened = book.open(field);
  if (isBytes(opened, contentType))
    return { ...fileSchema, description: [opened.description, fileSchema.description].filter(Boolean).join(' ') };
  if ([opened.type].flat().includes('array') && isMap(opened.items))
    return isBytes(book.open(opened.items as JsonObject), contentType) ? { ...opened, items: fileSchema } : field;
  // A file that may also be null is one of two alternatives.
  const keyword = (['anyOf', 'oneOf'] as const).find((name) => Array.isArray(opened[name]));
  if (keyword === undefined || depth > deepest) return field;
  const given = opened[keyword] as JsonObject[];
  const parts = given.map((part) => toPart(part, book, undefined, depth + 1));
  return parts.every((part, index) => part === given[index]) ? field : { ...opened, [keyword]: parts };
}

function isBytes({ type, format, contentMediaType, contentEncoding }: JsonObject, contentType: string | undefined): boolean {
  if (format === 'binary') return true;
  if (contentMediaType !== undefined && contentEncoding === undefined) return true;
  return type === undefined && contentType !== undefined && !/json|^text\/plain/i.test(contentType);
}

/** Returns the schema of an object that is nothing but its fields. */
function plainObject(schema: JsonObject): JsonObject | undefined {
  const { type, properties, additionalProperties } = schema;
  if (type !== undefined && type !== 'object') return undefined;
  if (!isMap(properties) || Object.keys(properties).length === 0) return undefined;
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
  return Object.keys(schema).some((keyword) => mixed.has(keyword)) ? undefined : schema;
}

/** Keywords that say more about an object than its fields do. */
const mixed: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas unevaluatedProperties const enum'.split(
    ' ',
  ),
);
