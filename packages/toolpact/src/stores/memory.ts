import { refuseOptions } from '../outcome/index.ts';
import type { RecordKey, Store, StoredRecord } from '../ports/index.ts';
import { createMemoryLedger } from './memory-ledger.ts';
import { type Retention, toExpiry, toWindowEnd } from './retention.ts';
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
  readonly at: RecordKey;
  readonly id: string;
  kept: string;
  expiresAt: number | null;
  version: number;
}

/**
 * Keeps records and calls in this process, which forgets them when it ends; runs wherever JavaScript does. What is full refuses to write rather than
 * forget, because a forgotten claim would be a call made twice: give records `keepMs`, or the store a `retentionMs`.
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  refuseOptions<MemoryStoreOptions>('memoryStore', options, {
    maxRecords: 'a number above 0',
    maxCharacters: 'a number above 0',
    now: 'a function',
    retentionMs: 'a number above 0',
  });
  const { maxRecords = 100_000, maxCharacters = 100_000_000, now = Date.now } = options;
  const entries = new Map<string, Entry>();
  const counters = new Map<string, { readonly count: number; readonly endsAt: number }>();
  let characters = 0;
  let writesToSweep = 1000;
  /** Nothing expires before this, so that a full store of living records is not searched again and again. */
  let earliest = Number.POSITIVE_INFINITY;
  let isClosed = false;

  const drop = (entry: Entry): void => {
    entries.delete(entry.id);
    characters -= sizeOf(entry);
  };

  const assertOpen = (): void => {
    if (isClosed) throw new Error('The store is closed.');
  };

  const sweep = (time: number): number => {
    const before = entries.size;
    earliest = Number.POSITIVE_INFINITY;
    for (const entry of entries.values()) {
      if (isOver(entry.expiresAt, time)) drop(entry);
      else earliest = Math.min(earliest, entry.expiresAt ?? earliest);
    }
    for (const [id, { endsAt }] of counters) {
      if (!isOver(endsAt, time)) earliest = Math.min(earliest, endsAt);
      else if (counters.delete(id)) characters -= id.length;
    }
    // As many writes as there are records between two sweeps: each write pays for looking at a record or two.
    const forgotten = ledger.sweep(time);
    writesToSweep = 1000 + entries.size + counters.size + ledger.records();
    return before - entries.size + forgotten;
  };

  /** Makes room for a write, or throws. */
  const reserve = (added: number, size: number, time: number): void => {
    const allRecords = () => entries.size + counters.size + ledger.records();
    const allCharacters = () => characters + ledger.characters();
    const isFull = () => allRecords() + added > maxRecords || allCharacters() + size > maxCharacters;
    writesToSweep -= 1;
    if (Math.min(earliest, ledger.earliest()) <= time && (isFull() || writesToSweep <= 0)) sweep(time);
    if (!isFull()) return;
    const advice = 'Give it a retentionMs, or raise maxRecords and maxCharacters.';
    const error = new Error(`The memory store is full: ${allRecords()} records of ${allCharacters()} characters. ${advice}`);
    // Callers are told no more than this of it.
    throw Object.assign(error, { code: 'ENOSPC' });
  };

  const ledger = createMemoryLedger({
    retentionMs: options.retentionMs,
    enter() {
      assertOpen();
      return now();
    },
    reserve,
  });

  /** Returns what is stored under a key and has not expired. */
  const find = (at: RecordKey, time: number): Entry | undefined => {
    assertOpen();
    const entry = entries.get(idOf(at));
    if (entry === undefined || !isOver(entry.expiresAt, time)) return entry;
    drop(entry);
    return undefined;
  };

  return {
    name: 'memory',
    durable: false,
    calls: ledger.calls,
    async get(at) {
      const time = now();
      const entry = find(at, time);
      return entry && toRecord(entry, time);
    },
    // Nothing is awaited between looking and writing: so of several writers one comes first.
    async put(draft, expect) {
      const time = now();
      const current = find(draft, time);
      if (expect !== undefined && expect !== (current?.version ?? 0)) return { ok: false, current: current && toRecord(current, time) };
      const { space, tenant, key } = draft;
      const at = { space, tenant, key };
      const next: Entry = {
        at,
        id: idOf(at),
        kept: encodeValue(draft.value),
        expiresAt: toExpiry(draft, options, time),
        version: (current?.version ?? 0) + 1,
      };
      const size = sizeOf(next) - (current ? sizeOf(current) : 0);
      reserve(current ? 0 : 1, size, time);
      characters += size;
      earliest = Math.min(earliest, next.expiresAt ?? earliest);
      entries.set(next.id, next);
      return { ok: true, version: next.version };
    },
    async remove(at, expect) {
      const entry = find(at, now());
      if (entry === undefined || (expect !== undefined && expect !== entry.version)) return false;
      drop(entry);
      return true;
    },
    async add(at, amount, windowMs) {
      assertOpen();
      const id = idOf(at);
      const time = now();
      const old = counters.get(id);
      reserve(old ? 0 : 1, old ? 0 : id.length, time);
      const running = old && !isOver(old.endsAt, time) ? old : { count: 0, endsAt: toWindowEnd(time, windowMs) };
      const state = { count: running.count + amount, endsAt: running.endsAt };
      if (!counters.has(id)) characters += id.length;
      counters.set(id, state);
      earliest = Math.min(earliest, state.endsAt);
      return { count: state.count, leftMs: state.endsAt - time };
    },
    async sweep() {
      assertOpen();
      return sweep(now());
    },
    async close() {
      isClosed = true;
      entries.clear();
      counters.clear();
      ledger.clear();
    },
  };
}

function idOf({ space, tenant, key }: RecordKey): string {
  return JSON.stringify([space, tenant, key]);
}

function toRecord({ at, kept, expiresAt, version }: Entry, time: number): StoredRecord {
  return { ...at, value: JSON.parse(kept), ...(expiresAt !== null && { leftMs: expiresAt - time }), version };
}

function sizeOf({ at, kept }: Entry): number {
  return at.key.length + kept.length;
}

function isOver(end: number | null, time: number): boolean {
  return end !== null && end <= time;
}
