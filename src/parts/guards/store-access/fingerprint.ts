import { hash } from 'node:crypto';
import { isObject, isRecord } from '../../../core/json/index.ts';

/** Writes a value as JSON in one form only: keys sorted, `undefined` left out. What has no JSON form is written as a string. */
export function canonicalJson(value: unknown): string {
  const isSorted = typeof value === 'object' ? Array.isArray(value) && value.every(isText) : typeof value !== 'bigint';
  return JSON.stringify(isSorted ? value : sorted(value, 0)) ?? 'null';
}

/** Gives the SHA-256 of a value in its canonical form, as hex. */
export function fingerprint(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Gives a short fingerprint for each field of an object, so that two of them can be compared field by field without keeping either. */
export function fieldPrints(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return { '': fingerprint(value).slice(0, 32) };
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fingerprint(field).slice(0, 32)]));
}

/** Checks whether a value consists of plain data. An instance of a class, such as a client, may differ in what cannot be read from outside. */
export function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === 'function' || typeof value === 'symbol' || depth > 50) return false;
  if (!isObject(value) || value instanceof Date) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth + 1));
}

/** Gives the arguments by which calls are compared: as checked, or as received where the checked ones are not plain data. */
export function argumentsOf({ input, received }: { readonly input: unknown; readonly received: unknown }): unknown {
  return isPlain(input) ? input : received;
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (!isObject(value)) return value;
  if (depth > 500) return '…';
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return sorted(toJSON.call(value), depth + 1);
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return [value.constructor.name, sorted([...value], depth + 1)];
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, field]) => [key, sorted(field, depth + 1)]),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
