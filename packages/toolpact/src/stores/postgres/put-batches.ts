import type { PutResult, RecordKey } from '../../ports/index.ts';
import { createBatches } from '../batches.ts';
import { type StoredRow, toRecord } from '../stored-row.ts';
import { isConnectionLoss, type PgSession } from './pg-session.ts';
import type { postgresStatements } from './postgres-statements.ts';

/** A write as the statements take it. */
export interface PostgresPut {
  readonly at: RecordKey;
  readonly expect: number | undefined;
  /** In hexadecimal. */
  readonly id: string;
  readonly space: string;
  readonly tenant: string;
  readonly key: string;
  readonly value: string;
  readonly expires_at: number | null;
}

/** Creates the writer of records: all that come at the same time are one statement, and one commit of the server. */
export function createPutBatches(
  session: PgSession,
  sql: ReturnType<typeof postgresStatements>,
  retentionMs: number | undefined,
): (put: PostgresPut) => Promise<PutResult> {
  const run = async (puts: readonly PostgresPut[]): Promise<readonly (PutResult | Promise<PutResult>)[]> => {
    const [first, ...others] = puts;
    const kind = kindOf(first);
    const values = columns[kind].map((column) => (others.length === 0 && first ? column(first) : puts.map(column)));
    const statement = others.length === 0 ? sql[kind].one : sql[kind].many;
    const answered = byId(await session.query<WrittenRow | SeenRow>(statement(...values, retentionMs ?? null)));
    const current = answered.size < puts.length ? read(puts.filter(({ id }) => !answered.has(id))) : undefined;
    return puts.map((put) => {
      const row = answered.get(put.id);
      if (row === undefined) return refuse(put, current);
      return isSeen(row) ? { ok: false, current: toRecord(put.at, row) } : { ok: true, version: row.version };
    });
  };

  const refuse = async (put: PostgresPut, rows: Promise<ReadonlyMap<string, SeenRow>> | undefined): Promise<PutResult> => {
    const row = (await rows)?.get(put.id);
    if (row) return { ok: false, current: toRecord(put.at, row) };
    // The record that was in the way has gone meanwhile, so write the new one now.
    return put.expect === 0 ? add(put) : { ok: false, current: undefined };
  };

  const read = async (puts: readonly PostgresPut[]): Promise<ReadonlyMap<string, SeenRow>> =>
    byId(await session.query<SeenRow>(sql.select.many(puts.map(toId)), true));

  const add = createBatches({
    run,
    kindOf,
    idOf: ({ id }) => id,
    sizeOf: ({ key, value }) => key.length + value.length,
    // More were not faster where this was measured.
    maxAtOnce: 1,
    // A statement that the server refuses has changed nothing.
    mayDivide: (error) => !isConnectionLoss(error),
  });
  return add;
}

/** The result of a write: its new version, or the row that was there instead. */
type WrittenRow = { readonly id: string; readonly version: number };
type SeenRow = WrittenRow & StoredRow;

function byId<TRow extends WrittenRow>(rows: readonly TRow[]): ReadonlyMap<string, TRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

function isSeen(row: WrittenRow | SeenRow): row is SeenRow {
  return 'value' in row && row.value !== null;
}

type Kind = 'create' | 'replace' | 'update';

function kindOf(put: PostgresPut | undefined): Kind {
  if (put?.expect === undefined) return 'replace';
  return put.expect === 0 ? 'create' : 'update';
}

type Column = (put: PostgresPut) => unknown;

const toId: Column = ({ id }) => `\\x${id}`;
const insertColumns: readonly Column[] = [
  toId,
  ({ space }) => space,
  ({ tenant }) => tenant,
  ({ key }) => key,
  ({ value }) => value,
  ({ expires_at }) => expires_at,
];
const updateColumns: readonly Column[] = [toId, ({ value }) => value, ({ expires_at }) => expires_at, ({ expect }) => expect];

/** The parameters of each statement, in order. */
const columns: Readonly<Record<Kind, readonly Column[]>> = { create: insertColumns, replace: insertColumns, update: updateColumns };
