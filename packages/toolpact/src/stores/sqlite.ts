import type { DatabaseSync } from 'node:sqlite';
import { refuseOptions, ToolpactError } from '../outcome/index.ts';
import { type CounterState, type PutResult, type RecordKey, type Store, type StoredRecord, untilWritten } from '../ports/index.ts';
import { sleep, systemClock } from '../time/index.ts';
import { type Retention, toExpiry, toWindowEnd } from './retention.ts';
import { createGroupCommit } from './sqlite/group-commit.ts';
import { ledgerTexts } from './sqlite/ledger-statements.ts';
import { makePrivateFile, watchFile } from './sqlite/private-file.ts';
import { createSqliteLedger } from './sqlite/sqlite-ledger.ts';
import { isBusy, openSqlite, type SqliteFile } from './sqlite/sqlite-schema.ts';
import { prepareStatements, sqliteTexts } from './sqlite/sqlite-statements.ts';
import { createSweepSlices } from './sqlite/sweep-slices.ts';
import { encodeText, encodeValue } from './stored-text.ts';

export type { Store } from '../ports/index.ts';

/** Which file, how safe, and how long things are kept. */
export interface SqliteStoreOptions extends Retention {
  /** The file, which is made if it is not there. It belongs on a local disk, never on a network drive. */
  readonly path: string;
  /** `full`: acknowledged records survive a power cut; `normal`: they survive the end of the process, and a power cut may take the last few. @default full */
  readonly durability?: 'full' | 'normal';
  /** How long a write waits for other processes before it is rejected. @default 10,000 */
  readonly busyMs?: number;
  /** Decides what has expired. @default Date.now */
  readonly now?: () => number;
}

/** How often expired records are deleted even if nothing is written. */
const sweepEveryMs = 60_000;
/** Each write pays for looking at two records: the file never holds more than about twice what has not expired. */
const sweepEveryWrites = 256;
const slicesAtOnce = 64;
const pagesAtOnce = 1024;

/**
 * Keeps records in one SQLite file through `node:sqlite`, for any number of processes on this machine. Writes of one turn of the event
 * loop share a transaction; each resolves when that is committed. Throws at once if the file cannot be used. A file that is deleted or
 * replaced while it is open is no longer written to: what other processes write would not be seen here, and a key would run twice.
 */
export function sqliteStore(file: string | SqliteStoreOptions): Store {
  const options: SqliteStoreOptions = typeof file === 'string' ? { path: file } : file;
  refuseOptions<SqliteStoreOptions>('sqliteStore', options, {
    path: true,
    durability: ['full', 'normal'],
    busyMs: true,
    now: 'a function',
    retentionMs: 'a number above 0',
  });
  if (typeof options?.path !== 'string')
    throw new ToolpactError('invalid_option', "sqliteStore needs the path of a file, such as sqliteStore('toolpact.db')", {
      option: 'path',
    });
  const { path, durability = 'full', busyMs = 10_000, now = Date.now } = options;
  makePrivateFile(path);
  const db = open({ path, durability, busyMs });
  const assertSameFile = watchFile(path);
  const sql = { ...prepareStatements(db, sqliteTexts), ...prepareStatements(db, ledgerTexts) };
  const commits = createGroupCommit(db, busyMs);
  const { sweepFrom, sweepOn } = createSweepSlices(sql, now);
  let writes = 0;
  let isClosed = false;
  let closing: Promise<void> | undefined;

  /** Gives some pages back to the system; gives the number of pages that are still unused. */
  const freeSlice = (): number => {
    db.exec(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
    return freePages().free;
  };
  const freePages = () => sql.freePages.get() as { free: number; pages: number };
  /** Goes round the whole file a few slices at a time, each in its own turn so that calls come between. */
  const tidy = async (): Promise<void> => {
    for (let slice = 0; slice < slicesAtOnce; slice += 1) {
      if (await commits.write(sweepOn)) break;
    }
    // Do not shrink the file for little: the room will be needed again soon.
    const { free, pages } = freePages();
    if (free > pagesAtOnce && free * 2 > pages) await commits.write(freeSlice);
  };
  // A sweep that fails now is made up for by the next one.
  const stopTidying = systemClock.every(sweepEveryMs, () => void tidy().catch(() => undefined), { background: true });

  const assertOpen = (): void => {
    if (isClosed) throw new Error('The store is closed.');
  };
  const write = <T>(run: () => T): Promise<T> => {
    assertOpen();
    assertSameFile();
    writes += 1;
    if (writes % sweepEveryWrites === 0) commits.write(sweepOn).catch(() => undefined);
    return commits.write(run);
  };
  const read = async <T>(run: () => T): Promise<T> => {
    const giveUpAt = performance.now() + busyMs;
    for (;;) {
      assertOpen();
      try {
        return run();
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error;
        await sleep(5);
      }
    }
  };

  /** Reads what no other connection holds up; what cannot be seen now is seen by the write. */
  const peek = <T>(run: () => T): T | undefined => {
    assertOpen();
    try {
      return run();
    } catch (error) {
      if (isBusy(error)) return undefined;
      throw error;
    }
  };
  const find = (at: RecordKey): StoredRecord | undefined => {
    const time = now();
    const row = sql.select.get({ ...placeOf(at), now: time }) as
      | { readonly version: number; readonly value: string; readonly expires_at: number | null }
      | undefined;
    if (row === undefined) return undefined;
    const { version, value, expires_at: end } = row;
    return { ...at, value: JSON.parse(value), ...(end !== null && { leftMs: end - time }), version };
  };
  const ledger = createSqliteLedger({ db, sql, write, read, peek, now, retentionMs: options.retentionMs ?? Number.POSITIVE_INFINITY });

  const close = async (): Promise<void> => {
    await untilWritten(store);
    isClosed = true;
    stopTidying();
    ledger.close();
    await commits.drain();
    db.close();
  };

  const store: Store = {
    name: 'sqlite',
    durable: path !== ':memory:' && path !== '',
    calls: ledger.calls,
    get: ({ space, tenant, key }) => read(() => find({ space, tenant, key })),
    async put({ space, tenant, key, value, keepMs }, expect) {
      const at = { space, tenant, key };
      const values = { ...placeOf(at), value: encodeValue(value) };
      return write((): PutResult => {
        const time = now();
        const draft = { ...values, expiresAt: toExpiry({ space, keepMs }, options, time), now: time };
        const row =
          expect === undefined || expect === 0
            ? sql.insert.get({ ...draft, mayReplace: expect === undefined ? 1 : 0 })
            : sql.update.get({ ...draft, expect });
        return row === undefined ? { ok: false, current: find(at) } : { ok: true, version: Number(row.version) };
      });
    },
    async remove(at, expect) {
      return write(() => sql.remove.run({ ...placeOf(at), now: now(), expect: expect ?? null }).changes === 1);
    },
    async add(at, amount, windowMs) {
      const place = placeOf(at);
      return write((): CounterState => {
        const time = now();
        const row = sql.add.get({ ...place, amount, now: time, endsAt: toWindowEnd(time, windowMs) });
        const { count, ends_at } = row as unknown as { count: number; ends_at: number };
        return { count, leftMs: ends_at - time };
      });
    },
    async sweep() {
      let total = 0;
      let place: Parameters<typeof sweepFrom>[0];
      do {
        const { deleted, next } = await write(() => sweepFrom(place));
        total += deleted;
        place = next;
      } while (place !== undefined);
      // A file that another program made may not be able to shrink.
      for (let [free, before] = [freePages().free, Number.POSITIVE_INFINITY]; free > 0 && free < before; ) {
        before = free;
        free = await write(freeSlice);
      }
      // Only what is copied back into the file itself makes it shorter; readers in other processes may put that off.
      await read(() => db.exec('PRAGMA busy_timeout = 50; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = 0'));
      return total;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
  return store;
}

/** Opens the file; says which one and what to do where that fails. */
function open(file: SqliteFile): DatabaseSync {
  try {
    return openSqlite(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const isRefused = cause instanceof Error && 'errcode' in cause;
    const fix = isRefused
      ? '. Check that the folder exists, that this process may write to it, and that the file is a SQLite database.'
      : '';
    throw new Error(`The SQLite store cannot open ${file.path}: ${why}${fix}`, { cause });
  }
}

/** A record's names as they are stored. */
function placeOf({ space, tenant, key }: RecordKey): { readonly space: string; readonly tenant: string; readonly key: string } {
  return { space: encodeText(space), tenant: encodeText(tenant), key: encodeText(key) };
}
