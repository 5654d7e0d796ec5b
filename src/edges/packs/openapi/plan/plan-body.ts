import { cutText } from '../../../../core/json/index.ts';
import type { JsonObject } from '../../../../core/outcome/index.ts';
import { asMap, asText, isMap, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import { firstExample } from './plan-parameters.ts';

/** How a body is written. */
export type BodyForm = 'json' | 'form' | 'multipart' | 'text' | 'binary';

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
  /** The fields of a multipart form that are objects, and so no files. */
  readonly objectParts: ReadonlySet<string>;
  readonly example: unknown;
}

/** What a caller gives where an API takes a file. */
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
    objectParts: new Set(form === 'multipart' ? objectParts(book.open(schema), book) : []),
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

/** Lists the fields that the description calls objects, or lists of them. What it leaves open may be a file. */
function objectParts({ properties }: JsonObject, book: SchemaBook): string[] {
  return Object.entries(asMap(properties)).flatMap(([name, field]) => {
    const opened = book.open(field as JsonObject);
    const part = isMap(opened.items) ? book.open(opened.items as JsonObject) : opened;
    return isMap(part.properties) && part.properties !== fileSchema.properties ? [name] : [];
  });
}

function toPart(field: JsonObject, book: SchemaBook, contentType: string | undefined): JsonObject {
  const opened = book.open(field);
  if (isBytes(opened, contentType))
    return { ...fileSchema, description: [opened.description, fileSchema.description].filter(Boolean).join(' ') };
  if (opened.type !== 'array' || !isMap(opened.items)) return field;
  return isBytes(book.open(opened.items as JsonObject), contentType) ? { ...opened, items: fileSchema } : field;
}

function isBytes({ type, format, contentMediaType, contentEncoding }: JsonObject, contentType: string | undefined): boolean {
  if (format === 'binary') return true;
  if (contentMediaType !== undefined && contentEncoding === undefined) return true;
  return type === undefined && contentType !== undefined && !/json|^text\/plain/i.test(contentType);
}

/** Gives the schema of an object that is nothing but its fields. */
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
