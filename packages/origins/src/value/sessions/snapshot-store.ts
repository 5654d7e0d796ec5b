import type { SessionSnapshot } from './snapshot.ts';

/** Keeps the snapshots of sessions. Whatever it throws or rejects with becomes a problem of the session, never of a call. */
export interface SnapshotStore {
  readonly load: (id: string) => StoredSnapshot | undefined | Promise<StoredSnapshot | undefined>;
  /**
   * Stores a snapshot if the stored one still has this revision (0: there is none yet). Gives the new revision, or undefined when
   * another writer was faster.
   */
  readonly save: (id: string, snapshot: SessionSnapshot, revision: number) => number | undefined | Promise<number | undefined>;
}

/** A snapshot together with the store's count of its writes. */
export interface StoredSnapshot {
  readonly snapshot: SessionSnapshot;
  readonly revision: number;
}
