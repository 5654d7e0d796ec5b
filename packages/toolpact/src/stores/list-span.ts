import { ToolpactError } from '../outcome/index.ts';

/** A place in a list that is in order of time: the moment of a row, and its number where several have the same. */
export interface ListPlace {
  readonly at: number;
  readonly seq: number;
}

/** Which part of a list is asked for: the earliest and the latest moment, both included, and the `next` of the page before. */
export interface AskedSpan {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns the places between which a list looks: from the first one, included, to the second one, left out. */
export function toSpan({ since = 0, until = Number.MAX_VALUE, cursor }: AskedSpan): {
  readonly since: number;
  readonly before: ListPlace;
} {
  const end = { at: until, seq: Number.MAX_SAFE_INTEGER };
  const reached = cursor === undefined ? end : readCursor(cursor);
  return { since, before: reached.at > until ? end : reached };
}

/** Writes a place as the text that leads a query on after it. */
export function toCursor({ at, seq }: ListPlace): string {
  return `${at}_${seq}`;
}

function readCursor(cursor: string): ListPlace {
  const [, at, seq] = /^(\d+(?:\.\d+)?)_(\d+)$/.exec(cursor) ?? [];
  // A database would refuse a number that it cannot hold, and look as if it had failed.
  if (!Number.isFinite(Number(at)) || !Number.isSafeInteger(Number(seq)))
    throw new ToolpactError('invalid_argument', 'a cursor is the `next` of another page', { argument: 'cursor' });
  return { at: Number(at), seq: Number(seq) };
}
