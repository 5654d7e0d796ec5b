import { Buffer } from 'node:buffer';
import { ToolpactError } from '../../outcome/index.ts';
import { otherSchema } from '../other-schema.ts';
import { callTables } from './calls/call-tables.ts';
import type { PgClient } from './pg-pool.ts';
import type { PgSession } from './pg-session.ts';

/** The names of the tables, quoted. */
export interface PostgresNames {
  readonly schema: string;
  readonly meta: string;
  /** As they are in the catalogue, not quoted. */
  readonly plain: { readonly schema: string; readonly meta: string };
  readonly records: string;
  readonly counters: string;
  readonly calls: string;
  readonly steps: string;
  readonly questions: string;
  readonly grants: string;
  readonly outbox: string;
  readonly processes: string;
  /** The function that deletes what belongs to a call. */
  readonly dropCalls: string;
  /** Creates a name of one of the tables' indexes. */
  readonly index: (name: string) => string;
}

/** Where the tables are. */
export interface PostgresPlace {
  /** Made if it is not there. @default toolpact */
  readonly schema?: string;
  /** The prefix of table names. @default toolpact_ */
  readonly prefix?: string;
}

/** Quotes the names of the tables. */
export function namesIn({ schema = 'toolpact', prefix = 'toolpact_' }: PostgresPlace): PostgresNames {
  // The server would cut longer ones, and then take them for each other.
  if (Buffer.byteLength(schema) > 63 || Buffer.byteLength(prefix) > 40)
    throw new ToolpactError('invalid_option', 'A schema has at most 63 bytes, a prefix at most 40.');
  const name = (table: string) => `${quote(schema)}.${quote(prefix + table)}`;
  return {
    schema: quote(schema),
    meta: name('meta'),
    plain: { schema, meta: `${prefix}meta` },
    records: name('records'),
    counters: name('counters'),
    calls: name('calls'),
    steps: name('steps'),
    questions: name('questions'),
    grants: name('grants'),
    outbox: name('outbox'),
    processes: name('processes'),
    dropCalls: name('drop_calls'),
    index: (index) => quote(prefix + index),
  };
}

/** Counts up with every change of the tables. */
export const postgresSchemaVersion = 9;

/** Creates all tables but that of the version. */
function createTables(names: PostgresNames): string {
  return [recordTables(names), callTables(names)].join('\n');
}

// Names of any length are found by their hashes: an index holds no more than some 2,700 bytes of a value.
const recordTables = ({ records, counters, index }: PostgresNames): string => `
  CREATE TABLE ${records} (
    id bytea PRIMARY KEY,
    version integer NOT NULL,
    expires_at double precision,
    space text NOT NULL,
    tenant text NOT NULL,
    key text NOT NULL,
    value text NOT NULL
  );
  CREATE INDEX ${index('records_expiry')} ON ${records} (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE ${counters} (id bytea PRIMARY KEY, count double precision NOT NULL, ends_at double precision NOT NULL);
  CREATE INDEX ${index('counters_end')} ON ${counters} (ends_at);`;

/** Creates the tables where there are none, all or nothing; of many processes that start at once one does it and the others wait. */
export async function preparePostgres(session: PgSession, names: PostgresNames): Promise<void> {
  await session.withClient(async (client) => {
    if ((await seenBy(client, names)) === postgresSchemaVersion) return;
    await client.query({ text: 'BEGIN' });
    try {
      await client.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`toolpact ${names.meta}`] });
      const seen = await seenBy(client, names);
      if (seen !== 0 && seen !== postgresSchemaVersion) throw otherSchema(seen, postgresSchemaVersion);
      if (seen === 0) await createAll(client, names);
      await client.query({ text: 'COMMIT' });
    } catch (error) {
      await client.query({ text: 'ROLLBACK' }).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Lets the server count the rows of tables that have become twice as large since it last did. It counts by itself once a minute by default: a
 * young table grows faster, and statements that are planned for what it was cost several times as much. A table that somebody vacuums or gives an
 * index is left out: to wait for that would keep a connection from calls.
 */
export async function analyzeGrownTables(session: PgSession, names: PostgresNames): Promise<void> {
  const tables = [names.calls, names.steps, names.questions, names.records];
  const text = `SELECT name FROM unnest($1::text[]) AS name JOIN pg_catalog.pg_class ON oid = name::regclass
    WHERE pg_relation_size(oid) > 2 * relpages::bigint * current_setting('block_size')::bigint`;
  const rows = await session.query<{ readonly name: string }>({ text, values: [tables] }, true);
  if (rows.length > 0) await session.query({ text: `ANALYZE (SKIP_LOCKED) ${rows.map(({ name }) => name).join(', ')}` }, true);
}

async function createAll(client: PgClient, names: PostgresNames): Promise<void> {
  // Not IF NOT EXISTS: that needs the right to make schemas even where there is nothing to make.
  const { rows } = await client.query({ text: 'SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', values: [names.plain.schema] });
  if (rows.length === 0) await client.query({ text: `CREATE SCHEMA ${names.schema}` });
  await client.query({ text: `CREATE TABLE ${names.meta} (name text PRIMARY KEY, value integer NOT NULL)` });
  await client.query({ text: createTables(names) });
  await client.query({ text: `INSERT INTO ${names.meta} VALUES ('schema_version', $1)`, values: [postgresSchemaVersion] });
}

async function seenBy(client: PgClient, { meta, plain }: PostgresNames): Promise<number> {
  // Not to_regclass: it answers from a cache that may not know yet what another process has just made.
  const text = 'SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = $2';
  const { rows: tables } = await client.query({ text, values: [plain.schema, plain.meta] });
  if (tables.length === 0) return 0;
  const { rows } = await client.query({ text: `SELECT value FROM ${meta} WHERE name = 'schema_version'` });
  return (rows[0] as { value: number } | undefined)?.value ?? 0;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
