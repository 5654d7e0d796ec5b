import type { JsonValue } from '../outcome/index.ts';
import type { Ledger } from './ledger.ts';

/** An answer that is there at once, or the promise of one. */
export type Awaitable<TValue> = TValue | Promise<TValue>;

/**
 * Remembers things for guards: versioned records and counters, kept apart by tenant. All that guards keep (claims, calls, approvals,
 * results, limits) is built on these few operations, so a store is easy to write; `checkStore` of `@toolpact/testing` judges one.
 * A store may answer at once: then no call that asks it has to wait. What it throws is like what it rejects with.
 */
export interface Store {
  readonly name: string;
  /** The calls that it remembers. */
  readonly calls?: Ledger;
  /** Whether what was acknowledged outlives this process. */
  readonly durable: boolean;
  /** Gives a record, unless there is none or it has expired. */
  readonly get: (at: RecordKey) => Awaitable<StoredRecord | undefined>;
  /**
   * Writes a record if the stored one has the expected version: 0 for none (or an expired one), omitted for any. Answers once the record is
   * as safe as this store makes it. Of several writers that expect the same version exactly one succeeds; the others get what is there.
   */
  readonly put: (record: RecordDraft, expect?: number) => Awaitable<PutResult>;
  /** Removes a record if it has the expected version (omitted: any); gives whether it did. */
  readonly remove: (at: RecordKey, expect?: number) => Awaitable<boolean>;
  /** Lists the records of a space that have not expired, oldest first. */
  readonly list: (query: RecordQuery) => Awaitable<readonly StoredRecord[]>;
  /** Finds records by their `index`, the latest first. A store without it keeps everything, but cannot list calls. */
  readonly find?: (query: IndexQuery) => Awaitable<IndexPage>;
  /** Adds to a counter, which starts anew at 0 when its window of time is over; atomic over all users of the store. */
  readonly add: (at: RecordKey, amount: number, windowMs: number) => Awaitable<CounterState>;
  /** Keeps entries that are written once and read together, such as the steps of a call, at less cost than records. @default they are records */
  readonly logs?: StoreLogs;
  /** Lets processes call each other's attention at once. A store without it is looked at now and then. */
  readonly signals?: StoreSignals;
  /** Deletes expired records and frees their space; gives the number of deleted records. Stores also do this by themselves now and then. */
  readonly sweep: () => Promise<number>;
  /** Gives what keeps the store from answering now, for operators; undefined where nothing does. @default unknown */
  readonly trouble?: () => unknown;
  /**
   * Gives the promise of the first connection while that is being made; undefined once it stands, or where it cannot be made. Guards wait for it
   * before they begin to count how long the store takes for an answer. @default there is none to be made
   */
  readonly opening?: () => Promise<unknown> | undefined;
  readonly close: () => Promise<void>;
}

/** Signals between the processes of a store. A signal is only a hint to look: it may get lost, and says nothing itself. */
export interface StoreSignals {
  /** Gives a signal to all processes that hear this name. */
  readonly send: (name: string) => Promise<void>;
  /** Hears a name, once this resolves; gives the function that ends it. Keeps no process alive. */
  readonly hear: (name: string, listener: () => void) => Promise<() => void>;
}

/** Logs of entries that are written once and read together. A log and a record never are in each other's way. */
export interface StoreLogs {
  /** Writes an entry, over the one of the same name if there is one. Resolves once it is as safe as this store makes it. */
  readonly write: (entry: LogEntry) => Promise<void>;
  /** Gives the values of all entries of a log that have not expired, in any order. */
  readonly read: (at: Pick<LogEntry, 'tenant' | 'log'>) => Promise<readonly JsonValue[]>;
}

/** An entry of a log. */
export interface LogEntry {
  readonly tenant: string;
  readonly log: string;
  readonly name: string;
  readonly value: JsonValue;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The space of secrets. Records in it outlive all others: a store keeps them whatever its retention is. */
export const secretSpace = 'secret';

/** Names one record. */
export interface RecordKey {
  /** What it is for, such as `claim` or `call`. */
  readonly space: string;
  readonly tenant: string;
  readonly key: string;
}

/** A record to be written. */
export interface RecordDraft extends RecordKey {
  /** Carries `v`, the version of its shape. */
  readonly value: JsonValue;
  /** What it can be listed by, such as a run. */
  readonly group?: string | undefined;
  /** Epoch milliseconds; omitted for a record that stays. */
  readonly expiresAt?: number | undefined;
  /** What `find` finds it by; a later write that leaves it out keeps the one before. */
  readonly index?: RecordIndex | undefined;
}

/** Makes a record one of those that `find` gives. Stores without `find` ignore it. */
export interface RecordIndex {
  /** Its place in time, in epoch milliseconds. */
  readonly at: number;
  /** A query names one of these, or none. */
  readonly labels: readonly string[];
  /** What `find` gives of the record, which may be much larger. */
  readonly row: JsonValue;
}

/** A record as it is stored. */
export interface StoredRecord extends Omit<RecordDraft, 'index'> {
  /** Counts the writes of this record, from 1. A record that was removed or has expired starts anew. */
  readonly version: number;
  /** Its place in the order in which records were first written. */
  readonly seq: number;
}

/** What became of a write: the new version, or the record that was there instead. */
export type PutResult =
  | { readonly ok: true; readonly version: number }
  | { readonly ok: false; readonly current: StoredRecord | undefined };

/** Which records to list. */
export interface RecordQuery {
  readonly space: string;
  readonly tenant: string;
  readonly group?: string | undefined;
  /** Starts after the record with this `seq`. */
  readonly after?: number | undefined;
  /** @default 1000 */
  readonly limit?: number | undefined;
}

/** Which records to find: those with a label and in a span of time, or those of some keys. */
export interface IndexQuery {
  readonly space: string;
  readonly tenant: string;
  /** @default all that have an index */
  readonly label?: string | undefined;
  /** The earliest and the latest `at`, both included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The `next` of the page before. */
  readonly cursor?: string | undefined;
  /** @default 100 */
  readonly limit?: number | undefined;
  /** Finds these alone, in any order; the other fields do not count then. */
  readonly keys?: readonly string[] | undefined;
}

/** Some of the records that a query finds. A page may be short, even empty: only `next` says whether more may follow. */
export interface IndexPage {
  readonly rows: readonly {
    readonly key: string;
    readonly at: number;
    readonly row: JsonValue /** Goes on after this row. */;
    readonly cursor: string;
  }[];
  readonly next?: string;
}

/** A counter after an addition. */
export interface CounterState {
  readonly count: number;
  /** When its window ends, in epoch milliseconds. */
  readonly endsAt: number;
}
