import type { JsonObject } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { asList, asMap, asText, type JsonMap } from '../document/document-problem.ts';
import { resolveRef } from '../document/resolve-ref.ts';
import type { SchemaBook } from '../document/schema-book.ts';
import type { OpenApiOptions } from '../open-api-options.ts';
import { findWholeNumbers } from './whole-numbers.ts';

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
  /** Where it may hold whole numbers: its schema, with texts for those that JavaScript would round. */
  readonly wholeNumbers?: JsonObject;
  readonly example: unknown;
  /** The source of its value, if that is not the caller of the tool. */
  readonly filledBy?: 'preset' | 'idempotencyKey';
}

/** Settings that affect parameters besides the description. */
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
  const stated = {
    ...schema,
    ...(description !== undefined && { description: cutText(description, 1000) }),
    ...(deprecated && { deprecated }),
  };
  const whole = findWholeNumbers(stated, book.open);
  return {
    in: place,
    name,
    required,
    style,
    explode: typeof given.explode === 'boolean' ? given.explode : style === 'form',
    allowReserved: given.allowReserved === true,
    // A text is written as it is; forms of other types are too rare to be known here.
    asJson: given.content !== undefined && !/^text\/(?!json)/i.test(type),
    schema: stated,
    ...(whole.found && { wholeNumbers: whole.exact }),
    example: given.example ?? firstExample(given) ?? (schema.examples as unknown[] | undefined)?.[0],
    ...(filledBy !== undefined && { filledBy }),
  };
}

/** Returns a parameter that also takes texts for whole numbers, which are sent with all their digits. Models are not shown this. */
export function allowDigits(parameter: Parameter): Parameter {
  const { schema, wholeNumbers } = parameter;
  return wholeNumbers === undefined || wholeNumbers === schema ? parameter : { ...parameter, schema: wholeNumbers };
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

/** Returns the first of several named examples. */
export function firstExample(given: JsonMap): unknown {
  return asMap(Object.values(asMap(given.examples))[0]).value;
}
