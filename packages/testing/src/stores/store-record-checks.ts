import type { PutResult } from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';
import { defineStoreCheck, isWritten } from './store-check.ts';

const minute = 60_000;

/** Promises about one record. */
export const storeRecordChecks = [
  defineStoreCheck({
    id: 'store/reads-what-was-written',
    requirement: 'A record is read back as it was written, with its version; one that was never written is undefined.',
    async *run({ store, at, draft }) {
      const missing = await store.get(at('missing'));
      if (missing !== undefined) yield { message: 'it gives a record that was never written', evidence: missing };
      const full = draft('a', { value: { v: 1, n: [1.5, null, 'x'] }, keepMs: minute });
      for (const record of [full, draft('b')]) {
        const { keepMs, ...written } = record;
        const put = await store.put(record);
        const read = await store.get(record);
        const { leftMs, ...rest } = read ?? {};
        const isLeft = keepMs === undefined ? leftMs === undefined : Number(leftMs) > keepMs / 2 && Number(leftMs) <= keepMs;
        if (!isWritten(put, 1)) yield { message: 'the first write is not version 1', evidence: put };
        if (!isLeft || !isSame(rest, { ...written, version: 1 }))
          yield { message: 'it does not give back what was written', evidence: { record, read } };
      }
      await store.put({ ...at('a'), value: 'plain' });
      const second = await store.get(at('a'));
      if (!isSame(second, { ...at('a'), value: 'plain', version: 2 }))
        yield { message: 'a second write does not replace the whole record', evidence: second };
    },
  }),
  defineStoreCheck({
    id: 'store/expects-versions',
    requirement: 'A write that expects another version changes nothing and gets the record that is there.',
    async *run({ store, at, draft }) {
      const absent = await store.put(draft('a', { value: 'too early' }), 1);
      if (absent.ok || absent.current !== undefined || (await store.get(at('a'))))
        yield { message: 'it writes over a version that does not exist', evidence: absent };
      const steps: readonly (readonly [value: string, expect: number | undefined, version: number | undefined])[] = [
        ['first', 0, 1],
        ['refused', 0, undefined],
        ['refused', 2, undefined],
        ['second', 1, 2],
        ['refused', 1, undefined],
        ['third', undefined, 3],
        ['fourth', 3, 4],
      ];
      let last = '';
      for (const [value, expect, version] of steps) {
        const result = await store.put(draft('b', { value }), expect);
        const wanted = version === undefined ? !result.ok && result.current?.value === last : isWritten(result, version);
        if (version !== undefined) last = value;
        if (!wanted) yield { message: `put ${value} that expects ${expect} is answered wrongly`, evidence: result };
        const read = await store.get(at('b'));
        if (read?.value !== last) yield { message: `after put ${value} that expects ${expect} something else is stored`, evidence: read };
      }
    },
  }),
  defineStoreCheck({
    id: 'store/one-winner',
    requirement: 'Of many writers that expect the same version exactly one succeeds, and the others get its record.',
    async *run({ store, at, draft, reopen }) {
      // A store that is not durable cannot be opened twice.
      const stores = store.durable ? [store, await reopen()] : [store];
      for (const expect of [0, 1, 2]) {
        const results: PutResult[] = await Promise.all(
          Array.from({ length: 40 }, async (_, writer) =>
            (stores[writer % stores.length] ?? store).put(draft('contested', { value: { expect, writer } }), expect),
          ),
        );
        const winners = results.flatMap((result, writer) => (result.ok ? [writer] : []));
        if (winners.length !== 1) yield { message: `${winners.length} of 40 writers that expect ${expect} succeed`, evidence: winners };
        const stored = await store.get(at('contested'));
        if (!isSame(stored?.value, { expect, writer: winners[0] }))
          yield { message: 'what is stored is not what the winner wrote', evidence: stored };
        const misled = results.filter((result) => !result.ok && !isSame(result.current, stored));
        if (misled.length > 0) yield { message: 'a loser does not get the record of the winner', evidence: misled[0] };
      }
      // Stores may write many records together, so each must be decided by itself.
      for (const [expect, keys] of [
        [0, 20],
        [0, 30],
        [1, 30],
      ] as const) {
        const results = await Promise.all(
          Array.from({ length: keys * 2 }, async (_, index) => {
            const key = `one of many ${index % keys}`;
            const result = await (stores[index % stores.length] ?? store).put(draft(key, { value: index }), expect);
            return result.ok ? [key] : [];
          }),
        );
        const won = results.flat();
        const wanted = expect === 0 && keys === 30 ? 10 : keys;
        if (won.length !== wanted || new Set(won).size !== wanted)
          yield { message: `${won.length} of ${keys * 2} writers for ${wanted} records succeed`, evidence: won };
      }
    },
  }),
  defineStoreCheck({
    id: 'store/expires',
    requirement: 'A record is there until it expires, and then it is nowhere: not read, not removed, not expected.',
    async *run({ store, at, draft, wait }) {
      await store.put(draft('a', { keepMs: minute }));
      if (!(await store.get(at('a')))) yield { message: 'a record is gone before it expires' };
      await store.put(draft('a', { keepMs: 10 }));
      await store.put(draft('b', { keepMs: 0 }));
      await wait(40);
      for (const key of ['a', 'b']) {
        if (await store.get(at(key))) yield { message: 'an expired record is still read' };
        const result = await store.put(draft(key), 1);
        if (result.ok || result.current) yield { message: 'an expired record still has a version', evidence: result };
        if (await store.remove(at(key))) yield { message: 'it removes an expired record' };
      }
    },
  }),
  defineStoreCheck({
    id: 'store/starts-anew',
    requirement: 'A record that was removed or has expired starts again at version 1, for writers that expect none.',
    async *run({ store, at, draft, wait }) {
      for (const [key, expect] of [
        ['removed', 0],
        ['removed twice', undefined],
        ['expired', 0],
        ['expired twice', undefined],
      ] as const) {
        await store.put(draft(key));
        await store.put(draft(key, key.startsWith('expired') ? { keepMs: 5 } : {}));
        if (key.startsWith('removed')) await store.remove(at(key));
        else await wait(30);
        const result = await store.put(draft(key), expect);
        if (!isWritten(result, 1))
          yield { message: `a record that is written again after it was ${key} is not version 1`, evidence: result };
      }
    },
  }),
  defineStoreCheck({
    id: 'store/removes',
    requirement: 'A record is removed if it has the expected version, and the answer says whether it was.',
    async *run({ store, at, draft }) {
      if (await store.remove(at('a'))) yield { message: 'it claims to remove what is not there' };
      await store.put(draft('a'));
      for (const expect of [2, 0])
        if ((await store.remove(at('a'), expect)) || !(await store.get(at('a'))))
          yield { message: 'it removes another version than expected' };
      for (const expect of [1, undefined]) {
        await store.put(draft('a'));
        const version = (await store.get(at('a')))?.version;
        const removed = await store.remove(at('a'), expect === undefined ? undefined : version);
        if (!removed || (await store.get(at('a')))) yield { message: 'it does not remove a record', evidence: { expect, removed } };
      }
      await store.put(draft('b'));
      const removals = await Promise.all(Array.from({ length: 10 }, async () => store.remove(at('b'), 1)));
      if (removals.filter(Boolean).length !== 1) yield { message: 'not exactly one of many that remove a record does', evidence: removals };
    },
  }),
];
