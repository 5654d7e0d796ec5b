import type { IndexPage, IndexQuery, RecordIndex, Store } from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';
import { defineStoreCheck } from './store-check.ts';

const maxPages = 100;

/** Promises of a store that finds records by labels; one without `find` passes. */
export const storeIndexChecks = [
  defineStoreCheck({
    id: 'store/finds',
    requirement: 'Records are found by label and span of time, the latest first, page by page, also while others are written.',
    async *run({ store, draft, tenant }) {
      if (store.find === undefined) return;
      const index = (number: number): RecordIndex => ({
        at: 1000 + Math.floor(number / 2),
        labels: [number % 3 === 0 ? 'third' : 'other', `n${number}`],
        row: { number },
      });
      // Not in the order of time: the order of writing decides only between records of the same moment.
      const numbers = [...Array(12).keys()].map((number) => (number + 6) % 12);
      for (const number of numbers) await store.put(draft(`k${number}`, { index: index(number), value: 'x'.repeat(1000) }));
      await store.put(draft('unindexed'));
      const latestFirst = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
      const query = { space: 'check', tenant };
      const cases: readonly (readonly [what: string, query: Partial<IndexQuery>, numbers: readonly number[]])[] = [
        ['all', {}, latestFirst],
        ['a label', { label: 'third' }, [9, 6, 3, 0]],
        ['a span of time', { since: 1001, until: 1003 }, [7, 6, 5, 4, 3, 2]],
        ['a label and a span', { label: 'other', since: 1002, until: 1002 }, [5, 4]],
        ['a label that no record has', { label: 'thir' }, []],
      ];
      for (const [what, more, wanted] of cases) {
        for (const limit of [100, 3, 1]) {
          const found = await findAll(store, { ...query, ...more, limit });
          if (!isSame(numbersOf(found), wanted)) yield { message: `${what} is not found by ${limit}`, evidence: found };
        }
      }
      const first = await store.find({ ...query, limit: 5 });
      await store.put(draft('newer', { index: { at: 5000, labels: [], row: { number: 99 } } }));
      const rest = await findAll(store, { ...query, limit: 5, cursor: first.next });
      const second = await findAll(store, { ...query, cursor: first.rows[1]?.cursor });
      if (!isSame(numbersOf(second), latestFirst.slice(2))) yield { message: 'it does not go on after a row', evidence: second };
      if (!isSame(numbersOf([...first.rows, ...rest]), latestFirst))
        yield { message: 'a page moves when others are written', evidence: rest };
      const some = await store.find({ ...query, keys: ['k3', 'missing', 'unindexed', 'k0'] });
      const known = some.rows.map(({ key, at, row }) => ({ key, at, row })).sort((a, b) => a.at - b.at);
      if (!isSame(known, [rowOf('k0', 1000, 0), rowOf('k3', 1001, 3)])) yield { message: 'keys do not give their rows', evidence: some };
    },
  }),
  defineStoreCheck({
    id: 'store/finds-what-is-there',
    requirement:
      'A write replaces what a record is found by, or keeps it where it brings none; records that are removed or expired are not found.',
    async *run({ store, draft, at, tenant, now, wait }) {
      if (store.find === undefined) return;
      const query = { space: 'check', tenant };
      const index = (label: string, number: number): RecordIndex => ({ at: 1000, labels: [label], row: { number } });
      const found = async (label?: string) => numbersOf(await findAll(store, { ...query, label }));
      await store.put(draft('moved', { index: index('before', 1) }), 0);
      await store.put(draft('moved', { index: index('after', 2) }), 1);
      if (!isSame([await found('before'), await found('after'), await found()], [[], [2], [2]]))
        yield { message: 'a record is found by what it had before', evidence: await findAll(store, query) };
      await store.put(draft('moved', { value: 'new' }), 2);
      await store.put(draft('moved', { value: 'newer' }));
      if (!isSame(await found('after'), [2])) yield { message: 'a write without an index loses the one before' };
      await store.put(draft('moved', { index: index('lost', 3) }), 1);
      if (!isSame(await found('lost'), [])) yield { message: 'a refused write changes what a record is found by' };
      await store.remove(at('moved'));
      if (!isSame(await found(), [])) yield { message: 'a removed record is found', evidence: await findAll(store, query) };
      await store.put(draft('brief', { index: index('brief', 4), expiresAt: now() + 15 }));
      await wait(50);
      if (!isSame(await found('brief'), [])) yield { message: 'an expired record is found' };
      await store.put(draft('brief'), 0);
      if (!isSame(await found('brief'), [])) yield { message: 'a new record is found by what an expired one had' };
      await store.put(draft('stays', { index: index('stays', 5) }));
      const other = await store.find({ ...query, tenant: `${tenant}b` });
      if (other.rows.length > 0) yield { message: 'it finds the records of another tenant', evidence: other };
    },
  }),
];

async function findAll(store: Store, query: IndexQuery): Promise<IndexPage['rows']> {
  const rows: IndexPage['rows'][number][] = [];
  let { cursor } = query;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await store.find?.({ ...query, cursor });
    rows.push(...(page?.rows ?? []));
    cursor = page?.next;
    if (cursor === undefined) break;
  }
  return rows;
}

function rowOf(key: string, at: number, number: number): Omit<IndexPage['rows'][number], 'cursor'> {
  return { key, at, row: { number } };
}

function numbersOf(rows: IndexPage['rows']): unknown[] {
  return rows.map(({ row }) => (row as { readonly number?: unknown } | null)?.number);
}
