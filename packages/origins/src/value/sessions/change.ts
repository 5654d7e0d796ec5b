/** A change of a slice, made by a reducer or a running tool. */
export type Change<TItem = unknown> =
  | { readonly op: 'append'; readonly items: readonly TItem[] }
  | { readonly op: 'upsert'; readonly item: TItem }
  | { readonly op: 'replaceLatest'; readonly item: TItem }
  | { readonly op: 'clear' }
  /** Replaces everything, if the slice still has the version `ifVersion`. */
  | { readonly op: 'set'; readonly items: readonly TItem[]; readonly ifVersion: number };
