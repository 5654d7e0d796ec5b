import { createBatches } from '../batches.ts';
import { isConnectionLoss, type PgSession } from './pg-session.ts';
import type { postgresStatements } from './postgres-statements.ts';

/** An entry of a log as the statements take it. */
export interface PostgresLogEntry {
  /** In hexadecimal. */
  readonly log: string;
  readonly name: string;
  readonly value: string;
  readonly expires_at: number;
}

/** Creates the writer of entries: all that come at the same time are one statement, and one commit of the server. */
export function createLogBatches(
  session: PgSession,
  sql: ReturnType<typeof postgresStatements>,
  retentionMs: number | undefined,
): (entry: PostgresLogEntry) => Promise<void> {
  return createBatches<PostgresLogEntry, void>({
    async run(entries) {
      const [first, ...others] = entries;
      const columns = [
        entries.map(({ log }) => log),
        entries.map(({ name }) => name),
        entries.map(({ value }) => value),
        entries.map(({ expires_at }) => expires_at),
      ];
      const written =
        first && others.length === 0
          ? sql.writeLog.one(first.log, first.name, first.value, first.expires_at, retentionMs ?? null)
          : sql.writeLog.many(...columns, retentionMs ?? null);
      await session.query(written);
      return [];
    },
    kindOf: () => 'log',
    idOf: ({ log, name }) => `${log} ${name}`,
    sizeOf: ({ value }) => value.length,
    maxAtOnce: 1,
    // A statement that the server refuses has changed nothing.
    mayDivide: (error) => !isConnectionLoss(error),
  });
}
