import type { StatementSync } from 'node:sqlite';
import type { CallQuery, CallRows } from '../../ports/index.ts';
import { type ListPlace, toCursor, toSpan } from '../list-span.ts';
import { type ListColumn, type ListWanted, listColumns, listWays, toWanted, valuesOf } from '../list-ways.ts';
import { toRowLimit } from '../row-limits.ts';
import { encodeText } from '../stored-text.ts';
import { ifReadable, isForgotten, type ListRow, toCallState, toListed } from './ledger-rows.ts';
import { type LedgerStatements, listOrders } from './ledger-statements.ts';

/** The places of calls in the order of a list, as far as they were looked for. */
interface Found {
  readonly places: readonly ListPlace[];
  /** Whether these are all there are. */
  readonly isAll: boolean;
  /** The filters that the index does not cover. */
  readonly others: readonly ListColumn[];
}

/**
 * Lists calls by an index that names some of what is asked for. Where several values are wanted, the calls of each of them are found by
 * themselves and merged; what the index does not name is looked up call by call.
 */
export function listCalls(sql: LedgerStatements, query: CallQuery, time: number): CallRows {
  const wanted = toWanted(query, encodeText);
  const limit = toRowLimit(query.limit);
  const { places, isAll, others } = findPlaces(sql, query, wanted, limit);
  const rows: CallRows['rows'][number][] = [];
  let looks = 0;
  while (looks < places.length && rows.length < limit) {
    const place = places[looks] as ListPlace;
    looks += 1;
    const row = sql.rowAt.get(place.seq) as unknown as ListRow;
    const isWanted = !isForgotten(row, time) && others.every((column) => wanted[column]?.includes(row[column] as string));
    const listed = isWanted ? ifReadable(() => toListed(row)) : undefined;
    if (listed !== undefined) rows.push({ ...toCallState(row, time), ...listed, cursor: toCursor(place) });
  }
  const last = places[looks - 1];
  return { rows, ...(last !== undefined && (looks < places.length || !isAll) && { next: toCursor(last) }) };
}

/** Finds places by the index that names all that is asked for; else by the first one that names few enough calls, or by any. */
function findPlaces(sql: LedgerStatements, query: CallQuery, wanted: ListWanted, limit: number): Found {
  let found: Found | undefined;
  for (const { order, most } of listWays(listOrders, wanted, limit + 1)) {
    const columns: readonly ListColumn[] = listOrders[order];
    const others = listColumns.filter((column) => wanted[column] !== null && !columns.includes(column));
    const combinations = combine(columns.map((column) => valuesOf(wanted, column) ?? []));
    const places = combinations.map((values) => findIn(sql[order], query, values, most));
    const next = { ...merge(places, most), others };
    if (others.length === 0 || next.isAll) return next;
    found ??= next;
  }
  return found as Found;
}

function findIn(statement: StatementSync, query: CallQuery, values: readonly string[], most: number): readonly ListPlace[] {
  const { since, before } = toSpan(query);
  return statement.all(encodeText(query.tenant), ...values, since, before.at, before.seq, most) as unknown as readonly ListPlace[];
}

/** Merges places of several orders, of each of which at most so many were looked for. */
function merge(found: readonly (readonly ListPlace[])[], most: number): Pick<Found, 'places' | 'isAll'> {
  // Where not all of one has been found, calls that began before its last one may belong between those of others.
  const ends = found.flatMap((places) => (places.length < most ? [] : [places.at(-1) as ListPlace]));
  const end = ends.sort(newestFirst)[0];
  const places = found.flat().filter((place) => end === undefined || newestFirst(place, end) <= 0);
  return { places: places.sort(newestFirst), isAll: end === undefined };
}

function combine(values: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return values.reduce<string[][]>((rows, next) => rows.flatMap((row) => next.map((value) => [...row, value])), [[]]);
}

function newestFirst(one: ListPlace, other: ListPlace): number {
  return one.at === other.at ? other.seq - one.seq : other.at - one.at;
}
