import { isPlain, type JsonValue } from '../../json/index.ts';

import { broken, place } from './undecodable.ts';

/** Outcomes are at most 500 levels deep; an envelope adds a few. */
const deepest = 512;
const mostParts = 1_000_000;
/** Copying an object of more keys takes seconds. */
const widest = 100_000;
const mostCharacters = 2 ** 25;

interface Walk {
  readonly path: (string | number)[];
  parts: number;
  characters: number;
}

/**
 * Copies a value if it is JSON of bearable size, and refuses it otherwise. Reading every part exactly once is what makes the copy
 * trustworthy: a getter or a proxy cannot answer differently after it was checked.
 */
export function takeJson(value: unknown): JsonValue {
  return take(value, { path: [], parts: 0, characters: 0 });
}

function take(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
      count(value.length, walk);
      return value;
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(walk, `is ${value}, which is not JSON`);
    case 'object':
      return value === null ? null : enter(value, walk);
    default:
      return refuse(walk, `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which is not JSON`);
  }
}

function enter(value: object, walk: Walk): JsonValue {
  if (walk.path.length >= deepest) refuse(walk, `is nested deeper than ${deepest} levels, or refers back to itself`);
  if (Array.isArray(value)) return takeList(value, walk);
  if (!isPlain(value)) refuse(walk, 'is not a plain object, so it is not JSON');
  const copy: Record<string, JsonValue> = {};
  const keys = Object.keys(value);
  if (keys.length > widest) refuse(walk, `has more than ${widest} keys`);
  for (const key of keys) {
    count(key.length, walk);
    walk.path.push(key);
    const item = take((value as Record<string, unknown>)[key], walk);
    walk.path.pop();
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    else copy[key] = item;
  }
  return copy;
}

function takeList(list: readonly unknown[], walk: Walk): JsonValue {
  const copy: JsonValue[] = [];
  for (let index = 0; index < list.length; index += 1) {
    count(0, walk);
    walk.path.push(index);
    copy.push(take(list[index], walk));
    walk.path.pop();
  }
  return copy;
}

function count(characters: number, walk: Walk): void {
  walk.parts += 1;
  walk.characters += characters;
  if (walk.parts > mostParts) broken([], `the envelope has more than ${mostParts} parts`);
  if (walk.characters > mostCharacters) broken([], `the envelope is larger than ${mostCharacters} characters`);
}

function refuse(walk: Walk, what: string): never {
  return broken([...walk.path], `${place(walk.path)} ${what}`);
}
