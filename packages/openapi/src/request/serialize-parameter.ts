import { isObject } from 'toolpact/internal';
import type { Parameter } from '../plan/plan-parameters.ts';

/** How a parameter is written, as the description states it. */
export type Style = Pick<Parameter, 'name' | 'style' | 'explode' | 'allowReserved' | 'asJson'>;

/** Writes the value of a path parameter: `simple`, `label` or `matrix`. */
export function serializePath(style: Style, value: unknown): string {
  const { name, explode } = style;
  const encode = encoderOf(style);
  if (style.asJson) return encode(JSON.stringify(value));
  const parts = partsOf(value);
  if (style.style === 'label') return parts.length === 0 ? '' : `.${joinParts(parts, explode, explode ? '.' : ',', encode)}`;
  if (style.style === 'matrix') {
    if (parts.length === 0) return `;${encode(name)}`;
    if (!explode) return `;${encode(name)}=${joinParts(parts, false, ',', encode)}`;
    return parts.map(([key, item]) => `;${encode(key ?? name)}=${encode(item)}`).join('');
  }
  return joinParts(parts, explode, ',', encode);
}

/** Writes the value of a query parameter as `key=value` pairs, already encoded: `form`, `spaceDelimited`, `pipeDelimited` or `deepObject`. */
export function serializeQuery(style: Style, value: unknown): string[] {
  const { name, explode } = style;
  const encode = encoderOf(style);
  const pair = (key: string, text: string): string => `${encodeStrictly(key)}=${encode(text)}`;
  if (style.asJson) return [pair(name, JSON.stringify(value))];
  if (style.style === 'deepObject' && isObject(value)) return deepParts(name, value).map(([key, text]) => pair(key, text));
  const parts = partsOf(value);
  const delimiter = delimiters.get(style.style);
  if (delimiter !== undefined && !explode) return [`${encodeStrictly(name)}=${joinParts(parts, false, delimiter, encode)}`];
  if (explode) return parts.map(([key, text]) => pair(key ?? name, text));
  return [`${encodeStrictly(name)}=${joinParts(parts, false, ',', encode)}`];
}

/** Writes the value of a header parameter. */
export function serializeHeader({ explode, asJson }: Style, value: unknown): string {
  return asJson ? JSON.stringify(value) : joinParts(partsOf(value), explode, ',', String);
}

/** Writes the value of a cookie parameter as `name=value` pairs. */
export function serializeCookie({ name, explode, asJson }: Style, value: unknown): string[] {
  if (asJson) return [`${name}=${encodeStrictly(JSON.stringify(value))}`];
  const parts = partsOf(value);
  if (!explode || parts.every(([key]) => key === undefined && parts.length === 1))
    return [`${name}=${joinParts(parts, false, ',', encodeStrictly)}`];
  return parts.map(([key, text]) => `${key === undefined ? name : encodeStrictly(key)}=${encodeStrictly(text)}`);
}

/** Encodes everything that means something in an address. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const delimiters: ReadonlyMap<string, string> = new Map([
  ['spaceDelimited', '%20'],
  ['pipeDelimited', '%7C'],
  ['tabDelimited', '%09'],
]);

/** Reserved characters may stay where the description says so, except those that would end the value. */
function encoderOf({ allowReserved }: Style): (text: string) => string {
  if (!allowReserved) return encodeStrictly;
  return (text) => encodeStrictly(text).replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, decodeURIComponent);
}

type Part = readonly [key: string | undefined, text: string];

function partsOf(value: unknown): Part[] {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map((item): Part => [undefined, toText(item)]);
  if (!isObject(value)) return [[undefined, toText(value)]];
  return Object.entries(value).flatMap(([key, item]): Part[] => (item === undefined ? [] : [[key, toText(item)]]));
}

function joinParts(parts: readonly Part[], explode: boolean, delimiter: string, encode: (text: string) => string): string {
  return parts
    .flatMap(([key, text]) => {
      if (key === undefined) return [encode(text)];
      return explode ? [`${encode(key)}=${encode(text)}`] : [encode(key), encode(text)];
    })
    .join(delimiter);
}

function deepParts(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => deepParts(isObject(item) ? `${name}[${index}]` : `${name}[]`, item));
  if (!isObject(value)) return [[name, toText(value)]];
  return Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : deepParts(`${name}[${key}]`, item)));
}

function toText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
