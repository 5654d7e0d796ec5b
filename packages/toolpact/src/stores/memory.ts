import { refuseOptions } from '../outcome/index.ts';
import type { CounterState, IndexPage, IndexQuery, RecordIndex, RecordKey, Store, StoredRecord } from '../ports/index.ts';
import { toIndexPage, toSpan } from './found-rows.ts';
import { type KeptValue, keepValue, readValue } from './kept-value.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { type Retention, toExpiry, toWindowEnd } from './retention.ts';
import { toRecordLimit, toRowLimit } from './row-limits.ts';
import { encodeValue } from './stored-text.ts';

export type { Store } from '../ports/index.ts';

/** How a memory store is bounded, and what time it is for it. */
export interface MemoryStoreOptions extends Retention {
  /** @default 100,000 records, counters, calls, steps and questions together */
  readonly maxRecords?: number;
  /** Keys and values together. @default 100,000,000 characters */
  readonly maxCharacters?: number;
  /** @default Date.now */
  readonly now?: () => number;
}

interface Entry {
  readonly key: string;
  readonly seq: number;
  group: string | undefined;
  kept: KeptValue;
  expiresAt: number | null;
  version: number;
  index: EntryIndex | undefined;
}

type Scope = Pick<RecordKey, 'space' | 'tenant'>;

interface EntryIndex {
  readonly at: number;
  readonly labels: readonly string[];
  readonly row: string;
}

/**
 * Keeps records and calls in this process, which forgets them when it ends; runs wherever JavaScript does. Answers at once. What is full refuses to write rather than
 * forget, because a forgotten claim would be a call made twice: give records an `expiresAt`, or the store a `retentionMs`.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  refuseOptions<MemoryStoreOptions>('memoryStore', options, {
    maxRecords: 'more than 0',
    maxCharacters: 'more than 0',
    now: 'a function',
    retentionMs: 'more than 0',
  });
  const { maxRecords = 100_000, maxCharacters = 100_000_000, now = Date.now } = options;
  /** By space, then by tenant, then by key. */
  const spaces = new Map<string, Map<string, Map<string, Entry>>>();
  const counters = new Map<string, CounterState>();
  let [records, characters, seq] = [0, 0, 0];
  let writesToSweep = 1000;
  /** Nothing expires before this, so that a full store of living records is not searched again and again. */
  let earliest = Number.POSITIVE_INFINITY;
  let isClosed = false;

  const entriesIn = ({ space, tenant }: Scope): Map<string, Entry> | undefined => spaces.get(space)?.get(tenant);

  /** Adds an entry. A map keeps the order of first insertion, which is the order of `seq`. */
  const insert = ({ space, tenant }: Scope, entry: Entry): void => {
    const tenants = spaces.get(space) ?? new Map<string, Map<string, Entry>>();
    const entries = tenants.get(tenant) ?? new Map<string, Entry>();
    spaces.set(space, tenants);
    tenants.set(tenant, entries);
    entries.set(entry.key, entry);
    records += 1;
  };

  const drop = ({ space, tenant }: Scope, entry: Entry): void => {
    const tenants = spaces.get(space);
    const entries = tenants?.get(tenant);
    entries?.delete(entry.key);
    if (entries?.size === 0) tenants?.delete(tenant);
    if (tenants?.size === 0) spaces.delete(space);
    records -= 1;
    characters -= sizeOf(entry);
  };

  const assertOpen = (): void => {
    if (isClosed) throw new Error('The store is closed.');
  };

  const sweep = (time: number): number => {
    const before = records;
    earliest = Number.POSITIVE_INFINITY;
    for (const [space, tenants] of spaces) {
      for (const [tenant, entries] of tenants) {
        for (const entry of entries.values()) {
          if (isOver(entry.expiresAt, time)) drop({ space, tenant }, entry);
          else earliest = Math.min(earliest, entry.expiresAt ?? earliest);
        }
      }
    }
    for (const [id, { endsAt }] of counters) {
      if (!isOver(endsAt, time)) earliest = Math.min(earliest, endsAt);
      else if (counters.delete(id)) characters -= id.length;
    }
    // As many writes as there are records between two sweeps: each write pays for looking at a record or two.
    const forgotten = ledger.sweep(time);
    writesToSweep = 1000 + records + counters.size + ledger.records();
    return before - records + forgotten;
  };

  /** Makes room for a write, or throws. */
  const reserve = (added: number, size: number, time: number): void => {
    const allRecords = () => records + counters.size + ledger.records();
    const allCharacters = () => characters + ledger.characters();
    const isFull = () => allRecords() + added > maxRecords || allCharacters() + size > maxCharacters;
    writesToSweep -= 1;
    if (Math.min(earliest, ledger.earliest()) <= time && (isFull() || writesToSweep <= 0)) sweep(time);
    if (!isFull()) return;
    const advice = 'Give it a retentionMs, or raise maxRecords and maxCharacters.';
    throw new Error(`The memory store is full: ${allRecords()} records of ${allCharacters()} characters. ${advice}`);
  };

  const ledger = createMemoryLedger({
    retentionMs: options.retentionMs,
    enter() {
      assertOpen();
      return now();
    },
    reserve,
  });

  /** Gives what is stored under a key and has not expired. */
  const find = (at: RecordKey, time: number): Entry | undefined => {
    assertOpen();
    const entry = entriesIn(at)?.get(at.key);
    if (entry === undefined || !isOver(entry.expiresAt, time)) return entry;
    drop(at, entry);
    return undefined;
  };

  return {
    name: 'memory',
    durable: false,
    calls: ledger.calls,
    get(at) {
      const entry = find(at, now());
      return entry && toRecord(at, entry);
    },
    put(draft, expect) {
      const time = now();
      const current = find(draft, time);
      if (expect !== undefined && expect !== (current?.version ?? 0)) return { ok: false, current: current && toRecord(draft, current) };
      const kept = keepValue(draft.value);
      const index = draft.index === undefined ? current?.index : toEntryIndex(draft.index);
      const expiresAt = toExpiry(draft, options, time);
      const { key, group } = draft;
      const size = sizeOf({ key, group, kept, index }) - (current ? sizeOf(current) : 0);
      reserve(current ? 0 : 1, size, time);
      characters += size;
      earliest = Math.min(earliest, expiresAt ?? earliest);
      if (current !== undefined) {
        const version = current.version + 1;
        Object.assign(current, { group, kept, expiresAt, index, version });
        return { ok: true, version };
      }
      seq += 1;
      insert(draft, { key, group, kept, expiresAt, version: 1, seq, index });
      return { ok: true, version: 1 };
    },
    remove(at, expect) {
      const entry = find(at, now());
      if (entry === undefined || (expect !== undefined && expect !== entry.version)) return false;
      drop(at, entry);
      return true;
    },
    async list(query) {
      assertOpen();
      const { group, after = 0, limit } = query;
      const [most, time] = [toRecordLimit(limit), now()];
      const found: StoredRecord[] = [];
      for (const entry of entriesIn(query)?.values() ?? []) {
        if (found.length >= most) break;
        if (entry.seq <= after || isOver(entry.expiresAt, time) || (group !== undefined && group !== entry.group)) continue;
        found.push(toRecord(query, entry));
      }
      return found;
    },
    async find(query) {
      assertOpen();
      const entries = entriesIn(query);
      const time = now();
      const found = query.keys?.map((key) => entries?.get(key)) ?? [...(entries?.values() ?? [])];
      const live = found.flatMap((entry) => (entry?.index === undefined || isOver(entry.expiresAt, time) ? [] : [entry as Indexed]));
      return findIn(live, query);
    },
    add({ space, tenant, key }, amount, windowMs) {
      assertOpen();
      const id = JSON.stringify([space, tenant, key]);
      const time = now();
      const old = counters.get(id);
      reserve(old ? 0 : 1, old ? 0 : id.length, time);
      const running = old && !isOver(old.endsAt, time) ? old : { count: 0, endsAt: toWindowEnd(time, windowMs) };
      const state = { count: running.count + amount, endsAt: running.endsAt };
      if (!counters.has(id)) characters += id.length;
      counters.set(id, state);
      earliest = Math.min(earliest, state.endsAt);
      return { ...state };
    },
    async sweep() {
      assertOpen();
      return sweep(now());
    },
    async close() {
      isClosed = true;
      spaces.clear();
      counters.clear();
      ledger.clear();
    },
  };
}

type Indexed = Entry & { readonly index: EntryIndex };

function toEntryIndex({ at, labels, row }: RecordIndex): EntryIndex {
  return { at, labels: [...labels], row: encodeValue(row) };
}

/** Looks at all records: those of a process are few enough. */
function findIn(entries: readonly Indexed[], query: IndexQuery): IndexPage {
  const { label, keys } = query;
  const { since, before } = toSpan(query);
  const isWanted = ({ seq, index: { at, labels } }: Indexed): boolean =>
    at >= since && (at < before.at || (at === before.at && seq < before.seq)) && (label === undefined || labels.includes(label));
  const wanted = keys === undefined ? entries.filter(isWanted).sort(newestFirst) : entries;
  const limit = keys === undefined ? toRowLimit(query.limit) : Number.POSITIVE_INFINITY;
  const rows = wanted.slice(0, limit).map(({ key, seq, index: { at, row } }) => ({ key, seq, at, row }));
  return toIndexPage(rows, limit, String);
}

function newestFirst(one: Indexed, other: Indexed): number {
  return one.index.at === other.index.at ? other.seq - one.seq : other.index.at - one.index.at;
}

function toRecord({ space, tenant }: Omit<RecordKey, 'key'>, { key, group, kept, expiresAt, version, seq }: Entry): StoredRecord {
  return {
    space,
    tenant,
    key,
    value: readValue(kept),
    ...(group !== undefined && { group }),
    ...(expiresAt !== null && { expiresAt }),
    version,
    seq,
  };
}

function sizeOf({ key, group, kept, index }: Pick<Entry, 'key' | 'group' | 'kept' | 'index'>): number {
  return key.length + (group?.length ?? 0) + kept.size + (index?.row.length ?? 0);
}

function isOver(end: number | null, time: number): boolean {
  return end !== null && end <= time;
}
