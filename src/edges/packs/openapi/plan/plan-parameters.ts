import { cutText } from '../../../../core/json/index.ts';
import type { JsonObject } from '../../../../core/outcome/index.ts';
import { asList, asMap, asText, isMap, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import type { OpenApiOptions } from '../open-api-options.ts';

/** Where a parameter travels. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** A parameter of an operation: what a caller gives and how it is written into the request. */
export interface Parameter {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Its value travels as JSON text. */
  readonly asJson: boolean;
  readonly schema: JsonObject;
  readonly example: unknown;
  /** Who fills it in, when it is not the caller of the tool. */
  readonly filledBy?: 'preset' | 'idempotencyKey';
}

/** What decides about parameters besides the description. */
export interface ParameterRules extends Pick<OpenApiOptions, 'preset' | 'idempotencyHeader'> {
  /** Where credentials go, as `header:x-api-key`. */
  readonly credentialPlaces: ReadonlySet<string>;
}

const places: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie']);
/** The request itself decides about these. */
const ownHeaders = new Set(
  'accept content-type authorization host connection content-length transfer-encoding cookie upgrade keep-alive te trailer expect'.split(
    ' ',
  ),
);
/** A credential is the application's to give: optional parameters of these names are not shown to models. */
const credentialName = /^(?:(?:access|oauth|auth|id|x-auth)[-_]?token|(?:x[-_])?api[-_]?key)$/i;

/** Reads the parameters of an operation: its own before those of its path, and every place its path leaves open. */
export function planParameters(
  root: JsonMap,
  path: string,
  shared: JsonMap,
  definition: JsonMap,
  book: SchemaBook,
  rules: ParameterRules,
): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const given of [...asList(shared.parameters), ...asList(definition.parameters)]) {
    const parameter = readParameter(resolveRef(root, given), book, rules);
    if (parameter !== undefined) byKey.set(`${parameter.in}:${parameter.name}`, parameter);
  }
  const open = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name as string);
  for (const name of open) {
    const key = `path:${name}`;
    if (!byKey.has(key)) byKey.set(key, undeclared(name, rules));
  }
  return [...byKey.values()].filter((parameter) => parameter.in !== 'path' || open.includes(parameter.name));
}

function readParameter(given: JsonMap, book: SchemaBook, rules: ParameterRules): Parameter | undefined {
  const name = asText(given.name);
  if (name === undefined || !places.has(given.in)) return undefined;
  const place = given.in as ParameterPlace;
  const required = place === 'path' || given.required === true;
  const isHeader = place === 'header';
  if (isHeader && ownHeaders.has(name.toLowerCase())) return undefined;
  const filledBy = filler(place, name, rules);
  if (filledBy === undefined) {
    if (rules.credentialPlaces.has(`${place}:${isHeader ? name.toLowerCase() : name}`)) return undefined;
    if (!required && credentialName.test(name)) return undefined;
  }
  const [type = '', media] = Object.entries(asMap(given.content))[0] ?? [];
  const content = asMap(media);
  const style = asText(given.style) ?? defaultStyle[place];
  const schema = book.convert(given.schema ?? content.schema ?? { type: 'string' });
  const description = asText(given.description);
  const deprecated = given.deprecated === true;
  return {
    in: place,
    name,
    required,
    style,
    explode: typeof given.explode === 'boolean' ? given.explode : style === 'form',
    allowReserved: given.allowReserved === true,
    // A text is written as it is; forms of other types are too rare to be known here.
    asJson: given.content !== undefined && !/^text\/(?!json)/i.test(type),
    schema: {
      ...schema,
      ...(description !== undefined && { description: cutText(description, 1000) }),
      ...(deprecated && { deprecated }),
    },
    example: given.example ?? firstExample(given) ?? (schema.examples as unknown[] | undefined)?.[0],
    ...(filledBy !== undefined && { filledBy }),
  };
}

/** Lets whole numbers that JavaScript would round come as texts, which are sent with all their digits. Models are not shown this. */
export function allowDigits(parameter: Parameter): Parameter {
  const { schema } = parameter;
  const items = isMap(schema.items) ? (schema.items as JsonObject) : undefined;
  const exact = items === undefined ? withDigits(schema) : withDigits(items);
  if (exact === (items ?? schema)) return parameter;
  return { ...parameter, schema: items === undefined ? exact : { ...schema, items: exact } };
}

function withDigits(schema: JsonObject): JsonObject {
  const types = [schema.type ?? []].flat();
  if (!types.includes('integer') || types.includes('string') || schema.enum !== undefined || schema.const !== undefined) return schema;
  return { ...schema, type: [...types, 'string'], pattern: '^-?\\d{16,}$' };
}

/** Checks whether a value for a parameter holds a whole number that was rounded before it came here. */
export function isRounded({ schema }: Parameter, value: unknown): boolean {
  const isLong = (one: unknown, { type }: JsonObject): boolean =>
    [type].flat().includes('integer') && typeof one === 'number' && !Number.isSafeInteger(one);
  const { items } = schema;
  return Array.isArray(value) && isMap(items) ? value.some((one) => isLong(one, items as JsonObject)) : isLong(value, schema);
}

const defaultStyle: Readonly<Record<ParameterPlace, string>> = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' };

function undeclared(name: string, rules: ParameterRules): Parameter {
  const filledBy = filler('path', name, rules);
  return {
    ...{ in: 'path', name, required: true, style: 'simple', explode: false, allowReserved: false, asJson: false },
    schema: { type: 'string' },
    example: undefined,
    ...(filledBy !== undefined && { filledBy }),
  };
}

function filler(place: ParameterPlace, name: string, { preset = {}, idempotencyHeader }: ParameterRules): Parameter['filledBy'] {
  if (Object.hasOwn(preset, name)) return 'preset';
  const isKey = place === 'header' && typeof idempotencyHeader === 'string' && name.toLowerCase() === idempotencyHeader.toLowerCase();
  return isKey ? 'idempotencyKey' : undefined;
}

/** Gives the first of several named examples. */
export function firstExample(given: JsonMap): unknown {
  return asMap(Object.values(asMap(given.examples))[0]).value;
}
