import { convertToJson, NotJson } from './convert-to-json.ts';
import { cutJson } from './cut-json.ts';

/** A value made fit to travel, or the place in it that has no JSON form. */
export type JsonData =
  | { readonly ok: true; readonly value: unknown; readonly truncated: boolean; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly path: string; readonly problem: string };

const deepest = 500;
const largest = 2 ** 25;
const none: readonly string[] = [];

/** Tells in one walk, allocating nothing, whether a value is JSON and small enough to travel as it is. */
export function isFitData(value: unknown, maxChars: number): boolean {
  size = 0;
  return isJson(value, 0) && size <= maxChars;
}

/**
 * Makes a value fit to travel in one walk that checks JSON-ness and measures. What is JSON already and small enough is returned
 * untouched; the rest is converted to its nearest useful JSON and cut, structure kept, to `maxChars`. Never throws.
 */
export function toJsonData(value: unknown, maxChars: number): JsonData {
  size = 0;
  try {
    if (isJson(value, 0)) return size <= maxChars ? { ok: true, value, truncated: false, warnings: none } : cut(value, maxChars, none);
    const warnings: string[] = [];
    const converted = convertToJson(value, warnings);
    size = 0;
    isJson(converted, 0);
    return size <= maxChars ? { ok: true, value: converted, truncated: false, warnings } : cut(converted, maxChars, warnings);
  } catch (thrown) {
    if (thrown instanceof NotJson) return { ok: false, path: thrown.path, problem: thrown.message };
    return { ok: false, path: '', problem: 'reading it failed' };
  }
}

function cut(value: unknown, maxChars: number, warnings: readonly string[]): JsonData {
  const notes: string[] = [];
  return { ok: true, value: cutJson(value, maxChars, notes), truncated: true, warnings: [...warnings, ...notes] };
}

let size = 0;

/** Adds up the size of a value in `size`; false at the first part that is not plain JSON, including a getter that throws. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'object' && value !== null) return isJsonObject(value, depth);
  return isJsonLeaf(value);
}

function isJsonLeaf(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      size += value.length + 2;
      return true;
    case 'number':
      size += 8;
      return Number.isFinite(value);
    case 'boolean':
    case 'object':
      size += 5;
      return true;
    default:
      return false;
  }
}

// The leaves are told apart in the loops: this walk is the largest part of a successful call, and most of it is leaves.
function isJsonObject(value: object, depth: number): boolean {
  // A graph that shares its parts can be exponentially large as a tree, so the walk has an end of its own.
  if (depth > deepest || size > largest) return false;
  if (Array.isArray(value)) {
    size += 2 + value.length;
    for (let index = 0; index < value.length; index += 1) {
      const part: unknown = value[index];
      if (typeof part === 'string') size += part.length + 2;
      else if (typeof part === 'object' && part !== null ? !isJsonObject(part, depth + 1) : !isJsonLeaf(part)) return false;
    }
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  size += 2;
  try {
    for (const key in value) {
      const part = (value as Record<string, unknown>)[key];
      size += key.length + 4;
      if (typeof part === 'string') size += part.length + 2;
      else if (typeof part === 'object' && part !== null ? !isJsonObject(part, depth + 1) : !isJsonLeaf(part)) return false;
    }
  } catch {
    return false;
  }
  return true;
}
