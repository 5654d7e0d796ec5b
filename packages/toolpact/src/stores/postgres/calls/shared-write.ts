import type { NamedStatement } from '../named-statement.ts';
import { isRefusal, type PgSession } from '../pg-session.ts';
import { createBatches } from './batches.ts';

type Values = Readonly<Record<string, unknown>>;

/** How calls write together. */
export interface SharedWriteOptions {
  readonly session: PgSession;
  /** Writes for one; what it gives is not empty where it did. */
  readonly alone: NamedStatement;
  /** Writes for those that it can, and gives their places, from 1. */
  readonly many: NamedStatement;
  /** Whether those are skipped whose rows somebody has: these are then written alone. */
  readonly skips: boolean;
  /** Those with the same name are written one after the other. */
  readonly nameOf: (values: Values) => string;
}

/**
 * Creates a write that calls share: all that come while others are under way are one statement next, and one commit of the server. Gives whether
 * it was written.
 */
export function createSharedWrite({ session, alone, many, skips, nameOf }: SharedWriteOptions): (values: Values) => Promise<boolean> {
  const writeAlone = async (values: Values): Promise<boolean> => (await session.query(alone(values))).length > 0;
  return createBatches<Values, boolean>({
    async run(items) {
      const [first, ...others] = items;
      if (first === undefined) return [];
      if (others.length === 0) return [await writeAlone(first)];
      const places = new Set((await session.query<{ readonly place: number }>(many(columnsOf(items)))).map(({ place }) => place));
      return items.map((values, index) => places.has(index + 1) || (skips && writeAlone(values)));
    },
    idOf: nameOf,
    sizeOf,
    // A statement that the server refuses has changed nothing.
    mayDivide: isRefusal,
  });
}

/** How calls read together. */
export interface SharedReadOptions extends Pick<SharedWriteOptions, 'session' | 'alone' | 'nameOf'> {
  /** Returns the rows of all, each with the place of the one that it is for, from 1. */
  readonly many: NamedStatement;
}

/** Creates a read that calls share: all that come while others are under way are one statement next. */
export function createSharedRead<TRow>({ session, alone, many, nameOf }: SharedReadOptions): (values: Values) => Promise<readonly TRow[]> {
  return createBatches<Values, readonly TRow[]>({
    async run(items) {
      const [first, ...others] = items;
      if (first === undefined) return [];
      if (others.length === 0) return [await session.query<TRow>(alone(first), true)];
      const byPlace = Map.groupBy(
        await session.query<TRow & { readonly place: number }>(many(columnsOf(items)), true),
        ({ place }) => place,
      );
      return items.map((_, index) => byPlace.get(index + 1) ?? []);
    },
    idOf: nameOf,
    sizeOf,
    mayDivide: isRefusal,
  });
}

/** Returns the values of all by their names. */
function columnsOf(items: readonly Values[]): Values {
  return Object.fromEntries(Object.keys(items[0] ?? {}).map((name) => [name, items.map((values) => values[name])]));
}

function sizeOf(values: Values): number {
  return Object.values(values).reduce<number>((size, value) => size + (typeof value === 'string' ? value.length : 8), 0);
}
