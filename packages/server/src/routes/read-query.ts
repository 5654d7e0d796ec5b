import type { RequestHead } from '../request/request-head.ts';

/** Reads a field of the query of a request. */
export function readQuery({ search }: RequestHead, name: string): string | undefined {
  return search === '' ? undefined : (new URLSearchParams(search).get(name) ?? undefined);
}

/** Reads all values of a field of the query of a request; undefined where there is none. */
export function readQueries({ search }: RequestHead, name: string): readonly string[] | undefined {
  const values = search === '' ? [] : new URLSearchParams(search).getAll(name).filter((value) => value !== '');
  return values.length === 0 ? undefined : values;
}

/** Reads a count from a query; undefined when it is none. */
export function readCount(head: RequestHead, name: string, fallback: number, least: number): number | undefined {
  const given = readQuery(head, name);
  if (given === undefined || given === '') return fallback;
  const count = Number(given);
  return /^\d{1,9}$/.test(given) && count >= least ? count : undefined;
}
