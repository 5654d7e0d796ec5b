import type { JsonValue } from 'toolpact';
import { showHidden } from '../words/show-hidden.ts';

/** One line of the tree view of a value. */
export interface TreeNode {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value, or the size of what is inside. */
  readonly text: string;
  /** How many values are inside; 0 for a plain value. */
  readonly count: number;
  /** How many characters of a long text are left out. */
  readonly cut: number;
}

/** How many characters of a text, and how many values inside another, are shown at first. */
const maxText = 600;
const maxChildren = 100;

/** Says how a value is shown in one line. */
export function toTreeNode(value: JsonValue | undefined, isWhole = false): TreeNode {
  if (Array.isArray(value)) return { type: 'array', text: sizeOf(value.length, 'item'), count: value.length, cut: 0 };
  if (typeof value === 'object' && value !== null) {
    const { length } = Object.keys(value);
    return { type: 'object', text: sizeOf(length, 'field'), count: length, cut: 0 };
  }
  if (typeof value === 'string') {
    const cut = isWhole ? 0 : Math.max(0, value.length - maxText);
    const shown = cut > 0 ? value.slice(0, maxText) : value;
    return { type: 'string', text: showHidden(shown), count: 0, cut };
  }
  const type = value === null || value === undefined ? 'null' : (typeof value as 'number' | 'boolean');
  return { type, text: String(value ?? null), count: 0, cut: 0 };
}

/** Returns the names and values inside a value, at most `pages` hundreds of them, and how many are left. */
export function childrenOf(
  value: JsonValue | undefined,
  pages = 1,
): { readonly shown: readonly (readonly [string, JsonValue])[]; readonly left: number } {
  if (typeof value !== 'object' || value === null) return { shown: [], left: 0 };
  const names = Object.keys(value);
  const most = pages * maxChildren;
  const inside = value as Readonly<Record<string, JsonValue>>;
  return { shown: names.slice(0, most).map((name) => [name, inside[name] as JsonValue]), left: Math.max(0, names.length - most) };
}

/** Says whether a value is open at first: small ones near the top are. */
export function isOpenAtFirst(value: JsonValue | undefined, depth: number): boolean {
  const { count } = toTreeNode(value);
  return depth === 0 || (depth < 3 && count <= 8);
}

function sizeOf(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
