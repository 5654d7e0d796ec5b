import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import { type FailureKind, fail } from 'toolpact';

const version = 1;

// Terms come ready made (see `toTerms`); SQLite only brings English words to their stems. The text itself lies in `chunks` alone.
const schema = `
  CREATE TABLE documents (id TEXT PRIMARY KEY, title TEXT NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE chunks (id INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL);
  CREATE INDEX chunks_document ON chunks (document);
  CREATE VIRTUAL TABLE terms USING fts5(title, body, content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
  PRAGMA user_version = ${version};`;

/** Opens the file of an index and makes its tables; safe when several processes do so at once. Throws if the file is not an index. */
export function openIndexFile(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    makePrivate(path);
    db = new (sqlite().DatabaseSync)(path);
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('BEGIN IMMEDIATE');
    const seen = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    const strangers = Number(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").get()?.n);
    if (seen === 0 && strangers === 0) db.exec(schema);
    else if (seen !== version)
      throw fail('not_configured', 'The file of the index was made by something else, or by a newer version of toolpact.');
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db?.close();
    throw explain(error);
  }
}

/** Creates the file, if it is not there, so that its owner alone can read it. SQLite gives its log files the same rights. */
function makePrivate(path: string): void {
  if (path === '' || path === ':memory:' || path.startsWith('file:')) return;
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch {
    // It is there already, or cannot be made, which opening the database reports.
  }
}

/** The meaning of SQLite's result codes for the file of an index. */
const reasons: ReadonlyMap<number, readonly [kind: FailureKind, why: string]> = new Map([
  [3, ['not_configured', 'there is no permission to use it']],
  [8, ['not_configured', 'it cannot be written']],
  [14, ['not_ready', 'it cannot be opened, perhaps because its folder is not there']],
  [26, ['not_configured', 'it is no index']],
]);

/** SQLite's own words about a file would be read as if they were about the question. */
function explain(error: unknown): unknown {
  const { message = '', errcode = 0 } = error as { readonly message?: string; readonly errcode?: number };
  if (message.includes('no such module: fts5'))
    return fail('not_configured', 'The document index needs Node 22.16 or newer, whose SQLite has full-text search.', { cause: error });
  // The low byte of a result code is its class.
  const [kind, why] = reasons.get(errcode & 0xff) ?? [];
  return kind === undefined ? error : fail(kind, `The file of the document index cannot be used: ${why}.`, { cause: error });
}

/** Loads SQLite on demand: programs that only search the web should not see the warning that it is experimental. */
function sqlite(): typeof import('node:sqlite') {
  return createRequire(import.meta.url)('node:sqlite');
}
