import type { JsonValue } from '../outcome/index.ts';
import type { Ledger } from './ledger.ts';

/**
 * Remembers calls, and besides them versioned records (large and cached results, open circuits) and counters (limits), kept apart by tenant. It
 * judges time by its own clock; moments are given and told as spans from now.
 * `checkStore` of `@toolpact/testing` judges one. What an operation throws is like what it rejects with.
 */
export interface Store {
  readonly name: string;
  /** The calls that it remembers. */
  readonly calls?: Ledger;
  /** Whether what was acknowledged outlives this process. */
  readonly durable: boolean;
  /** Returns a record, unless there is none or it has expired. */
  readonly get: (at: RecordKey) => Promise<StoredRecord | undefined>;
  /**
   * Writes a record if the stored one has the expected version: 0 for none (or an expired one), omitted for any. Answers once the record is
   * as safe as this store makes it. Of several writers that expect the same version exactly one succeeds; the others get what is there.
   */
  readonly put: (record: RecordDraft, expect?: number) => Promise<PutResult>;
  /** Removes a record if it has the expected version (omitted: any); gives whether it did. */
  readonly remove: (at: RecordKey, expect?: number) => Promise<boolean>;
  /** Adds to a counter, which starts anew at 0 when its window of time is over; atomic over all users of the store. */
  readonly add: (at: RecordKey, amount: number, windowMs: number) => Promise<CounterState>;
  /** Deletes expired records and frees their space; gives the number of deleted records. Stores also do this by themselves now and then. */
  readonly sweep: () => Promise<number>;
  /** Returns what keeps the store from answering now, for operators; undefined where nothing does. @default unknown */
  readonly trouble?: () => unknown;
  /**
   * Returns the promise of the first connection while that is being made; undefined once it stands, or where it cannot be made. Guards wait for it
   * before they begin to count how long the store takes for an answer. @default there is none to be made
   */
  readonly opening?: () => Promise<unknown> | undefined;
  readonly close: () => Promise<void>;
}

/** The space of secrets. Records in it outlive all others: a store keeps them whatever its retention is. */
export const secretSpace = 'secret';

/** Names one record. */
export interface RecordKey {
  /** The purpose of the record, such as `result` or `circuit`. */
  readonly space: string;
  readonly tenant: string;
  readonly key: string;
}

/** A record to be written. */
export interface RecordDraft extends RecordKey {
  /** Carries `v`, the version of its shape. */
  readonly value: JsonValue;
  /** For how long it is kept, from now; omitted for a record that stays. */
  readonly keepMs?: number | undefined;
}

/** A record as it is stored. */
export interface StoredRecord extends Omit<RecordDraft, 'keepMs'> {
  /** For how long it is still kept; omitted for a record that stays. */
  readonly leftMs?: number | undefined;
  /** Counts the writes of this record, from 1. A record that was removed or has expired starts anew. */
  readonly version: number;
}

/** The result of a write: the new version, or the record that was there instead. */
export type PutResult =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly current: StoredRecord | undefined };

/** A counter after an addition. */
export interface CounterState {
  readonly count: number;
  /** For how long its window still lasts. */
  readonly leftMs: number;
}
