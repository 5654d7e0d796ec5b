import { isCleanText } from './clean-text.ts';
import { everyPart } from './map-json.ts';
import { isObject } from './unknown-value.ts';

const maxDepth = 500;

/** The state of one measurement. Each has its own, because a getter that is read on the way may begin another one. */
interface Measurement {
  size: number;
  readonly max: number;
}

/**
 * Measures a value in one walk: about as many characters as its JSON has, or infinity for what is not plain JSON, holds text that no
 * provider takes, or is larger than `max`.
 */
export function measureJson(value: unknown, max: number): number {
  const measurement: Measurement = { size: 0, max };
  return addPart(value, 0, measurement) && measurement.size <= max ? measurement.size : Number.POSITIVE_INFINITY;
}

/** Adds a part to the size of the whole; false where it is not plain JSON, or there is no room for more. */
function addPart(value: unknown, depth: number, measurement: Measurement): boolean {
  switch (typeof value) {
    case 'string':
      measurement.size += value.length + 2;
      return isCleanText(value);
    case 'number':
      measurement.size += 8;
      return Number.isFinite(value);
    case 'boolean':
      measurement.size += 5;
      return true;
    case 'object':
      if (value !== null) return addObject(value, depth, measurement);
      measurement.size += 5;
      return true;
    default:
      return false;
  }
}

function addObject(value: object, depth: number, measurement: Measurement): boolean {
  // A graph that shares its parts can be exponentially large as a tree, so the walk has an end of its own.
  if (depth > maxDepth || measurement.size > measurement.max) return false;
  try {
    // An object with `toJSON` is not plain JSON: the caller sends its JSON form, or refuses it.
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
    if (Array.isArray(value)) return addItems(value, depth, measurement);
    const prototype = Object.getPrototypeOf(value);
    return (prototype === Object.prototype || prototype === null) && addFields(value as Record<string, unknown>, depth, measurement);
  } catch {
    // A getter threw.
    return false;
  }
}

function addItems(items: readonly unknown[], depth: number, measurement: Measurement): boolean {
  measurement.size += 2 + items.length;
  // By index, because an iterator of the array's own may never end.
  for (let index = 0; index < items.length; index += 1) if (!addPart(items[index], depth + 1, measurement)) return false;
  return true;
}

function addFields(fields: Record<string, unknown>, depth: number, measurement: Measurement): boolean {
  measurement.size += 2;
  for (const key in fields) {
    measurement.size += key.length + 4;
    if (measurement.size > measurement.max || !isCleanText(key) || !addPart(fields[key], depth + 1, measurement)) return false;
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
