import { isRecord } from '../../json/index.ts';
import type { RecordQuery, Store, StoredRecord } from '../../ports/index.ts';
import { StoreFault } from './ask-store.ts';

/** Lists all records that a query finds, page by page. Throws where the store does, and where it never comes to an end. */
export async function listAll(list: Store['list'], query: Omit<RecordQuery, 'after' | 'limit'>): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (let after: number | undefined; ; ) {
    const page = await listRecords({ list }, { ...query, after });
    const last = page.at(-1)?.seq;
    if (last === undefined) return all;
    if (!(last > (after ?? Number.NEGATIVE_INFINITY))) throw new StoreFault('the store lists the same records again and again');
    all.push(...page);
    after = last;
  }
}

/** Lists records, and believes the answer only if it is a list of records. Throws where the store does. */
export async function listRecords(store: Pick<Store, 'list'>, query: RecordQuery): Promise<readonly StoredRecord[]> {
  const records = await store.list(query);
  if (Array.isArray(records) && !records.some((record: unknown) => !isRecord(record))) return records;
  throw new StoreFault('the store gave something that is not a list of records');
}
