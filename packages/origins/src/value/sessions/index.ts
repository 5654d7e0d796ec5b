// All that is public, and what only authors need.

export * from './public.ts';
export type { Select, ToolWithResults } from './reducers.ts';
export type { CallView, SessionOptions } from './session.ts';
export type { AnySlice, SliceOptions } from './slice.ts';
export type { SliceSnapshot } from './snapshot.ts';
export type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';
