import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** What the store asks its file, by name. */
export const sqliteTexts = {
  insert: `INSERT INTO toolpact_records (seq, id, space, tenant, key, grp, expires_at, value, version)
           VALUES (1 + max(coalesce((SELECT max(seq) FROM toolpact_records), 0),
                           coalesce((SELECT value FROM toolpact_meta WHERE name = 'last_seq'), 0)), ?, ?, ?, ?, ?, ?, ?, 1)
           ON CONFLICT (id) DO NOTHING`,
  update: `UPDATE toolpact_records SET grp = ?, expires_at = ?, value = ?, version = version + 1
           WHERE id = ? AND version = ? AND (expires_at IS NULL OR expires_at > ?)`,
  select: `SELECT seq, key, grp, version, value, expires_at FROM toolpact_records WHERE id = ?`,
  drop: `DELETE FROM toolpact_records WHERE seq = ?`,
  remove: `DELETE FROM toolpact_records WHERE id = ? AND (expires_at IS NULL OR expires_at > ?) AND version = coalesce(?, version)`,
  list: `SELECT seq, key, grp, version, value, expires_at FROM toolpact_records
         WHERE seq IN (SELECT seq FROM toolpact_records INDEXED BY toolpact_records_id WHERE id > ? AND id < ? AND seq > ?)
           AND (expires_at IS NULL OR expires_at > ?) ORDER BY seq LIMIT ?`,
  listGroup: `SELECT seq, key, grp, version, value, expires_at FROM toolpact_records
              WHERE space = ? AND tenant = ? AND grp = ? AND seq > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY seq LIMIT ?`,
  index: `INSERT INTO toolpact_rows (seq, at, terms, row) SELECT seq, ?, ?, ? FROM toolpact_records WHERE id = ?`,
  unindex: `DELETE FROM toolpact_rows WHERE seq = (SELECT seq FROM toolpact_records WHERE id = ?)`,
  // What is found is bounded before the records are looked at: one that has expired makes a page shorter, not slower.
  find: `SELECT t.at, t.seq, r.key, x.row FROM
           (SELECT at, seq FROM toolpact_terms WHERE term = ? AND at >= ? AND (at, seq) < (?, ?) ORDER BY at DESC, seq DESC LIMIT ?) AS t
         LEFT JOIN toolpact_records AS r ON r.seq = t.seq AND (r.expires_at IS NULL OR r.expires_at > ?)
         LEFT JOIN toolpact_rows AS x ON x.seq = t.seq
         ORDER BY t.at DESC, t.seq DESC`,
  findKey: `SELECT x.at, r.seq, r.key, x.row FROM toolpact_records AS r JOIN toolpact_rows AS x ON x.seq = r.seq
            WHERE r.id = ? AND (r.expires_at IS NULL OR r.expires_at > ?)`,
  add: `INSERT INTO toolpact_counters (space, tenant, key, count, ends_at) VALUES ($space, $tenant, $key, $amount, $endsAt)
        ON CONFLICT (space, tenant, key) DO UPDATE SET
          count = CASE WHEN ends_at > $now THEN count + excluded.count ELSE excluded.count END,
          ends_at = CASE WHEN ends_at > $now THEN ends_at ELSE excluded.ends_at END
        RETURNING count, ends_at`,
  writeLog: `INSERT INTO toolpact_logs (log, name, expires_at, value) VALUES (?, ?, ?, ?)
             ON CONFLICT (log, name) DO UPDATE SET expires_at = excluded.expires_at, value = excluded.value`,
  readLog: `SELECT value FROM toolpact_logs WHERE log = ? AND expires_at > ?`,
  recordsEnd: sliceEndOf('toolpact_records'),
  sweepRecords: sweepOf('toolpact_records'),
  logsEnd: sliceEndOf('toolpact_logs'),
  sweepLogs: sweepOf('toolpact_logs'),
  sweepCounters: `DELETE FROM toolpact_counters WHERE (space, tenant, key) IN
                    (SELECT space, tenant, key FROM toolpact_counters WHERE ends_at <= ? LIMIT ?)`,
  freePages: `SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count`,
};

/** Finds the last of the rows that are looked at together. */
function sliceEndOf(table: string): string {
  return `SELECT max(seq) AS last, count(*) AS seen FROM (SELECT seq FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?)`;
}

function sweepOf(table: string): string {
  return `DELETE FROM ${table} WHERE seq > $after AND seq <= $last AND expires_at <= $now`;
}

/** The statements of a store, prepared once. */
export type SqliteStatements = Readonly<Record<keyof typeof sqliteTexts, StatementSync>>;

/** Prepares statements for one connection. */
export function prepareStatements<TName extends string>(
  db: DatabaseSync,
  texts: Readonly<Record<TName, string>>,
): Readonly<Record<TName, StatementSync>> {
  return Object.fromEntries(Object.entries<string>(texts).map(([name, text]) => [name, db.prepare(text)])) as Record<TName, StatementSync>;
}
