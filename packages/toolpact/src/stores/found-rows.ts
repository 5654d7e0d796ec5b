import { ToolpactError } from '../outcome/index.ts';
import type { IndexPage, IndexQuery } from '../ports/index.ts';

/** A place in the order of `find`: the moment of a record, and its number where several have the same. */
export interface IndexPlace {
  readonly at: number;
  readonly seq: number;
}

/** A row of an index as a database holds it; one whose record has expired or is gone has no key. */
export interface FoundRow extends IndexPlace {
  readonly key: string | null;
  readonly row: string | null;
}

/** Gives the places between which `find` looks: from the first one, included, to the second one, left out. */
export function toSpan({ since = 0, until = Number.MAX_VALUE, cursor }: Pick<IndexQuery, 'since' | 'until' | 'cursor'>): {
  readonly since: number;
  readonly before: IndexPlace;
} {
  const end = { at: until, seq: Number.MAX_SAFE_INTEGER };
  const reached = cursor === undefined ? end : readCursor(cursor);
  return { since, before: reached.at > until ? end : reached };
}

/** Makes a page of what was found. Where as many were found as asked for, more may follow. */
export function toIndexPage(found: readonly FoundRow[], limit: number, decodeKey: (key: string) => string): IndexPage {
  const last = found.at(-1);
  return {
    rows: found.flatMap(({ key, at, seq, row }) =>
      key === null || row === null ? [] : [{ key: decodeKey(key), at, row: JSON.parse(row), cursor: toCursor({ at, seq }) }],
    ),
    ...(last !== undefined && found.length >= limit && { next: toCursor(last) }),
  };
}

/** Writes a place as the text that leads a query on after it. */
export function toCursor({ at, seq }: IndexPlace): string {
  return `${at}_${seq}`;
}

function readCursor(cursor: string): IndexPlace {
  const [, at, seq] = /^(\d+(?:\.\d+)?)_(\d+)$/.exec(cursor) ?? [];
  // A database would refuse a number that it cannot hold, and look as if it had failed.
  if (!Number.isFinite(Number(at)) || !Number.isSafeInteger(Number(seq)))
    throw new ToolpactError('invalid_argument', 'a cursor is the `next` of another page', { argument: 'cursor' });
  return { at: Number(at), seq: Number(seq) };
}
