import { createBatches } from '../batches.ts';
import type { StoredRow } from '../stored-row.ts';
import type { PgSession } from './pg-session.ts';
import type { postgresStatements } from './postgres-statements.ts';

/** Creates the reader of records: all that are asked for at the same time are one statement. Takes ids in hexadecimal. */
export function createGetBatches(
  session: PgSession,
  sql: ReturnType<typeof postgresStatements>,
): (id: string) => Promise<StoredRow | undefined> {
  let asked = 0;
  const get = createBatches<{ readonly id: string; readonly turn: number }, StoredRow | undefined>({
    async run(items) {
      const [first, ...others] = items;
      if (first && others.length === 0) return session.query<StoredRow>(sql.select.one(`\\x${first.id}`), true);
      const rows = await session.query<StoredRow & { id: string }>(sql.select.many(items.map(({ id }) => `\\x${id}`)), true);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return items.map(({ id }) => byId.get(id));
    },
    kindOf: () => 'get',
    // Reads of the same record need not wait for each other.
    idOf: ({ turn }) => String(turn),
    sizeOf: () => 0,
    mayDivide: () => true,
    maxAtOnce: 2,
  });
  return (id) => {
    asked += 1;
    return get({ id, turn: asked });
  };
}
