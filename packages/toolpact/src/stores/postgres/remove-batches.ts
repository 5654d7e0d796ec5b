import { createBatches } from '../batches.ts';
import { isConnectionLoss, type PgSession } from './pg-session.ts';
import type { postgresStatements } from './postgres-statements.ts';

/** A removal as the statements take it. */
export interface PostgresRemoval {
  /** In hexadecimal. */
  readonly id: string;
  readonly expect: number | undefined;
}

/** Creates the remover of records: all that come at the same time are one statement, and one commit of the server. Gives whether each was removed. */
export function createRemoveBatches(
  session: PgSession,
  sql: ReturnType<typeof postgresStatements>,
): (removal: PostgresRemoval) => Promise<boolean> {
  return createBatches<PostgresRemoval, boolean>({
    async run(removals) {
      const [first, ...others] = removals;
      const query =
        first && others.length === 0
          ? sql.remove.one(`\\x${first.id}`, first.expect ?? null)
          : sql.remove.many(
              removals.map(({ id }) => `\\x${id}`),
              removals.map(({ expect }) => expect ?? null),
            );
      const removed = new Set((await session.query<{ readonly id: string }>(query)).map(({ id }) => id));
      return removals.map(({ id }) => removed.has(id));
    },
    kindOf: () => 'remove',
    idOf: ({ id }) => id,
    sizeOf: () => 0,
    maxAtOnce: 1,
    // A statement that the server refuses has changed nothing.
    mayDivide: (error) => !isConnectionLoss(error),
  });
}
