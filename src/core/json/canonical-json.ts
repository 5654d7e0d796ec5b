import { everyPart } from './map-json.ts';
import { measureJson } from './measure-json.ts';
import { sortKeys } from './sort-keys.ts';
import { isObject } from './unknown-value.ts';

/** Writes a value as JSON in one form only: keys sorted, `undefined` left out. What has no JSON form is written as a string. */
export function canonicalJson(value: unknown): string {
  const isSorted = typeof value === 'object' ? Array.isArray(value) && value.every(isText) : typeof value !== 'bigint';
  return JSON.stringify(isSorted ? value : sortKeys(value)) ?? 'null';
}

/** Checks whether a value consists of plain data. An instance of a class, such as a client, may differ in what cannot be read from outside. */
export function isPlainData(value: unknown): boolean {
  // Most arguments are JSON.
  return measureJson(value, Number.MAX_VALUE) < Number.MAX_VALUE || everyPart(value, isPlainPart);
}

function isPlainPart(part: unknown, depth: number): boolean {
  if (typeof part === 'function' || typeof part === 'symbol' || depth > 50) return false;
  if (!isObject(part) || Array.isArray(part) || part instanceof Date) return true;
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === Object.prototype || prototype === null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
