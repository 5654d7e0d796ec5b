import { DatabaseSync } from 'node:sqlite';
import { otherSchema } from '../other-schema.ts';
import { ledgerTables } from './ledger-tables.ts';

/** Counts what the tables have looked like. A file of another version is refused, and stays as it is. */
export const schemaVersion = 10;

/** The tables of records and counters. Each write pays for every page it touches: so no index holds when records expire. */
const recordTables = `
  CREATE TABLE toolpact_records (
    seq INTEGER PRIMARY KEY,
    space TEXT NOT NULL,
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    expires_at NUMERIC,
    value TEXT NOT NULL,
    UNIQUE (space, tenant, key)
  );

  CREATE TABLE toolpact_counters (
    space TEXT NOT NULL,
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    count NUMERIC NOT NULL,
    ends_at NUMERIC NOT NULL,
    PRIMARY KEY (space, tenant, key)
  ) WITHOUT ROWID;
  CREATE INDEX toolpact_counters_end ON toolpact_counters (ends_at);`;

/** How a file is opened. */
export interface SqliteFile {
  readonly path: string;
  readonly durability: 'full' | 'normal';
  /** How long other processes are waited for. */
  readonly busyMs: number;
}

/** Opens a file, and makes its tables where there are none; safe when several processes do so at once. */
export function openSqlite({ path, durability, busyMs }: SqliteFile): DatabaseSync {
  const giveUpAt = Date.now() + busyMs;
  const db = new DatabaseSync(path);
  for (;;) {
    try {
      db.exec('PRAGMA busy_timeout = 50');
      // Before anything that could change a file of another version.
      const isMade = isOfThisVersion(db);
      // Counts only for a file that is still empty, and only before the next line; others it would only have to wait for.
      if (db.prepare('PRAGMA page_count').get()?.page_count === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec('PRAGMA journal_mode = WAL');
      db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
      // Writes are looked up by keys in no order; 16 MB keep the usual index at hand, and the log from staying large.
      db.exec('PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 16777216');
      if (!isMade) makeTables(db);
      // What waits inside of SQLite holds up everything else in this process; reads and writes try again by themselves.
      db.exec('PRAGMA busy_timeout = 0');
      return db;
    } catch (error) {
      if (isBusy(error) && Date.now() < giveUpAt) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        continue;
      }
      db.close();
      throw error;
    }
  }
}

/** Makes all tables or none. */
function makeTables(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them meanwhile.
    if (!isOfThisVersion(db)) {
      db.exec('CREATE TABLE toolpact_meta (name TEXT PRIMARY KEY, value NUMERIC NOT NULL) WITHOUT ROWID');
      db.exec(recordTables);
      db.exec(ledgerTables);
      db.prepare("INSERT INTO toolpact_meta (name, value) VALUES ('schema_version', ?)").run(schemaVersion);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Checks whether a file has the tables; throws where it has those of another version. */
function isOfThisVersion(db: DatabaseSync): boolean {
  const table = db.prepare("SELECT name FROM sqlite_schema WHERE name = 'toolpact_meta'").get();
  if (table === undefined) return false;
  const seen = Number(db.prepare("SELECT value FROM toolpact_meta WHERE name = 'schema_version'").get()?.value);
  if (seen !== schemaVersion) throw otherSchema(seen, schemaVersion);
  return true;
}

/** Checks whether another connection was in the way. */
export function isBusy(error: unknown): boolean {
  const primary = Number((error as { errcode?: unknown } | null)?.errcode) & 0xff;
  return primary === 5 || primary === 6;
}
