import { ToolpactError } from '../../../core/outcome/index.ts';
import type { IndexPage, Store } from '../../../core/runtime/index.ts';
import { demand } from './journal-records.ts';
import type { CallRow } from './listed-call.ts';

/** A call that an index gave. */
export interface Found extends CallRow {
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

/** Finds calls in an index. Rejects when the store does not answer. */
export async function findIn(store: Store, query: Query): Promise<FoundPage> {
  const { find } = store;
  if (find === undefined) throw new ToolpactError('missing_store', `the store "${store.name}" cannot list calls: it has no \`find\``);
  const { rows, next } = await demand(() => find(query)).catch((error: Error) => {
    // A cursor that is none is the mistake of its author, not of the store.
    throw error.cause instanceof ToolpactError ? error.cause : error;
  });
  return { rows: rows.flatMap(toFound), ...(next !== undefined && { next }) };
}

/** Finds calls that have one of several labels. Each label is looked up by itself, and the pages are put together in order of time. */
export async function findLabelled(
  store: Store,
  query: Query & { readonly limit: number },
  labels?: readonly string[],
): Promise<FoundPage> {
  if (labels === undefined || labels.length === 1) return findIn(store, { ...query, ...(labels && { label: labels[0] }) });
  const reached = readCursors(query.cursor, labels.length);
  const pages = await Promise.all(
    labels.map(async (label, index) =>
      reached[index] === over ? { rows: [] } : findIn(store, { ...query, label, cursor: reached[index] || undefined }),
    ),
  );
  const rows = pages.flatMap((page: FoundPage, label) => page.rows.map((row) => ({ row, label }))).sort((a, b) => byTime(a.row, b.row));
  const taken = rows.slice(0, query.limit).map(({ row, label }) => {
    reached[label] = row.cursor;
    return { ...row, cursor: writeCursors(reached) };
  });
  // Where all of a page was taken, its label goes on behind it.
  const left = new Set(rows.slice(query.limit).map(({ label }) => label));
  const ends = pages.map((page: FoundPage, label) => (left.has(label) ? (reached[label] ?? '') : (page.next ?? over)));
  return { rows: taken, ...(ends.some((end) => end !== over) && { next: writeCursors(ends) }) };
}

/** Stands for a label of which nothing is left; an empty cursor is its beginning. */
const over = '-';

/** A place in several lists is the place in each of them. */
function writeCursors(cursors: readonly string[]): string {
  return cursors.map((cursor) => (cursor === over ? over : encodeURIComponent(cursor))).join(',');
}

function readCursors(cursor: string | undefined, count: number): string[] {
  if (cursor === undefined) return new Array<string>(count).fill('');
  try {
    const cursors = cursor.split(',').map(decodeURIComponent);
    if (cursors.length === count) return cursors;
  } catch {
    // What cannot be decoded was not written here.
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
function toFound({ key, at, row, cursor }: IndexPage['rows'][number]): Found[] {
  const { v, call, owner } = (row ?? {}) as unknown as Partial<CallRow>;
  return v === 1 && typeof call?.id === 'string' ? [{ v, key, at, cursor, call, ...(owner !== undefined && { owner }) }] : [];
}
