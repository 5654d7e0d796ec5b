import type { NamedStatement } from '../named-statement.ts';
import { isConnectionLoss, type PgSession } from '../pg-session.ts';
import { createBatches } from './batches.ts';

type Values = Readonly<Record<string, unknown>>;

/** How calls write together. */
export interface SharedWriteOptions {
  readonly session: PgSession;
  /** Writes for one; what it gives is not empty where it did. */
  readonly alone: NamedStatement;
  /** Writes for those that it can at once, without waiting for anybody, and gives their places, from 1. */
  readonly many: NamedStatement;
  /** Those with the same name are written one after the other. */
  readonly nameOf: (values: Values) => string;
}

/**
 * Creates a write that calls share: all that come while others are under way are one statement next, and one commit of the server. What is not
 * written together, because somebody has the row, is written alone. Gives whether it was written.
 */
export function createSharedWrite({ session, alone, many, nameOf }: SharedWriteOptions): (values: Values) => Promise<boolean> {
  const writeAlone = async (values: Values): Promise<boolean> => (await session.query(alone(values))).length > 0;
  return createBatches<Values, boolean>({
    async run(items) {
      const [first, ...others] = items;
      if (first === undefined) return [];
      if (others.length === 0) return [await writeAlone(first)];
      const columns = Object.fromEntries(Object.keys(first).map((name) => [name, items.map((values) => values[name])]));
      const places = new Set((await session.query<{ readonly place: number }>(many(columns))).map(({ place }) => place));
      return items.map((values, index) => places.has(index + 1) || writeAlone(values));
    },
    idOf: nameOf,
    sizeOf: (values) => Object.values(values).reduce((size: number, value) => size + (typeof value === 'string' ? value.length : 8), 0),
    maxAtOnce: 2,
    // A statement that the server refuses has changed nothing.
    mayDivide: (error) => !isConnectionLoss(error),
  });
}
