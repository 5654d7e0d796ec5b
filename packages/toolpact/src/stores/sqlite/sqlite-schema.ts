import { DatabaseSync } from 'node:sqlite';
import { otherSchema } from '../other-schema.ts';
import { ledgerTables } from './ledger-tables.ts';

/** Counts what the tables have looked like. A file of another version is refused, and stays as it is. */
export const schemaVersion = 7;

/**
 * The tables of records, counters and logs. Numbers of records are never used twice, or a reader that goes on after the last one it saw could
 * miss a record; the table keeps no count of its numbers, but where the last record goes, its number is written down. Each write pays for every
 * page it touches: so records are found by short ids, and no index holds when they expire, or to which scope they belong.
 */
const recordTables = `
  CREATE TABLE toolpact_records (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    space TEXT NOT NULL,
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    grp TEXT,
    version INTEGER NOT NULL,
    expires_at NUMERIC,
    value TEXT NOT NULL
  );
  CREATE UNIQUE INDEX toolpact_records_id ON toolpact_records (id);
  CREATE INDEX toolpact_records_group ON toolpact_records (space, tenant, grp) WHERE grp IS NOT NULL;
  CREATE TRIGGER toolpact_records_last AFTER DELETE ON toolpact_records
    WHEN OLD.seq > (SELECT coalesce(max(seq), 0) FROM toolpact_records)
    BEGIN
      INSERT INTO toolpact_meta (name, value) VALUES ('last_seq', OLD.seq) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);
    END;

  CREATE TABLE toolpact_rows (seq INTEGER PRIMARY KEY, at NUMERIC NOT NULL, terms TEXT NOT NULL, row TEXT NOT NULL);
  CREATE TABLE toolpact_terms (term TEXT NOT NULL, at NUMERIC NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (term, at, seq)) WITHOUT ROWID;
  CREATE TRIGGER toolpact_rows_added AFTER INSERT ON toolpact_rows
    BEGIN
      INSERT INTO toolpact_terms (term, at, seq) SELECT value, NEW.at, NEW.seq FROM json_each(NEW.terms);
    END;
  CREATE TRIGGER toolpact_rows_gone AFTER DELETE ON toolpact_rows
    BEGIN
      DELETE FROM toolpact_terms WHERE at = OLD.at AND seq = OLD.seq AND term IN (SELECT value FROM json_each(OLD.terms));
    END;
  CREATE TRIGGER toolpact_records_gone AFTER DELETE ON toolpact_records
    BEGIN
      DELETE FROM toolpact_rows WHERE seq = OLD.seq;
    END;

  CREATE TABLE toolpact_counters (
    space TEXT NOT NULL,
    tenant TEXT NOT NULL,
    key TEXT NOT NULL,
    count NUMERIC NOT NULL,
    ends_at NUMERIC NOT NULL,
    PRIMARY KEY (space, tenant, key)
  ) WITHOUT ROWID;
  CREATE INDEX toolpact_counters_end ON toolpact_counters (ends_at);

  CREATE TABLE toolpact_logs (
    seq INTEGER PRIMARY KEY,
    log TEXT NOT NULL,
    name TEXT NOT NULL,
    expires_at NUMERIC NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (log, name)
  );`;

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
      // Short, because it holds up everything else in this process; writes try again by themselves.
      db.exec('PRAGMA busy_timeout = 50');
      // Before anything that could change a file of another version.
      const isMade = isOfThisVersion(db);
      // Counts only for a file that is still empty, and only before the next line; others it would only have to wait for.
      if (db.prepare('PRAGMA page_count').get()?.page_count === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec('PRAGMA journal_mode = WAL');
      db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
      // What is written is looked up by keys in no order; 16 MB keep the usual index at hand, and the log from staying large.
      db.exec('PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 16777216');
      if (!isMade) makeTables(db);
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
