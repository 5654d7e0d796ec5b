import type { JsonValue } from '../../../core/outcome/index.ts';

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
  const from = Math.max(0, Math.trunc(offset) || 0);
  const page = (type: ResultPage['type'], total: number, usual: number, cut: (to: number) => JsonValue): ResultPage => {
    const to = from + Math.max(1, Math.trunc(limit ?? usual) || usual);
    return { path, type, total, offset: from, value: cut(to), ...(to < total && { next: to }) };
  };
  if (typeof found === 'string') return page('text', found.length, 10_000, (to) => found.slice(from, to));
  if (Array.isArray(found)) return page('list', found.length, 50, (to) => found.slice(from, to));
  if (typeof found !== 'object' || found === null) return { path, type: 'value', total: 1, offset: 0, value: found };
  const fields = Object.entries(found);
  return page('object', fields.length, 50, (to) => Object.fromEntries(fields.slice(from, to)) as JsonValue);
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
