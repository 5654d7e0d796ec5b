import { isCleanKey, isCleanText } from './clean-text.ts';
import { everyPart } from './map-json.ts';
import { isObject } from './unknown-value.ts';

const deepest = 500;
let size = 0;
let limit = 0;

/**
 * Measures a value in one walk that allocates nothing: about as many characters as its JSON has, or infinity for what is not plain JSON,
 * holds text that no provider takes, or is larger than `most`.
 */
export function measureJson(value: unknown, most: number): number {
  size = 0;
  limit = most;
  const json = typeof value === 'object' && value !== null ? isJsonObject(value, 0) : isJsonLeaf(value);
  return json ? size : Number.POSITIVE_INFINITY;
}

function isJsonLeaf(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      size += value.length + 2;
      return isCleanText(value);
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

// The loops check leaves inline: this walk is the largest part of a successful call, and most values are leaves. With the general `everyPart` it
// takes 70 % longer.
function isJsonObject(value: object, depth: number): boolean {
  // A graph that shares its parts can be exponentially large as a tree, so the walk has an end of its own.
  if (depth > deepest || size > limit) return false;
  // An object with `toJSON` is not plain JSON: the caller sends its JSON form, or refuses it.
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (Array.isArray(value)) {
    size += 2 + value.length;
    for (let index = 0; index < value.length; index += 1) {
      const part: unknown = value[index];
      if (typeof part === 'object' && part !== null ? !isJsonObject(part, depth + 1) : !isJsonLeaf(part)) return false;
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
      if (size > limit || !isCleanKey(key)) return false;
      if (typeof part === 'object' && part !== null ? !isJsonObject(part, depth + 1) : !isJsonLeaf(part)) return false;
    }
  } catch {
    // A getter threw.
    return false;
  }
  return true;
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
