import type { DatabaseSync, StatementSync } from 'node:sqlite';

const place = 'space = $space AND tenant = $tenant AND key = $key';
const live = '(expires_at IS NULL OR expires_at > $now)';

/** The statements of the store, by name. */
export const sqliteTexts = {
  insert: `INSERT INTO toolpact_records (space, tenant, key, version, expires_at, value) VALUES ($space, $tenant, $key, 1, $expiresAt, $value)
           ON CONFLICT (space, tenant, key) DO UPDATE SET
             version = CASE WHEN ${live} THEN version + 1 ELSE 1 END, expires_at = excluded.expires_at, value = excluded.value
           WHERE $mayReplace = 1 OR NOT ${live}
           RETURNING version`,
  update: `UPDATE toolpact_records SET expires_at = $expiresAt, value = $value, version = version + 1
           WHERE ${place} AND version = $expect AND ${live} RETURNING version`,
  select: `SELECT version, value, expires_at FROM toolpact_records WHERE ${place} AND ${live}`,
  remove: `DELETE FROM toolpact_records WHERE ${place} AND ${live} AND version = coalesce($expect, version)`,
  add: `INSERT INTO toolpact_counters (space, tenant, key, count, ends_at) VALUES ($space, $tenant, $key, $amount, $endsAt)
        ON CONFLICT (space, tenant, key) DO UPDATE SET
          count = CASE WHEN ends_at > $now THEN count + excluded.count ELSE excluded.count END,
          ends_at = CASE WHEN ends_at > $now THEN ends_at ELSE excluded.ends_at END
        RETURNING count, ends_at`,
  recordsEnd: `SELECT max(seq) AS last, count(*) AS seen FROM (SELECT seq FROM toolpact_records WHERE seq > ? ORDER BY seq LIMIT ?)`,
  sweepRecords: `DELETE FROM toolpact_records WHERE seq > $after AND seq <= $last AND expires_at <= $now`,
  sweepCounters: `DELETE FROM toolpact_counters WHERE (space, tenant, key) IN
                    (SELECT space, tenant, key FROM toolpact_counters WHERE ends_at <= ? LIMIT ?)`,
  freePages: `SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count`,
};

/** The statements of a store, prepared once. */
export type SqliteStatements = Readonly<Record<keyof typeof sqliteTexts, StatementSync>>;

/** Prepares statements for one connection. */
export function prepareStatements<TName extends string>(
  db: DatabaseSync,
  texts: Readonly<Record<TName, string>>,
): Readonly<Record<TName, StatementSync>> {
  return Object.fromEntries(Object.entries<string>(texts).map(([name, text]) => [name, db.prepare(text)])) as Record<TName, StatementSync>;
}
