import { isObject, isPlain } from './unknown-value.ts';

/**
 * Puts the replacement character in the place of each half of a surrogate pair, in the texts and keys of a value: providers refuse a whole request
 * for one. Gives the value itself where nothing is wrong; objects of a class are left alone.
 */
export function wellFormedJson(value: unknown, known: Map<object, unknown> = new Map()): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isObject(value) || !(Array.isArray(value) || isPlain(value))) return value;
  if (known.has(value)) return known.get(value);
  // A value that refers back to itself is not JSON, and stays as it is.
  known.set(value, value);
  const entries = Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormedJson(part, known)] as const);
  const isSame = Object.entries(value).every(([key, part], index) => entries[index]?.[0] === key && Object.is(entries[index]?.[1], part));
  const healed = isSame ? value : Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
  known.set(value, healed);
  return healed;
}
