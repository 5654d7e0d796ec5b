import { isPlain, type JsonValue, mapJson, type PartPath } from '../../json/index.ts';
import { broken, place } from './undecodable.ts';

/** Outcomes are at most 500 levels deep; an envelope adds a few. */
const maxDepth = 512;
const maxParts = 1_000_000;
/** Copying an object of more keys takes seconds. */
const maxWidth = 100_000;
const maxCharacters = 2 ** 25;

/** Copies a value if it is JSON of bearable size, and refuses it otherwise. */
export function takeJson(value: unknown): JsonValue {
  let characters = 0;
  const count = (text: string): string => {
    characters += text.length;
    return characters > maxCharacters ? broken([], `the envelope is larger than ${maxCharacters} characters`) : text;
  };
  return mapJson(value, {
    maxDepth,
    maxParts,
    maxWidth,
    limit: (why, path) => (why === 'parts' ? broken([], `the envelope has more than ${maxParts} parts`) : refuse(path, limits[why])),
    leaf: (part, path) => (typeof part === 'string' ? count(part) : takeLeaf(part, path)),
    form: (part, path) => (Array.isArray(part) || isPlain(part) ? part : refuse(path, 'is not a plain object, so it is not JSON')),
    key: count,
  }) as JsonValue;
}

const limits = {
  depth: `is nested deeper than ${maxDepth} levels, or refers back to itself`,
  width: `has more than ${maxWidth} keys`,
} as const;

function takeLeaf(part: unknown, path: PartPath): unknown {
  if (part === null || typeof part === 'boolean' || Number.isFinite(part)) return part;
  if (typeof part === 'number') return refuse(path, `is ${part}, which is not JSON`);
  return refuse(path, `is ${part === undefined ? 'undefined' : `a ${typeof part}`}, which is not JSON`);
}

function refuse(path: PartPath, what: string): never {
  return broken([...path], `${place(path)} ${what}`);
}
