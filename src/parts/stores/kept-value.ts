import type { JsonValue } from '../../core/outcome/index.ts';
import { encodeValue } from './stored-row.ts';

/** A value as a store in memory keeps it, so that changing an object that was given or got does not change what is stored. */
export interface KeptValue {
  /** About as many characters as its JSON has. */
  readonly size: number;
  /** A copy of a small value; undefined once it has a text. */
  copy: object | undefined;
  text: string | undefined;
}

/** The size of a value that is worth copying: most are never read, and a copy takes less than half the time of a text. A larger one needs less room as text. */
const most = 2_000;

/** Keeps a value; throws where it is no JSON at all. */
export function keepValue(value: unknown): KeptValue {
  left = most;
  const copy = typeof value === 'object' && value !== null ? copyOf(value) : undefined;
  if (copy !== undefined) return { size: most - left, copy, text: undefined };
  const text = encodeValue(value);
  return { size: text.length, copy: undefined, text };
}

/** Gives a kept value as a new object. What JSON leaves out of a copy is left out here. */
export function readValue(kept: KeptValue): JsonValue {
  kept.text ??= encodeValue(kept.copy);
  kept.copy = undefined;
  return JSON.parse(kept.text) as JsonValue;
}

/** The characters that the value at hand may still have. */
let left = 0;

/** Copies an object or an array of plain data; undefined for what is too large, or what only JSON can judge: instances, functions, a bigint. */
function copyOf(value: object): object | undefined {
  const isList = Array.isArray(value);
  left -= 2;
  if (left < 0 || Object.getPrototypeOf(value) !== (isList ? Array.prototype : Object.prototype)) return undefined;
  const copy: Record<string, unknown> = isList ? (value.slice() as never) : { ...value };
  for (const key in copy) {
    const part = copy[key];
    left -= isList ? 1 : key.length + 4;
    switch (typeof part) {
      case 'string':
        left -= part.length + 2;
        break;
      case 'object': {
        if (part === null) break;
        const inner = copyOf(part);
        if (inner === undefined) return undefined;
        copy[key] = inner;
        break;
      }
      case 'number':
      case 'boolean':
        left -= 5;
        break;
      case 'undefined':
        break;
      default:
        return undefined;
    }
  }
  return left < 0 ? undefined : copy;
}
