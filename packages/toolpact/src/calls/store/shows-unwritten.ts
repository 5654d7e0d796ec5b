import { showsRefusal } from '../../classify/index.ts';

/** Result codes of SQLite with which nothing was written: busy, locked, read-only, full, a constraint. */
const refusedBySqlite: ReadonlySet<number> = new Set([5, 6, 8, 13, 19]);
/** Classes of SQLSTATE with which PostgreSQL refuses a statement, and undoes what it did. */
const refusedByPostgres = /^(22|23|25|28|42|53|54|55)[0-9A-Z]{3}$/;

/** Checks whether what a store threw shows that it has written nothing: it was not reached, or its database refused the statement. */
export function showsUnwritten(thrown: unknown): boolean {
  if (showsRefusal('unreachable', thrown)) return true;
  const { code, errcode } = (thrown ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  // The lowest byte of a result code says what it is about, the rest more about why.
  if (code === 'ERR_SQLITE_ERROR') return refusedBySqlite.has(Number(errcode) & 0xff);
  return typeof code === 'string' && refusedByPostgres.test(code);
}
