import { measureJson } from './measure-json.ts';
import { isObject } from './unknown-value.ts';

/**
 * Cuts a JSON value to about `maxChars` characters and keeps its structure: arrays keep their first items, long strings their head and
 * tail, objects all their keys with the space shared fairly. Each cut is described in `notes`.
 */
export function cutJson(value: unknown, maxChars: number, notes: string[]): unknown {
  return cut(value, Math.max(maxChars, 16), '', notes);
}

const maxNotes = 8;

function cut(value: unknown, budget: number, path: string, notes: string[]): unknown {
  if (measureJson(value, budget) <= budget) return value;
  if (typeof value === 'string') return cutMiddle(value, budget, path, notes);
  if (Array.isArray(value)) return cutArray(value, budget, path, notes);
  if (isObject(value)) return cutObject(value as Record<string, unknown>, budget, path, notes);
  return value;
}

function cutMiddle(text: string, budget: number, path: string, notes: string[]): string {
  const marker = `… [${text.length} characters, cut] …`;
  const room = Math.max(0, Math.floor(budget) - marker.length - 2);
  const head = Math.ceil(room * 0.7);
  note(notes, path, `${text.length} characters, cut to ${room}`);
  // No half of a character is left where it is cut.
  return (text.slice(0, head) + marker + (room > head ? text.slice(text.length - (room - head)) : '')).toWellFormed();
}

function cutArray(items: readonly unknown[], budget: number, path: string, notes: string[]): unknown[] {
  const kept: unknown[] = [];
  let left = budget - 2;
  for (const [index, item] of items.entries()) {
    const size = measureJson(item, left) + 1;
    if (size > left && kept.length > 0) break;
    kept.push(size > left ? cut(item, left, `${path}[${index}]`, notes) : item);
    left -= size;
    if (left <= 0) break;
  }
  if (kept.length < items.length) note(notes, path, `${kept.length} of ${items.length} items kept`);
  return kept;
}

/** Small values are kept whole; what they leave over is shared by the large ones. */
function cutObject(part: Record<string, unknown>, budget: number, path: string, notes: string[]): Record<string, unknown> {
  const names = Object.keys(part);
  // Each key takes more than four characters: there is no room for more of them than this.
  const sizes = names.slice(0, budget / 4).map((key) => [key, key.length + 4 + measureJson(part[key], budget)] as const);
  let left = budget - 2;
  let room = left;
  let waiting = sizes.length;
  const share = new Map<string, number>();
  for (const [key, size] of [...sizes].sort((a, b) => a[1] - b[1])) {
    const given = Math.min(size, Math.max(0, left / waiting));
    share.set(key, given);
    left -= given;
    waiting -= 1;
    if (given === size) room -= size;
  }
  const kept: Record<string, unknown> = {};
  let dropped = 0;
  for (const [key, size] of sizes) {
    const given = share.get(key) ?? 0;
    const least = key.length + 24;
    // With too many keys for a share each, the first ones get all the room.
    const most = given === size || given > least ? given : Math.min(room, 256);
    // One key at least is kept, unless its name alone is too long.
    if (size > most && most <= least && (dropped < sizes.length - 1 || key.length > budget)) {
      dropped += 1;
      continue;
    }
    kept[key] = size > most ? cut(part[key], Math.max(16, most - key.length - 4), path === '' ? key : `${path}.${key}`, notes) : part[key];
    if (given < size) room -= Math.min(size, most);
  }
  dropped += names.length - sizes.length;
  if (dropped > 0) note(notes, path, `${names.length - dropped} of ${names.length} keys kept`);
  return kept;
}

function note(notes: string[], path: string, text: string): void {
  if (notes.length < maxNotes) notes.push(`${path === '' ? 'the result' : path}: ${text}`);
}
