import { ToolpactError } from '../../outcome/index.ts';
import type { IndexPage, Store } from '../../ports/index.ts';
import { demand } from './journal-records.ts';
import type { CallRow } from './listed-call.ts';
import type { runningSpace } from './running-calls.ts';

/** Where calls are found: all of a space, or those with a label. */
export interface CallPlace {
  readonly space: 'call' | 'call-end' | typeof runningSpace;
  readonly label?: string;
  /** Looks at the newest calls alone, for those that have not ended. */
  readonly isFresh?: boolean;
}

/** A call that an index gave. */
export interface Found extends CallRow {
  readonly place: CallPlace;
  readonly key: string;
  /** When it began, in epoch milliseconds. */
  readonly at: number;
  readonly cursor: string;
}

/** A page of calls, newest first. */
export interface FoundPage {
  readonly rows: readonly Found[];
  readonly next?: string;
}

type Query = Parameters<NonNullable<Store['find']>>[0];

/** Finds calls at one place. Rejects when the store does not answer. */
async function findIn(store: Store, query: Query & CallPlace): Promise<FoundPage> {
  const { find } = store;
  if (find === undefined) throw new ToolpactError('missing_store', `the store "${store.name}" cannot list calls: it has no \`find\``);
  const { rows, next } = await demand(() => find(query)).catch((error: Error) => {
    // An invalid cursor is a mistake of the caller, not of the store.
    throw error.cause instanceof ToolpactError ? error.cause : error;
  });
  const { space, label } = query;
  const place = { space, ...(label !== undefined && { label }) };
  return { rows: rows.flatMap((row) => toFound(row, place)), ...(next !== undefined && { next }) };
}

/** Finds calls that are at one of several places. Each place is looked at by itself, and the pages are put together in order of time. */
export async function findAmong(
  store: Store,
  query: Omit<Query, 'space' | 'label'> & { readonly limit: number },
  places: readonly CallPlace[],
): Promise<FoundPage> {
  const [only] = places;
  if (only !== undefined && places.length === 1) return findIn(store, { ...query, ...only });
  const { reached, until, listed } = readCursors(query, places.length);
  const findAt = async (place: CallPlace, index: number): Promise<FoundPage> => {
    if (reached[index] === over) return { rows: [] };
    if (place.isFresh) return findFresh(store, query, place, until);
    return findIn(store, { ...query, ...place, until, cursor: reached[index] || undefined });
  };
  // The ends last: a call that ends meanwhile is then found twice, not missed.
  const begun = await Promise.all(places.map(async (place, index) => (place.space === 'call-end' ? undefined : findAt(place, index))));
  const pages = await Promise.all(places.map(async (place, index) => begun[index] ?? findAt(place, index)));
  const known = new Set(listed);
  const inOrder = pages.flatMap((page, index) => page.rows.map((row) => ({ row, index }))).sort((a, b) => byTime(a.row, b.row));
  const rows = inOrder.filter(({ row: { key } }) => !known.has(key) && known.add(key));
  let frontier: Frontier = { at: until, listed };
  const taken = rows.slice(0, query.limit).map(({ row, index }) => {
    reached[index] = row.cursor;
    frontier = moveTo(row, frontier);
    return { ...row, cursor: writeCursors(frontier, reached) };
  });
  // An index whose page was used up goes on after that page.
  const left = new Set(rows.slice(query.limit).map(({ index }) => index));
  const ends = pages.map((page, index) => (left.has(index) ? (reached[index] ?? '') : (page.next ?? over)));
  return { rows: taken, ...(ends.some((end) => end !== over) && { next: writeCursors(frontier, ends) }) };
}

/** Calls that have begun just now are not kept among those that run yet. */
async function findFresh(
  store: Store,
  { tenant, since, until }: Pick<Query, 'tenant' | 'since' | 'until'>,
  place: CallPlace,
  frontier = Number.POSITIVE_INFINITY,
): Promise<FoundPage> {
  const { rows } = await findIn(store, { ...place, tenant, since, until, limit: maxFresh });
  const ends = await findEnds(store, tenant, rows);
  return { rows: rows.flatMap((row) => (ends.has(row.key) || row.at > frontier ? [] : [{ ...row, place }])) };
}

/** How many of the newest calls are searched for those that have just begun. */
const maxFresh = 200;

/** Finds how calls of one place have ended, by their keys. */
export async function findEnds(store: Store, tenant: string, begun: readonly Found[]): Promise<ReadonlyMap<string, CallRow['call']>> {
  const [first, last] = [begun.at(-1), begun[0]];
  if (first === undefined || last === undefined) return new Map();
  const space = 'call-end';
  // The ends of calls that follow each other lie together in the index; one by one each would be a page of the database of its own.
  const isGapless = first.place.space === 'call' && first.place.label === undefined;
  const span = { since: first.at, until: last.at, limit: begun.length + 10 };
  const near = isGapless ? (await findIn(store, { space, tenant, ...span })).rows : [];
  const known = new Set(near.map(({ key }) => key));
  const keys = begun.flatMap(({ key }) => (known.has(key) ? [] : [key]));
  const others = keys.length === 0 ? [] : (await findIn(store, { space, tenant, keys })).rows;
  return new Map([...near, ...others].map(({ key, call }) => [key, call]));
}

/** Stands for a place of which nothing is left; an empty cursor is its beginning. */
const over = '-';

/** When the call that was listed last began, and which of that moment were listed while they ran: they are found elsewhere when they end. */
interface Frontier {
  readonly at: number | undefined;
  readonly listed: readonly string[];
}

function moveTo({ at, key, place }: Found, frontier: Frontier): Frontier {
  const listed = at === frontier.at ? frontier.listed : [];
  return { at, listed: place.space === 'call-end' ? listed : [...listed, key] };
}

/** A place in several lists: how far all of them were listed, and how far each was read. */
function writeCursors({ at, listed }: Frontier, cursors: readonly string[]): string {
  const places = cursors.map((cursor) => (cursor === over ? over : encodeURIComponent(cursor)));
  return [at ?? '', listed.map(encodeURIComponent).join('!'), ...places].join(',');
}

function readCursors(
  { cursor, until }: Pick<Query, 'cursor' | 'until'>,
  count: number,
): { reached: string[]; until: number | undefined; listed: string[] } {
  if (cursor === undefined) return { reached: new Array<string>(count).fill(''), until, listed: [] };
  try {
    const [at = '', listed = '', ...reached] = cursor.split(',');
    if (/^(\d+(\.\d+)?)?$/.test(at) && Number.isFinite(Number(at)) && reached.length === count)
      return {
        reached: reached.map(decodeURIComponent),
        until: at === '' ? until : Math.min(Number(at), until ?? Number(at)),
        listed: listed.split('!').map(decodeURIComponent),
      };
  } catch {
    // A cursor that cannot be decoded was not made here.
  }
  throw new ToolpactError('invalid_argument', 'a cursor is the `next` of another page', { argument: 'cursor' });
}

/** Newest first. Of calls that began in the same millisecond, stores number the later one higher. */
function byTime(a: Found, b: Found): number {
  return b.at - a.at || numberOf(b) - numberOf(a);
}

function numberOf({ cursor }: Found): number {
  return Number(/\d+$/.exec(cursor)?.[0] ?? 0);
}

/** Believes a row only if it holds a call. */
function toFound({ key, at, row, cursor }: IndexPage['rows'][number], place: CallPlace): Found[] {
  const { v, call, owner } = (row ?? {}) as unknown as Partial<CallRow>;
  return v === 1 && typeof call?.id === 'string' ? [{ v, place, key, at, cursor, call, ...(owner !== undefined && { owner }) }] : [];
}
