import { cleanText } from './clean-text.ts';
import { takePromise } from './promise.ts';
import { toBase64 } from './to-base64.ts';
import { isPlain } from './unknown-value.ts';

const deepest = 500;
const maxParts = 500_000;

/** A value as JSON, or the part of it that has no JSON form. */
export type Converted = { readonly value: unknown; readonly problem?: undefined } | { readonly path: string; readonly problem: string };

type Refuse = (path: string, problem: string) => null;

/**
 * Converts any value to its nearest useful JSON: dates and URLs as strings, maps as objects, sets and iterables as arrays, bigints as
 * decimal strings, bytes as base64, errors as name and message. Says what has none; an empty object is never
 * passed off as the value. What is dropped is said in `warnings`.
 */
export function convertToJson(value: unknown, warnings: string[]): Converted {
  // A walk of its own: `mapJson` does not notice what refers back to itself, and ends with the first part that it refuses.
  const ancestors = new Set<object>();
  let parts = 0;
  let refused: Converted | undefined;

  // The walk goes on, so that it meets all promises.
  const refuse: Refuse = (path, problem) => {
    refused ??= { path, problem };
    return null;
  };

  function convert(part: unknown, path: string): unknown {
    parts += 1;
    if (parts > maxParts) throw refuse(path, `it has more than ${maxParts} parts`);
    switch (typeof part) {
      case 'string':
        return cleanText(part);
      case 'boolean':
        return part;
      case 'number':
        if (Number.isFinite(part)) return part;
        warnings.push(`${path === '' ? 'the result' : path} is ${part}, which JSON cannot hold; null stands for it`);
        return null;
      case 'bigint':
        return part.toString();
      case 'undefined':
        return null;
      case 'object':
        return part === null ? null : enter(part, path);
      default:
        return refuse(path, `a ${typeof part} has no JSON form`);
    }
  }

  function enter(part: object, path: string): unknown {
    if (ancestors.has(part)) return refuse(path, 'it refers back to itself');
    if (ancestors.size > deepest) return refuse(path.slice(0, 200), `it is nested deeper than ${deepest} levels`);
    ancestors.add(part);
    let at = path;
    try {
      const form = betterForm(part as Formed, path, refuse);
      if (form !== part) return convert(form, path);
      if (Array.isArray(part)) return Array.from(part, (item, index) => convert(item, `${path}[${index}]`));
      const converted: Record<string, unknown> = {};
      let dropped = 0;
      for (const key of Object.keys(part)) {
        at = path === '' ? key : `${path}.${key}`;
        const item: unknown = part[key as keyof typeof part];
        if (item === undefined || key === '__proto__') continue;
        if (typeof item === 'function' || typeof item === 'symbol') {
          dropped += 1;
          warnings.push(`${at} is a ${typeof item} and was left out`);
        } else {
          converted[cleanText(key)] = convert(item, at);
        }
      }
      const kept = Object.keys(converted).length;
      if (kept === 0 && dropped > 0) return refuse(path, 'it holds only functions or symbols');
      if (kept === 0 && !isPlain(part)) return refuse(path, `${nameOf(part)} has no JSON form`);
      return converted;
    } catch (thrown) {
      if (parts > maxParts) throw thrown;
      return refuse(at, 'reading it failed');
    } finally {
      ancestors.delete(part);
    }
  }

  try {
    const json = convert(value, '');
    return refused ?? { value: json };
  } catch {
    return refused as Converted;
  }
}

/** Methods that any object may have. */
type Formed = object & Partial<Record<'toJSON' | 'then' | 'pipe', unknown>>;

/** Returns the form of an object that says more than its own properties, or the object itself. */
function betterForm(part: Formed, path: string, refuse: Refuse): unknown {
  if (part instanceof ArrayBuffer || part instanceof Uint8Array || part instanceof DataView) return toBase64(part);
  if (ArrayBuffer.isView(part)) return Array.from(part as unknown as Iterable<unknown>);
  if (typeof part.toJSON === 'function') return part.toJSON();
  if (Array.isArray(part)) return part;
  if (part instanceof Map) return fromMap(part);
  if (part instanceof RegExp) return String(part);
  if (part instanceof Error) return { name: part.name, message: part.message, ...(part as object) };
  if (part instanceof String || part instanceof Number || part instanceof Boolean) return part.valueOf();
  if (typeof part.then === 'function') {
    takePromise(part);
    return refuse(path, 'it is a promise that was not awaited');
  }
  if (isStream(part)) return refuse(path, `${nameOf(part)} has no JSON form`);
  if (Symbol.iterator in part && Object.keys(part).length === 0) return takeSome(part as Iterable<unknown>);
  return part;
}

/** Recognises a stream of Node, whose own fields say nothing about what it holds. */
function isStream(part: Formed): boolean {
  return typeof part.pipe === 'function' && !isPlain(part);
}

/** Reads an iterable that may have no end. */
function takeSome(iterable: Iterable<unknown>): unknown[] {
  const items: unknown[] = [];
  for (const item of iterable) if (items.push(item) > maxParts) break;
  return items;
}

function fromMap(map: Map<unknown, unknown>): unknown {
  const entries = [...map];
  const named = entries.every(([key]) => typeof key === 'string' || typeof key === 'number');
  return named ? Object.fromEntries(entries) : entries;
}

function nameOf(part: object): string {
  const name: unknown = part.constructor?.name;
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'it';
}
