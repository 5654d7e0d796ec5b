import { isObject } from './unknown-value.ts';

/** Where a walk is: the keys and indexes that lead from the whole value to the part. */
export type PartPath = readonly (string | number)[];

/** Functions that transform the parts of a value during a walk. Any of them may throw, which ends the walk. */
export interface WalkRules {
  /** How many objects may lie in each other. */
  readonly maxDepth: number;
  /** How many parts are looked at. */
  readonly maxParts: number;
  /** How many keys an object may have. @default no limit */
  readonly maxWidth?: number;
  /** Returns what stands for a part that is too deep or too wide, or comes after too many others. */
  readonly limit: (why: 'depth' | 'width' | 'parts', path: PartPath) => unknown;
  /** Returns what stands for a part that is not an object. */
  readonly leaf: (value: unknown, path: PartPath) => unknown;
  /** Returns another form of an object, which is walked in its place; the object itself where there is none. */
  readonly form?: (value: object, path: PartPath) => unknown;
  /** Returns the key of a field in the copy. */
  readonly key?: (key: string) => string;
  /** Whether the copy has its fields in the order of their names. */
  readonly sorted?: boolean;
}

/**
 * Copies a value of any kind; the rules decide what stands for each part. Each part is read exactly once, so a getter or a proxy cannot answer
 * differently after it was checked.
 */
export function mapJson(root: unknown, rules: WalkRules): unknown {
  const { maxDepth, maxParts, maxWidth = Number.POSITIVE_INFINITY, limit, leaf, form, key: rename, sorted = false } = rules;
  const path: (string | number)[] = [];
  let parts = 0;

  function walk(value: unknown): unknown {
    parts += 1;
    if (parts > maxParts) return limit('parts', path);
    if (!isObject(value)) return leaf(value, path);
    if (path.length >= maxDepth) return limit('depth', path);
    const found = form === undefined ? value : form(value, path);
    if (found !== value) return walk(found);
    return Array.isArray(value) ? copyList(value) : copyFields(value as Record<string, unknown>);
  }

  function copyList(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let index = 0; index < list.length; index += 1) {
      path.push(index);
      copy.push(walk(list[index]));
      path.pop();
    }
    return copy;
  }

  function copyFields(fields: Readonly<Record<string, unknown>>): unknown {
    const copy: Record<string, unknown> = {};
    const keys = Object.keys(fields);
    if (keys.length > maxWidth) return limit('width', path);
    for (const key of sorted ? keys.sort() : keys) {
      path.push(key);
      const value = walk(fields[key]);
      path.pop();
      const name = rename === undefined ? key : rename(key);
      // An assignment would change the prototype.
      if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
      else copy[name] = value;
    }
    return copy;
  }

  return walk(root);
}

/**
 * Checks whether a test holds for a value and all its parts, without a copy. Parts that lie deeper than `maxDepth` are not looked at; the value
 * itself has the depth 0.
 */
export function everyPart(
  value: unknown,
  test: (part: unknown, depth: number) => boolean,
  maxDepth: number = Number.POSITIVE_INFINITY,
  depth = 0,
): boolean {
  if (!test(value, depth)) return false;
  if (!isObject(value) || depth >= maxDepth) return true;
  for (const key in value) if (!everyPart(value[key as never], test, maxDepth, depth + 1)) return false;
  return true;
}
