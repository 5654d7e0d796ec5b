import { hash } from 'node:crypto';
import { secretSpace } from '../../ports/index.ts';
import type { PgQuery } from './pg-pool.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** The database's clock, in epoch milliseconds: instances whose clocks differ agree on what has expired. */
const now = "(date_part('epoch', statement_timestamp()) * 1000)";
const live = `(r.expires_at IS NULL OR r.expires_at > ${now})`;

/** Writes the statements of a store. Each is prepared on each connection that uses it. */
export function postgresStatements({ records, counters }: PostgresNames) {
  /** When a record ends that is kept as long as its writer wants, and the store keeps any; null counts for neither. */
  const expiry = (wanted: string, retention: string) => `(${now} + least(${wanted}, ${retention}))`;
  const insert = (where: string, mayReplace: string) =>
    statement(`
      INSERT INTO ${records} AS r (version, id, space, tenant, key, value, expires_at)
      SELECT 1, $1::bytea, $2::text, $3::text, $4::text, $5::text,
        ${expiry('$6::float8', `CASE WHEN $2::text = '${secretSpace}' THEN NULL ELSE $7::float8 END`)} ${where}
      ON CONFLICT (id) DO UPDATE SET
        version = CASE WHEN ${live} THEN r.version + 1 ELSE 1 END, value = excluded.value, expires_at = excluded.expires_at
      WHERE ${mayReplace}
      RETURNING r.version`);
  return {
    /** Writes a record that must not be there. One that is there is left alone: a refused write would still lock its row, and wait for the disk. */
    create: insert(`WHERE NOT EXISTS (SELECT FROM ${records} AS r WHERE r.id = $1 AND ${live})`, `NOT ${live}`),
    /** Writes a record whatever is there. */
    replace: insert('', 'true'),
    /** Writes a record of which a certain version is expected. */
    update: statement(`
      UPDATE ${records} AS r SET version = r.version + 1, value = $2, expires_at = ${expiry('$3::float8', '$4::float8')}
      WHERE r.id = $1 AND r.version = $5 AND ${live} RETURNING r.version`),
    select: statement(`SELECT r.version, r.value, r.expires_at - ${now} AS left_ms FROM ${records} AS r WHERE r.id = $1 AND ${live}`),
    remove: statement(`DELETE FROM ${records} AS r WHERE r.id = $1 AND ${live} AND r.version = coalesce($2, r.version) RETURNING 1`),
    add: statement(`
      INSERT INTO ${counters} AS c (id, count, ends_at) VALUES ($1, $2, least(${now} + $3::float8, ${Number.MAX_SAFE_INTEGER}))
      ON CONFLICT (id) DO UPDATE SET
        count = CASE WHEN c.ends_at > ${now} THEN c.count + excluded.count ELSE excluded.count END,
        ends_at = CASE WHEN c.ends_at > ${now} THEN c.ends_at ELSE excluded.ends_at END
      RETURNING count, ends_at - ${now} AS left_ms`),
    sweepRecords: statement(`
      DELETE FROM ${records} WHERE id IN (SELECT id FROM ${records} WHERE expires_at <= ${now} LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1`),
    sweepCounters: statement(`
      DELETE FROM ${counters} WHERE id IN (SELECT id FROM ${counters} WHERE ends_at <= ${now} LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1`),
  };
}

function statement(text: string): (...values: unknown[]) => PgQuery {
  const name = `toolpact_${hash('sha1', text).slice(0, 20)}`;
  return (...values) => ({ name, text, values });
}
