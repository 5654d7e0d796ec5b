import type { JsonValue } from '../outcome/index.ts';
import { encodeValue } from './stored-text.ts';

/** A value as a store in memory keeps it, so that changing an object that was given or got does not change what is stored. */
export interface KeptValue {
  /** About as many characters as its JSON has. */
  readonly size: number;
  /** A copy of a small value; undefined once it has a text. */
  copy: object | undefined;
  text: string | undefined;
}

/** Larger values are kept as text, which needs less room. Smaller ones are copied: most are never read, and a copy takes less than half the time of a text. */
const maxCopiedCharacters = 2_000;

/** Keeps a value; throws where it is no JSON at all. */
export function keepValue(value: unknown): KeptValue {
  const room: CopyRoom = { characters: maxCopiedCharacters };
  const copy = typeof value === 'object' && value !== null ? copyObject(value, room) : undefined;
  if (copy !== undefined) return { size: maxCopiedCharacters - room.characters, copy, text: undefined };
  const text = encodeValue(value);
  return { size: text.length, copy: undefined, text };
}

/** Gives a kept value as a new object. What JSON leaves out of a copy is left out here. */
export function readValue(kept: KeptValue): JsonValue {
  kept.text ??= encodeValue(kept.copy);
  kept.copy = undefined;
  return JSON.parse(kept.text) as JsonValue;
}

/** The room that is left for one copy. Each copy has its own, because a getter that is read on the way may write to the store too. */
interface CopyRoom {
  characters: number;
}

/** Copies an object or an array of plain data; undefined for what is too large, or what only JSON can judge: instances, functions, a bigint. */
function copyObject(value: object, room: CopyRoom): object | undefined {
  const isList = Array.isArray(value);
  room.characters -= 2;
  if (room.characters < (isList ? value.length : 0)) return undefined;
  if (Object.getPrototypeOf(value) !== (isList ? Array.prototype : Object.prototype)) return undefined;
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return undefined;
  const copy: Record<string, unknown> = isList ? (value.slice() as never) : { ...value };
  for (const key in copy) {
    if (room.characters < 0) return undefined;
    const part = copy[key];
    room.characters -= isList ? 1 : key.length + 4;
    switch (typeof part) {
      case 'string':
        room.characters -= part.length + 2;
        break;
      case 'object': {
        if (part === null) break;
        const inner = copyObject(part, room);
        if (inner === undefined) return undefined;
        copy[key] = inner;
        break;
      }
      case 'number':
      case 'boolean':
        room.characters -= 5;
        break;
      case 'undefined':
        break;
      default:
        return undefined;
    }
  }
  return room.characters < 0 ? undefined : copy;
}
