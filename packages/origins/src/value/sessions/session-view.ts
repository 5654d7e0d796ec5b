import type { Change } from './change.ts';

/** Reads and writes the slices of a session. */
export type SessionView<TItems extends object = Record<string, unknown>> = {
  readonly id: string;
  /** All items of a slice, oldest first. */
  readonly all: <TName extends NameOf<TItems>>(slice: TName) => readonly TItems[TName][];
  /** The newest item of a slice. */
  readonly latest: <TName extends NameOf<TItems>>(slice: TName) => TItems[TName] | undefined;
  /** The items that pass a test, oldest first. */
  readonly where: <TName extends NameOf<TItems>>(slice: TName, test: (item: TItems[TName]) => boolean) => readonly TItems[TName][];
  /** How often a slice has been written; see `compareAndSet`. */
  readonly version: (slice: NameOf<TItems>) => number;
  readonly append: <TName extends NameOf<TItems>>(slice: TName, ...items: readonly TItems[TName][]) => boolean;
  /** Puts an item in the place of the one with the same key, or at the end. */
  readonly upsert: <TName extends NameOf<TItems>>(slice: TName, item: TItems[TName]) => boolean;
  readonly replaceLatest: <TName extends NameOf<TItems>>(slice: TName, item: TItems[TName]) => boolean;
  readonly clear: (slice: NameOf<TItems>) => boolean;
  /** Replaces all items of a slice, unless it was written since it had this version; then nothing happens and it gives false. */
  readonly compareAndSet: <TName extends NameOf<TItems>>(slice: TName, version: number, items: readonly TItems[TName][]) => boolean;
};

type NameOf<TItems> = Extract<keyof TItems, string>;

/** Creates a view out of one function that reads a slice and one that changes it; each may throw for a slice that does not exist. */
export function createSessionView(
  id: string,
  read: (slice: string) => { readonly items: readonly unknown[]; readonly version: number },
  change: (slice: string, change: Change) => boolean,
): SessionView {
  return Object.freeze({
    id,
    all: (slice) => read(slice).items,
    latest: (slice) => read(slice).items.at(-1),
    where: (slice, test) => read(slice).items.filter(test),
    version: (slice) => read(slice).version,
    append: (slice, ...items) => change(slice, { op: 'append', items }),
    upsert: (slice, item) => change(slice, { op: 'upsert', item }),
    replaceLatest: (slice, item) => change(slice, { op: 'replaceLatest', item }),
    clear: (slice) => change(slice, { op: 'clear' }),
    compareAndSet: (slice, ifVersion, items) => change(slice, { op: 'set', items, ifVersion }),
  } satisfies SessionView);
}
