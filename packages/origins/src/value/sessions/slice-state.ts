import { ToolpactError } from 'toolpact';
import type { Change } from './change.ts';
import type { AnySlice } from './slice.ts';

/** The current content of a slice. Every change creates a new version. */
export interface SliceState {
  readonly slice: AnySlice;
  version: number;
  /** Items lost to the slice's limit. */
  dropped: number;
  /** By key, in order; items without a key of their own get a running number. */
  readonly entries: Map<string, unknown>;
  lastKey: string | undefined;
  next: number;
  /** The items as last read; made anew after a change. */
  view: readonly unknown[] | undefined;
}

/** Creates an empty slice, or one that holds the items given. */
export function createSliceState(slice: AnySlice, items: readonly unknown[] = [], version = 0): SliceState {
  const state: SliceState = { slice, version, dropped: 0, entries: new Map(), lastKey: undefined, next: 0, view: undefined };
  putAll(state, items);
  return state;
}

/** Creates a copy that can be changed without changing the original. */
export function copySliceState(state: SliceState): SliceState {
  return { ...state, entries: new Map(state.entries) };
}

/** Reads the items, oldest first. */
export function itemsOf(state: SliceState): readonly unknown[] {
  state.view ??= Object.freeze([...state.entries.values()]);
  return state.view;
}

/** Throws for a change that cannot be applied, whatever the slice holds then. */
export function checkChange({ slice }: SliceState, change: Change): void {
  if (!Object.hasOwn(operations, change.op)) throw new ToolpactError('invalid_argument', 'a slice does not know this change');
  if (change.op === 'upsert' && slice.key === undefined) throw new ToolpactError('invalid_argument', 'upsert needs a slice with a key');
  if (change.op === 'clear') return;
  const items = change.op === 'append' || change.op === 'set' ? change.items : [change.item];
  if (!Array.isArray(items)) throw new ToolpactError('invalid_argument', `${change.op} needs a list of items`);
  if (slice.key !== undefined) for (const item of items) readKey(slice.key, item);
}

/** Applies a change; false when it was made for another version than the slice has. Throws where the slice's own `key` does. */
export function applyChange(state: SliceState, change: Change): boolean {
  checkChange(state, change);
  if (change.op === 'set' && change.ifVersion !== state.version) return false;
  operations[change.op](state, change as never);
  state.version += 1;
  state.view = undefined;
  return true;
}

const operations: { readonly [TOp in Change['op']]: (state: SliceState, change: Extract<Change, { op: TOp }>) => void } = {
  append: (state, { items }) => putAll(state, items),
  upsert: (state, { item }) => putAll(state, [item]),
  replaceLatest: (state, { item }) => {
    const key = keyOf(state, item);
    if (state.lastKey !== undefined) state.entries.delete(state.lastKey);
    state.entries.delete(key);
    put(state, key, item);
  },
  clear: empty,
  set: (state, { items }) => {
    empty(state);
    putAll(state, items);
  },
};

function putAll(state: SliceState, items: readonly unknown[]): void {
  for (const item of items) put(state, keyOf(state, item), item);
}

function put(state: SliceState, key: string, item: unknown): void {
  const { entries, slice } = state;
  if (!entries.has(key)) state.lastKey = key;
  entries.set(key, item);
  if (entries.size <= slice.limit) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    break;
  }
  state.dropped += 1;
}

function empty(state: SliceState): void {
  state.entries.clear();
  state.lastKey = undefined;
}

function keyOf(state: SliceState, item: unknown): string {
  const { key } = state.slice;
  if (key !== undefined) return readKey(key, item);
  state.next += 1;
  return String(state.next);
}

/** Items without a key would all take each other's place. */
function readKey(key: NonNullable<AnySlice['key']>, item: unknown): string {
  const read: unknown = key(item as never);
  if (typeof read !== 'string') throw new ToolpactError('invalid_argument', 'the key of an item must be a string');
  return read;
}
