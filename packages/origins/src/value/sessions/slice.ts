import type { EventOf, ToolpactEvent } from 'toolpact';
import { ToolpactError } from 'toolpact';
import type { EventType } from 'toolpact/internal';
import { refuseOptions } from 'toolpact/internal';
import type { Change } from './change.ts';
import type { Reducer } from './reducers.ts';

/** A named list in a session: what it is made of, and what events do to it. */
export interface Slice<TItem> {
  /** `state` is undone when the call that wrote it fails; `log` is kept whatever happens. */
  readonly kind: 'state' | 'log';
  /** Returns the key of an item; a new item replaces one with the same key. */
  readonly key: ((item: TItem) => string) | undefined;
  /** How many items are kept; beyond that the oldest go. */
  readonly limit: number;
  readonly reducers: readonly {
    readonly type: string;
    readonly reduce: (event: never, items: () => readonly TItem[]) => Change<TItem> | undefined;
  }[];
}

/** Any slice, whatever its items. */
export interface AnySlice {
  readonly kind: 'state' | 'log';
  readonly key: ((item: never) => string) | undefined;
  readonly limit: number;
  readonly reducers: readonly { readonly type: string; readonly reduce: (event: never, items: never) => Change | undefined }[];
}

/** Options of a slice. */
export interface SliceOptions<TItem> {
  /** Returns the key of an item. Needed for `upsert`. */
  readonly key?: (item: TItem) => string;
  /** How many items are kept. @default 1_000 */
  readonly limit?: number;
  /** Reducers by the type of event they listen to; `'*'` hears all. */
  readonly on?: {
    readonly [TType in EventType]?: OneOrMore<Reducer<TItem, EventOf<TType>>>;
  } & { readonly '*'?: OneOrMore<Reducer<TItem, ToolpactEvent>> };
}

type OneOrMore<T> = T | readonly T[];

/** Defines a slice that is rolled back when the call that wrote it fails. */
export function stateSlice<TItem>(options: SliceOptions<TItem> = {}): Slice<TItem> {
  refuseOptions<SliceOptions<TItem>>('stateSlice', options, { key: true, limit: true, on: true });
  return defineSlice('state', options);
}

/** Defines a slice that keeps what was written, also by calls that fail. */
export function logSlice<TItem>(options: SliceOptions<TItem> = {}): Slice<TItem> {
  refuseOptions<SliceOptions<TItem>>('logSlice', options, { key: true, limit: true, on: true });
  return defineSlice('log', options);
}

function defineSlice<TItem>(kind: 'state' | 'log', { key, limit = 1000, on = {} }: SliceOptions<TItem>): Slice<TItem> {
  if (!(limit >= 1)) throw new ToolpactError('invalid_option', 'the limit of a slice must be at least 1');
  const reducers = Object.entries(on).flatMap(([type, given]) =>
    [given].flat().map((reduce) => ({ type, reduce: reduce as unknown as Slice<TItem>['reducers'][number]['reduce'] })),
  );
  return Object.freeze({ kind, key, limit, reducers });
}
