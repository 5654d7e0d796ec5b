import type { JsonValue } from '../../outcome/index.ts';

/** Which part of a stored result to read. */
export interface PageRequest {
  /** Keys and positions from the top, dotted: `results.0.name`. @default the whole result */
  readonly path?: string;
  /** @default 0 */
  readonly offset?: number;
  /** Items of a list, fields of an object, or characters of a text. @default 50 items or fields, 10,000 characters */
  readonly limit?: number;
}

/** A part of a stored result. */
export interface ResultPage {
  readonly path: string;
  readonly type: 'list' | 'object' | 'text' | 'value';
  /** How many items, fields or characters there are. */
  readonly total: number;
  readonly offset: number;
  readonly value: JsonValue;
  /** The offset of the next page, if there is one. */
  readonly next?: number;
}

/** Reads a page; undefined when nothing lies at the path. */
export function readPage(data: JsonValue, { path = '', offset = 0, limit }: PageRequest): ResultPage | undefined {
  const found = valueAt(data, path);
  if (found === undefined) return undefined;
  const from = offset >= 1 ? Math.trunc(offset) : 0;
  const asked = (preset: number): number => from + (limit === undefined || !(limit >= 1) ? preset : Math.trunc(limit));
  const page = (type: ResultPage['type'], total: number, to: number, value: JsonValue): ResultPage => {
    return { path, type, total, offset: from, value, ...(to < total && { next: to }) };
  };
  if (typeof found === 'string') {
    const to = wholeCharacters(found, Math.min(asked(10_000), from + maxPageChars));
    return page('text', found.length, to, found.slice(wholeCharacters(found, from), to));
  }
  if (typeof found !== 'object' || found === null) return { path, type: 'value', total: 1, offset: 0, value: found };
  const entries = Object.entries(found);
  const taken = fitting(entries.slice(from, asked(50)));
  const value = Array.isArray(found) ? taken.map(([, item]) => item) : Object.fromEntries(taken);
  return page(Array.isArray(found) ? 'list' : 'object', entries.length, from + taken.length, value);
}

/** A page must not be cut when it is sent: what is cut off would lie before the next page, and never be read. */
const maxPageChars = 50_000;

/** Returns the first entries that fit into a page, at least one. */
function fitting(entries: readonly (readonly [string, JsonValue])[]): typeof entries {
  let chars = 0;
  const end = entries.findIndex((entry, index) => {
    chars += JSON.stringify(entry).length;
    return index > 0 && chars > maxPageChars;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Moves a place in a text out of the middle of a character. */
function wholeCharacters(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}

function valueAt(data: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const key of path.split(/[./]/).filter((step) => step !== '' && step !== '$')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
    value = (value as Record<string, JsonValue>)[key];
  }
  return value;
}
