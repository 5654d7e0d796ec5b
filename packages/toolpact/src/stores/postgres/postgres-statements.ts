import { hash } from 'node:crypto';
import { secretSpace } from '../../ports/index.ts';
import type { PgQuery } from './pg-pool.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** The database's clock, in epoch milliseconds: instances whose clocks differ agree on what has expired. */
const now = "(date_part('epoch', statement_timestamp()) * 1000)";
const live = `(r.expires_at IS NULL OR r.expires_at > ${now})`;
const columns = 'r.version, r.value, r.expires_at';

/** A statement that is prepared on each connection that uses it. */
type PgStatement = (...values: unknown[]) => PgQuery;

/** Writes the statements of a store. */
export function postgresStatements({ records, counters }: PostgresNames) {
  /** The earlier of when the caller and when the retention ends a record; null counts for neither. */
  const expiry = (wanted: string, retention: string) => `least(${wanted}, ${now} + ${retention})`;
  const unlessSecret = (space: string) => `CASE WHEN ${space} = '${secretSpace}' THEN NULL ELSE $7::float8 END`;
  const insert = (source: string, mayReplace: string) => `
    INSERT INTO ${records} AS r (version, id, space, tenant, key, value, expires_at) ${source}
    ON CONFLICT (id) DO UPDATE SET
      version = CASE WHEN ${live} THEN r.version + 1 ELSE 1 END, value = excluded.value, expires_at = excluded.expires_at
    WHERE ${mayReplace}
    RETURNING encode(r.id, 'hex') AS id, r.version`;
  const one = (where = '') =>
    `SELECT 1, $1::bytea, $2::text, $3::text, $4::text, $5::text, ${expiry('$6::float8', unlessSecret('$2::text'))} ${where}`;
  // Rows are locked in the order of their ids: two statements that meet on several rows wait for each other instead of blocking each other.
  const many = (where = '') => `
    SELECT 1, id, space, tenant, key, value, ${expiry('expires_at', unlessSecret('space'))}
    FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) AS i (id, space, tenant, key, value, expires_at)
    ${where}
    ORDER BY id`;
  /** Gives what is there already and leaves it alone: a write that is refused would still lock its row, and wait for the disk. */
  const create = (isAsked: string, source: string) => `
    WITH seen AS MATERIALIZED (SELECT r.id AS raw, encode(r.id, 'hex') AS id, ${columns} FROM ${records} AS r WHERE ${isAsked} AND ${live}),
    made AS (${insert(source, `NOT ${live}`)})
    SELECT id, version, NULL AS value, NULL::float8 AS expires_at FROM made
    UNION ALL SELECT id, version, value, expires_at FROM seen`;
  const update = (source: string) => `
    UPDATE ${records} AS r SET version = r.version + 1, value = i.value, expires_at = ${expiry('i.expires_at', '$5::float8')}
    FROM ${source} AS i (id, value, expires_at, expected)
    WHERE r.id = i.id AND r.version = i.expected AND ${live}
    RETURNING encode(r.id, 'hex') AS id, r.version`;

  // One row has statements of its own: the server plans those once, but the others each time anew, because an array may be of any length.
  return {
    /** Writes records that must not be there; gives those that are, with their value. */
    create: {
      one: statement(create('r.id = $1', one('WHERE NOT EXISTS (SELECT FROM seen)'))),
      // Not a join, which might change the order.
      many: statement(create('r.id = ANY($1::bytea[])', many('WHERE i.id <> ALL(ARRAY(SELECT raw FROM seen))'))),
    },
    /** Writes records whatever is there. */
    replace: { one: statement(insert(one(), 'true')), many: statement(insert(many(), 'true')) },
    /** Writes records of which a certain version is expected. */
    update: {
      one: statement(update('(VALUES ($1::bytea, $2::text, $3::float8, $4::integer))')),
      many: statement(update('unnest($1::bytea[], $2::text[], $3::float8[], $4::integer[])')),
    },
    select: {
      one: statement(`SELECT ${columns} FROM ${records} AS r WHERE r.id = $1 AND ${live}`),
      many: statement(`SELECT encode(r.id, 'hex') AS id, ${columns} FROM ${records} AS r WHERE r.id = ANY($1::bytea[]) AND ${live}`),
    },
    remove: {
      one: statement(
        `DELETE FROM ${records} AS r WHERE r.id = $1 AND ${live} AND r.version = coalesce($2, r.version) RETURNING encode(r.id, 'hex') AS id`,
      ),
      many: unprepared(`
        DELETE FROM ${records} WHERE id = ANY (ARRAY(
          SELECT r.id FROM ${records} AS r WHERE r.id = ANY ($1::bytea[]) AND ${live}
            AND r.version = coalesce(($2::integer[])[array_position($1::bytea[], r.id)], r.version)
          ORDER BY r.id FOR UPDATE
        )) RETURNING encode(id, 'hex') AS id`),
    },
    add: statement(`
      INSERT INTO ${counters} AS c (id, count, ends_at) VALUES ($1, $2, least(${now} + $3::float8, ${Number.MAX_SAFE_INTEGER}))
      ON CONFLICT (id) DO UPDATE SET
        count = CASE WHEN c.ends_at > ${now} THEN c.count + excluded.count ELSE excluded.count END,
        ends_at = CASE WHEN c.ends_at > ${now} THEN c.ends_at ELSE excluded.ends_at END
      RETURNING count, ends_at`),
    sweepRecords: statement(`
      DELETE FROM ${records} WHERE id IN (SELECT id FROM ${records} WHERE expires_at <= ${now} LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1`),
    sweepCounters: statement(`
      DELETE FROM ${counters} WHERE id IN (SELECT id FROM ${counters} WHERE ends_at <= ${now} LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1`),
  };
}

function statement(text: string): PgStatement {
  const name = `toolpact_${hash('sha1', text).slice(0, 20)}`;
  return (...values) => ({ name, text, values });
}

/**
 * A statement that the server plans each time. A plan that is kept from when the table was empty would read all of it, until the server has
 * counted its rows.
 */
function unprepared(text: string): PgStatement {
  return (...values) => ({ text, values });
}
