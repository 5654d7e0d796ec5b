import { isCleanText } from './clean-text.ts';
import type { PartPath } from './map-json.ts';
import { isPlain } from './unknown-value.ts';

/** How large arguments may be. An engine keeps objects of very many keys in slow tables, so that copying one takes longer than reading it. */
const limits = { depth: 200, keys: 50_000, parts: 1_000_000 } as const;

/** A copy of arguments, and what the walk over them saw. */
export interface InputCopy {
  readonly value: unknown;
  /** Whether every part is JSON, in text that providers take. */
  readonly json: boolean;
  /** Whether no part is an object, so that two holders of parts of it share nothing. */
  readonly flat: boolean;
}

/** Says that arguments cannot be copied, and where: they are larger than a limit, or reading them failed. */
export class UncopyableInput extends RangeError {
  override readonly name = 'UncopyableInput';
  readonly path: PartPath;
  /** The limit that they pass; undefined where reading them failed. */
  readonly limit: { readonly of: keyof typeof limits; readonly max: number } | undefined;

  constructor(path: PartPath, limit?: keyof typeof limits) {
    super(limit === undefined ? 'the input cannot be read' : `the input has more than ${limits[limit]} ${limit}`);
    this.path = [...path];
    this.limit = limit === undefined ? undefined : { of: limit, max: limits[limit] };
  }
}

/** The state of one walk. Each walk has its own, because a getter that is read on the way may begin another one. */
interface Walk {
  json: boolean;
  flat: boolean;
  parts: number;
  readonly path: (string | number)[];
}

/**
 * Copies arguments so that neither schema nor handler can change what the caller holds. Plain objects and arrays are copied, without
 * `__proto__` keys; dates too; other class instances are passed on as they are. Throws {@link UncopyableInput}.
 */
export function copyInput(value: unknown): InputCopy {
  const walk: Walk = { json: true, flat: true, parts: 0, path: [] };
  try {
    const copy = typeof value === 'object' && value !== null ? copyObject(value, walk) : copyLeaf(value, walk);
    return { value: copy, json: walk.json, flat: walk.flat };
  } catch (thrown) {
    // A getter threw, or a proxy was revoked.
    throw thrown instanceof UncopyableInput ? thrown : new UncopyableInput(walk.path);
  }
}

function copyPart(value: unknown, key: string | number, walk: Walk): unknown {
  if (typeof value !== 'object' || value === null) return copyLeaf(value, walk);
  walk.flat = false;
  walk.path.push(key);
  const copy = copyObject(value, walk);
  walk.path.pop();
  return copy;
}

function copyLeaf(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') walk.json &&= isCleanText(value);
  else if (typeof value !== 'boolean' && value !== null) walk.json &&= Number.isFinite(value);
  return value;
}

function copyObject(value: object, walk: Walk): unknown {
  if (walk.path.length > limits.depth) throw new UncopyableInput(walk.path, 'depth');
  let keys = 0;
  if (!Array.isArray(value)) for (const _ in value) keys += 1;
  if (keys > limits.keys) throw new UncopyableInput(walk.path, 'keys');
  // Arguments that share their parts can be exponentially large as a tree.
  walk.parts += 1 + keys;
  if (walk.parts > limits.parts) throw new UncopyableInput(walk.path, 'parts');
  if (Array.isArray(value)) return value.map((item, index) => copyPart(item, index, walk));
  if (!isPlain(value) && isInstance(value)) {
    walk.json = false;
    return value instanceof Date ? new Date(value) : value;
  }
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    walk.json &&= isCleanText(key);
    if (key === '__proto__') delete copy[key];
    else copy[key] = copyPart(copy[key], key, walk);
  }
  return copy;
}

/** Distinguishes an instance of a class from an object whose prototype came out of JSON, by a `__proto__` key that was assigned. */
function isInstance(value: object): boolean {
  return typeof value.constructor === 'function' && value.constructor !== Object;
}
