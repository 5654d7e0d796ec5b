import type { StatementSync } from 'node:sqlite';
import { statuses } from '../../outcome/index.ts';
import type { CallQuery, CallRows } from '../../ports/index.ts';
import { type ListPlace, toCursor, toSpan } from '../list-span.ts';
import { toRowLimit } from '../row-limits.ts';
import { encodeText } from '../stored-text.ts';
import { isForgotten, type ListRow, toCallState, toListed, UnreadableCall } from './ledger-rows.ts';
import { type LedgerStatements, listOrders } from './ledger-statements.ts';

type Order = keyof typeof listOrders;
type Column = (typeof listOrders)[Order][number];
/** The values that a column may have. */
type Wanted = Partial<Readonly<Record<Column, readonly string[]>>>;

/** A page looks at no more calls than this, so that it takes no long time however few of the calls are wanted: it may be short then. */
const mostLooks = 1_000;
/** The most combinations of values that are each looked up by themselves. */
const mostCombinations = 500;

/** The places of calls in the order of a list, as far as they were looked for. */
interface Found {
  readonly places: readonly ListPlace[];
  /** Whether these are all there are. */
  readonly isAll: boolean;
  /** The filters that the index does not cover. */
  readonly others: readonly Column[];
}

/**
 * Lists calls by an index that names some of what is asked for. Where several values are wanted, the calls of each of them are found by
 * themselves and merged; what the index does not name is looked up call by call.
 */
export function listCalls(sql: LedgerStatements, query: CallQuery, time: number): CallRows {
  const wanted = toWanted(query);
  const limit = toRowLimit(query.limit);
  const { places, isAll, others } = findPlaces(sql, query, wanted, limit);
  const rows: CallRows['rows'][number][] = [];
  let looks = 0;
  while (looks < places.length && rows.length < limit) {
    const place = places[looks] as ListPlace;
    looks += 1;
    const row = sql.rowAt.get(place.seq) as unknown as ListRow;
    const isWanted = !isForgotten(row, time) && others.every((column) => wanted[column]?.includes(row[column] as string));
    const listed = isWanted ? listedOf(row) : undefined;
    if (listed !== undefined) rows.push({ ...toCallState(row, time), ...listed, cursor: toCursor(place) });
  }
  const last = places[looks - 1];
  return { rows, ...(last !== undefined && (looks < places.length || !isAll) && { next: toCursor(last) }) };
}

/** Finds places by the index that names all that is asked for; else by the first one that names few enough calls, or by any. */
function findPlaces(sql: LedgerStatements, query: CallQuery, wanted: Wanted, limit: number): Found {
  let found: Found | undefined;
  for (const { order, combinations } of ordersFor(wanted)) {
    const columns: readonly Column[] = listOrders[order];
    const others = (Object.keys(wanted) as Column[]).filter((column) => !columns.includes(column));
    const most = others.length === 0 ? limit + 1 : Math.max(limit + 1, Math.floor(mostLooks / combinations.length));
    const next = {
      ...merge(
        combinations.map((values) => findIn(sql[order], query, values, most)),
        most,
      ),
      others,
    };
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

/** A call that cannot be read must not hide the others. */
function listedOf(row: ListRow): ReturnType<typeof toListed> | undefined {
  try {
    return toListed(row);
  } catch (error) {
    if (error instanceof UnreadableCall) return undefined;
    throw error;
  }
}

function toWanted({ tool, status, kind, runId, sessionId, callerKey, replayOf }: CallQuery): Wanted {
  const asked: Readonly<Record<Column, readonly (string | undefined)[] | undefined>> = {
    tool,
    status,
    kind,
    run_id: runId === undefined ? undefined : [runId],
    session_id: sessionId === undefined ? undefined : [sessionId],
    caller_key: callerKey === undefined ? undefined : [callerKey],
    replay_of: replayOf === undefined ? undefined : [replayOf],
  };
  return Object.fromEntries(
    Object.entries(asked).flatMap(([column, values]) =>
      values === undefined ? [] : [[column, [...new Set(values.map((value) => encodeText(String(value))))]]],
    ),
  ) as Wanted;
}

/** Gives the orders whose columns are asked for, as far as they lead to few enough combinations of values: those that name most come first. */
function ordersFor(wanted: Wanted): readonly { readonly order: Order; readonly combinations: readonly (readonly string[])[] }[] {
  // All calls have one of a few statuses, so that these stand for all.
  const values: Wanted = { status: allStatuses, ...wanted };
  const fitting = (Object.keys(listOrders) as Order[]).flatMap((order) => {
    const columns: readonly Column[] = listOrders[order];
    const count = columns.reduce((product, column) => product * (values[column]?.length ?? Number.POSITIVE_INFINITY), 1);
    return count <= mostCombinations ? [{ order, columns, combinations: combine(columns.map((column) => values[column] ?? [])) }] : [];
  });
  if (fitting.length === 0) return [{ order: 'byStatus', combinations: combine([allStatuses]) }];
  // An order of which another one names all columns and more would find the same calls and others.
  return fitting.filter(
    ({ columns }, index) => !fitting.slice(0, index).some((one) => columns.every((column) => one.columns.includes(column))),
  );
}

function combine(values: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return values.reduce<string[][]>((rows, next) => rows.flatMap((row) => next.map((value) => [...row, value])), [[]]);
}

function newestFirst(one: ListPlace, other: ListPlace): number {
  return one.at === other.at ? other.seq - one.seq : other.at - one.at;
}

const allStatuses: readonly string[] = ['running', ...statuses.map(String)];
