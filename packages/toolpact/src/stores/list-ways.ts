import { statuses } from '../outcome/index.ts';
import type { CallQuery } from '../ports/index.ts';

/** The columns that filter lists of calls, besides time. */
export const listColumns = ['tool', 'status', 'kind', 'run_id', 'session_id', 'caller_key', 'replay_of'] as const;

export type ListColumn = (typeof listColumns)[number];

/** The indexes in whose order a store lists calls, and the columns that each begins with; those that name most come first. */
type ListOrders<TOrder extends string> = Readonly<Record<TOrder, readonly ListColumn[]>>;

/** A page looks at no more calls than this, so that it takes no long time however few of the calls are wanted: it may be short then. */
const mostLooks = 1_000;
/** The most combinations of values that are each looked up by themselves. */
const mostCombinations = 500;

/** One way to read a page. */
export interface ListWay<TOrder extends string> {
  readonly order: TOrder;
  /** How many places are looked up for each combination of what the order names. */
  readonly most: number;
}

/** The values that each column may have; null where any will do. */
export type ListWanted = Readonly<Record<ListColumn, readonly string[] | null>>;

/** Reads what is asked for, as the columns hold it. */
export function toWanted(query: CallQuery, encode: (text: string) => string): ListWanted {
  const { tool, status, kind, runId, sessionId, callerKey, replayOf } = query;
  const named = (values: readonly (string | undefined)[] | undefined): readonly string[] | null =>
    values === undefined ? null : [...new Set(values)].map((value) => encode(String(value)));
  const one = (value: string | undefined) => named(value === undefined ? undefined : [value]);
  return {
    tool: named(tool),
    status: named(status),
    kind: named(kind),
    run_id: one(runId),
    session_id: one(sessionId),
    caller_key: one(callerKey),
    replay_of: one(replayOf),
  };
}

/**
 * Returns the ways to read a page of so many calls: the first one that looks at all it has to is right. An order that says nothing of a status finds
 * the calls of each of them.
 */
export function listWays<TOrder extends string>(orders: ListOrders<TOrder>, wanted: ListWanted, limit: number): readonly ListWay<TOrder>[] {
  const ways = (Object.keys(orders) as TOrder[]).flatMap((order): ListWay<TOrder>[] => {
    const count = orders[order].reduce((product, column) => product * (valuesOf(wanted, column)?.length ?? Number.POSITIVE_INFINITY), 1);
    if (count > mostCombinations) return [];
    const isWhole = listColumns.every((column) => wanted[column] === null || orders[order].includes(column));
    return [{ order, most: isWhole ? limit : Math.max(limit, Math.floor(mostLooks / Math.max(1, count))) }];
  });
  // An order of which another one names all columns and more would find the same calls and others.
  const isNamed = ({ order }: ListWay<TOrder>, index: number): boolean =>
    !ways.slice(0, index).some((way) => orders[order].every((column) => orders[way.order].includes(column)));
  const chosen = ways.filter((way, index) => isNamed(way, index) && (way.order !== 'byStatus' || wanted.status !== null));
  return chosen.length === 0 ? ways.slice(-1) : chosen;
}

/** Returns the values that are looked up for a column that an order names. All calls have one of a few statuses, so that these stand for all. */
export function valuesOf(wanted: ListWanted, column: ListColumn): readonly string[] | null {
  return wanted[column] ?? (column === 'status' ? allStatuses : null);
}

const allStatuses: readonly string[] = ['running', ...statuses.map(String)];
