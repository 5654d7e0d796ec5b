import { DatabaseSync } from 'node:sqlite';
import { newerSchema } from '../newer-schema.ts';
import { recordId, scopeId } from './sqlite-id.ts';

/** What leads from each version of the schema to the next; a file records how many of these it has seen. Only ever add to the end. */
export const sqliteMigrations: readonly string[] = [
  // The primary key is the row's own number, so that every index is in order of `seq` without naming it. Numbers are never used twice, or
  // a reader that goes on after the last one it saw could miss a record. No index by expiry: every write would pay for it, several times
  // more than for looking at a few rows now and then.
  `CREATE TABLE toolpact_records (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     space TEXT NOT NULL,
     tenant TEXT NOT NULL,
     key TEXT NOT NULL,
     grp TEXT,
     version INTEGER NOT NULL,
     expires_at NUMERIC,
     value TEXT NOT NULL,
     UNIQUE (space, tenant, key)
   );
   CREATE INDEX toolpact_records_scope ON toolpact_records (space, tenant);
   CREATE INDEX toolpact_records_group ON toolpact_records (space, tenant, grp) WHERE grp IS NOT NULL;`,
  `CREATE TABLE toolpact_counters (
     space TEXT NOT NULL,
     tenant TEXT NOT NULL,
     key TEXT NOT NULL,
     count NUMERIC NOT NULL,
     ends_at NUMERIC NOT NULL,
     PRIMARY KEY (space, tenant, key)
   ) WITHOUT ROWID;
   CREATE INDEX toolpact_counters_end ON toolpact_counters (ends_at);`,
  // Each write pays for every page it touches. So records are found by short ids; the table keeps no count of its numbers, but where the last
  // record goes, its number is written down; and there is no index by scope, because only who lists a space without a group would use it, and
  // can look through the ids of that space.
  `CREATE TABLE toolpact_records_next (
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
   INSERT INTO toolpact_records_next (seq, id, space, tenant, key, grp, version, expires_at, value)
     SELECT seq, toolpact_id(space, tenant, key), space, tenant, key, grp, version, expires_at, value FROM toolpact_records ORDER BY seq;
   INSERT INTO toolpact_meta (name, value) SELECT 'last_seq', seq FROM sqlite_sequence WHERE name = 'toolpact_records';
   DROP TABLE toolpact_records;
   ALTER TABLE toolpact_records_next RENAME TO toolpact_records;
   CREATE UNIQUE INDEX toolpact_records_id ON toolpact_records (id);
   CREATE INDEX toolpact_records_group ON toolpact_records (space, tenant, grp) WHERE grp IS NOT NULL;
   CREATE TRIGGER toolpact_records_last AFTER DELETE ON toolpact_records
     WHEN OLD.seq > (SELECT coalesce(max(seq), 0) FROM toolpact_records)
     BEGIN
       INSERT INTO toolpact_meta (name, value) VALUES ('last_seq', OLD.seq) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value);
     END;`,
  // What is found by label lies in tables of its own, so that no query reads the values of records, which may be large.
  `CREATE TABLE toolpact_rows (seq INTEGER PRIMARY KEY, at NUMERIC NOT NULL, terms TEXT NOT NULL, row TEXT NOT NULL);
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
     END;`,
  // An entry costs what a row costs that has nothing but a name: a call writes one for each of its steps.
  `CREATE TABLE toolpact_logs (
     seq INTEGER PRIMARY KEY,
     log TEXT NOT NULL,
     name TEXT NOT NULL,
     expires_at NUMERIC NOT NULL,
     value TEXT NOT NULL,
     UNIQUE (log, name)
   );`,
];

/** How a file is opened. */
export interface SqliteFile {
  readonly path: string;
  readonly durability: 'full' | 'normal';
  /** How long other processes are waited for. */
  readonly busyMs: number;
}

/** Opens a file and brings its schema up to date; safe when several processes do so at once. */
export function openSqlite({ path, durability, busyMs }: SqliteFile): DatabaseSync {
  const giveUpAt = Date.now() + busyMs;
  const db = new DatabaseSync(path);
  for (;;) {
    try {
      // Short, because it holds up everything else in this process; writes try again by themselves.
      db.exec('PRAGMA busy_timeout = 50');
      // Counts only for a file that is still empty, and only before the next line; others it would only have to wait for.
      if (db.prepare('PRAGMA page_count').get()?.page_count === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec('PRAGMA journal_mode = WAL');
      db.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
      // What is written is looked up by keys in no order; 16 MB keep the usual index at hand, and the log from staying large.
      db.exec('PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 16777216');
      migrate(db, sqliteMigrations);
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

/** Applies the migrations that a database has not seen yet, all or none. */
export function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  if (seenBy(db) === migrations.length) return;
  db.function('toolpact_id', (space, tenant, key) => recordId(scopeId(String(space), String(tenant)), String(key)));
  db.exec('BEGIN IMMEDIATE');
  try {
    // Look again: another process may have migrated meanwhile.
    const seen = seenBy(db);
    if (seen > migrations.length) throw newerSchema(seen, migrations.length);
    db.exec('CREATE TABLE IF NOT EXISTS toolpact_meta (name TEXT PRIMARY KEY, value NUMERIC NOT NULL) WITHOUT ROWID');
    for (const migration of migrations.slice(seen)) db.exec(migration);
    db.prepare("INSERT OR REPLACE INTO toolpact_meta (name, value) VALUES ('schema_version', ?)").run(migrations.length);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function seenBy(db: DatabaseSync): number {
  const table = db.prepare("SELECT name FROM sqlite_schema WHERE name = 'toolpact_meta'").get();
  if (table === undefined) return 0;
  return Number(db.prepare("SELECT value FROM toolpact_meta WHERE name = 'schema_version'").get()?.value ?? 0);
}

/** Checks whether another connection was in the way. */
export function isBusy(error: unknown): boolean {
  const primary = Number((error as { errcode?: unknown } | null)?.errcode) & 0xff;
  return primary === 5 || primary === 6;
}
