import { hash } from 'node:crypto';
import { secretSpace } from '../../ports/index.ts';
import type { PgQuery } from './pg-pool.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** The database's clock, in epoch milliseconds: instances whose clocks differ agree on what has expired. */
const now = "(date_part('epoch', statement_timestamp()) * 1000)";
const live = `(r.expires_at IS NULL OR r.expires_at > ${now})`;
const columns = 'r.seq::float8 AS seq, r.key, r.grp, r.version, r.value, r.expires_at';

/** A statement that is prepared on each connection that uses it. */
type PgStatement = (...values: unknown[]) => PgQuery;

/** Writes the statements of a store. */
export function postgresStatements({ records, counters, terms, logs, seq }: PostgresNames) {
  /** The earlier of when the caller and when the retention ends a record; null counts for neither. */
  const expiry = (wanted: string, retention: string) => `least(${wanted}, ${now} + ${retention})`;
  const unlessSecret = (space: string) => `CASE WHEN ${space} = '${secretSpace}' THEN NULL ELSE $13::float8 END`;
  const indexed = ['at', 'terms', 'shown'];
  /** A live record keeps its index where a write brings none. */
  const keepIndex = indexed.map(
    (column) => `${column} = CASE WHEN ${live} THEN coalesce(excluded.${column}, r.${column}) ELSE excluded.${column} END`,
  );
  const insert = (source: string, mayReplace: string) => `
    INSERT INTO ${records} AS r (seq, version, id, scope_id, group_id, space, tenant, key, grp, value, at, terms, shown, expires_at) ${source}
    ON CONFLICT (id) DO UPDATE SET
      seq = CASE WHEN ${live} THEN r.seq ELSE excluded.seq END,
      version = CASE WHEN ${live} THEN r.version + 1 ELSE 1 END,
      group_id = excluded.group_id, grp = excluded.grp, value = excluded.value, expires_at = excluded.expires_at,
      ${keepIndex.join(', ')}
    WHERE ${mayReplace}
    RETURNING encode(r.id, 'hex') AS id, r.version`;
  const nextSeq = `nextval('${seq.replaceAll("'", "''")}')`;
  const one = (where = '') =>
    `SELECT ${nextSeq}, 1, $1::bytea, $2::bytea, $3::bytea, $4, $5, $6, $7, $8, $10::float8, $11::uuid[], $12::text,
      ${expiry('$9::float8', unlessSecret('$4::text'))} ${where}`;
  // Numbers are drawn in the order given, rows are locked in the order of their ids: two statements that meet on several rows wait for
  // each other instead of blocking each other.
  const many = (where = '') => `
    SELECT seq, 1, id, scope_id, group_id, space, tenant, key, grp, value, at, terms::uuid[], shown, ${expiry('expires_at', unlessSecret('space'))}
    FROM (
      SELECT ${nextSeq} AS seq, i.*
      FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[],
        $10::float8[], $11::text[], $12::text[]) AS i (id, scope_id, group_id, space, tenant, key, grp, value, expires_at, at, terms, shown)
      ${where}
      OFFSET 0
    ) AS numbered
    ORDER BY id`;
  /** Gives what is there already and leaves it alone: a write that is refused would still lock its row, and wait for the disk. */
  const create = (isAsked: string, source: string) => `
    WITH seen AS MATERIALIZED (SELECT r.id AS raw, encode(r.id, 'hex') AS id, ${columns} FROM ${records} AS r WHERE ${isAsked} AND ${live}),
    made AS (${insert(source, `NOT ${live}`)})
    SELECT id, version, NULL::float8 AS seq, NULL AS key, NULL AS grp, NULL AS value, NULL::float8 AS expires_at FROM made
    UNION ALL SELECT id, version, seq, key, grp, value, expires_at FROM seen`;
  const update = (source: string) => `
    UPDATE ${records} AS r
    SET version = r.version + 1, group_id = i.group_id, grp = i.grp, value = i.value, expires_at = ${expiry('i.expires_at', '$10::float8')},
      at = coalesce(i.at, r.at), terms = coalesce(i.terms::uuid[], r.terms), shown = coalesce(i.shown, r.shown)
    FROM ${source} AS i (id, group_id, grp, value, expires_at, at, terms, shown, expected)
    WHERE r.id = i.id AND r.version = i.expected AND ${live}
    RETURNING encode(r.id, 'hex') AS id, r.version`;

  const log = (source: string) => `
    INSERT INTO ${logs} (log, name, value, expires_at) ${source}
    ON CONFLICT (log, name) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;

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
      one: statement(
        update('(VALUES ($1::bytea, $2::bytea, $3::text, $4::text, $5::float8, $6::float8, $7::text, $8::text, $9::integer))'),
      ),
      many: statement(
        update(
          'unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[], $5::float8[], $6::float8[], $7::text[], $8::text[], $9::integer[])',
        ),
      ),
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
    list: statement(`SELECT ${columns} FROM ${records} AS r WHERE r.scope_id = $1 AND r.seq > $2 AND ${live} ORDER BY r.seq LIMIT $3`),
    listGroup: statement(`SELECT ${columns} FROM ${records} AS r WHERE r.group_id = $1 AND r.seq > $2 AND ${live} ORDER BY r.seq LIMIT $3`),
    // What is found is bounded before the records are looked at: one that has expired makes a page shorter, not slower.
    find: statement(`
      SELECT t.at, t.seq::float8 AS seq, r.key, r.shown AS row
      FROM (
        SELECT at, seq FROM ${terms} WHERE term = $2 AND at >= $3 AND (at, seq) < ($4::float8, $5::bigint) ORDER BY at DESC, seq DESC LIMIT $6
      ) AS t
      LEFT JOIN LATERAL (SELECT r.key, r.shown FROM ${records} AS r WHERE r.scope_id = $1 AND r.seq = t.seq AND ${live} LIMIT 1) AS r ON true
      ORDER BY t.at DESC, t.seq DESC`),
    findKeys: statement(`
      SELECT r.at, r.seq::float8 AS seq, r.key, r.shown AS row FROM ${records} AS r WHERE r.id = ANY($1::bytea[]) AND r.at IS NOT NULL AND ${live}`),
    add: statement(`
      INSERT INTO ${counters} AS c (id, count, ends_at) VALUES ($1, $2, least(${now} + $3::float8, ${Number.MAX_SAFE_INTEGER}))
      ON CONFLICT (id) DO UPDATE SET
        count = CASE WHEN c.ends_at > ${now} THEN c.count + excluded.count ELSE excluded.count END,
        ends_at = CASE WHEN c.ends_at > ${now} THEN c.ends_at ELSE excluded.ends_at END
      RETURNING count, ends_at`),
    /** Writes entries of logs whatever is there. Rows are locked in the order of their names, as above. */
    writeLog: {
      one: statement(log(`VALUES ($1::uuid, $2, $3, ${expiry('$4::float8', '$5::float8')})`)),
      many: statement(
        log(`SELECT log, name, value, ${expiry('expires_at', '$5::float8')}
             FROM unnest($1::uuid[], $2::text[], $3::text[], $4::float8[]) AS i (log, name, value, expires_at) ORDER BY log, name`),
      ),
    },
    readLog: statement(`SELECT value FROM ${logs} WHERE log = $1 AND expires_at > ${now}`),
    sweepLogs: statement(`
      DELETE FROM ${logs} WHERE (log, name) IN (SELECT log, name FROM ${logs} WHERE expires_at <= ${now} LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING 1`),
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
