import type { IndexPage, IndexQuery, RecordDraft } from '../../ports/index.ts';
import { type FoundRow, toIndexPage, toSpan } from '../found-rows.ts';
import { toRowLimit } from '../row-limits.ts';
import { decodeText, encodeText, encodeValue } from '../stored-text.ts';
import { recordId, scopeId, termId } from './sqlite-id.ts';
import type { SqliteStatements } from './sqlite-statements.ts';

/** What is written for the index of a record. */
export type IndexValues = readonly [at: number, terms: string, row: string];

/** Finds rows by their label and time, or by the keys of their records. */
export function findRows(sql: SqliteStatements, query: IndexQuery, time: number): IndexPage {
  const scope = scopeId(encodeText(query.space), encodeText(query.tenant));
  if (query.keys !== undefined) {
    const found = query.keys.map((key) => sql.findKey.get(recordId(scope, encodeText(key)), time) as FoundRow | undefined);
    return toIndexPage(
      found.filter((row) => row !== undefined),
      Number.POSITIVE_INFINITY,
      decodeText,
    );
  }
  const [{ since, before }, limit] = [toSpan(query), toRowLimit(query.limit)];
  const rows = sql.find.all(termId(scope, query.label), since, before.at, before.seq, limit, time);
  return toIndexPage(rows as unknown as FoundRow[], limit, decodeText);
}

/** Gives what is written for the index of a record; undefined where it brings none. */
export function toIndex({ space, tenant, index }: RecordDraft): IndexValues | undefined {
  if (index === undefined) return undefined;
  const scope = scopeId(encodeText(space), encodeText(tenant));
  const terms = new Set([undefined, ...index.labels].map((label) => termId(scope, label)));
  return [index.at, JSON.stringify([...terms]), encodeValue(index.row)];
}
