import { isSame } from '../lost-paths.ts';
import { hostileTexts, hostileValues } from './hostile-records.ts';
import { defineStoreCheck, isWritten, settle } from './store-check.ts';

const minute = 60_000;

/** Promises that hold whatever is stored, and over the life of a store. */
export const storeContentChecks = [
  defineStoreCheck({
    id: 'store/any-text',
    requirement: 'Any text can be a key, a tenant or a space, and no two are taken for each other.',
    async *run({ store, tenant, at, draft }) {
      for (const [index, [title, text]] of hostileTexts.entries()) {
        for (const place of [at(text), { ...at('k'), tenant: tenant + text }, at('k', `check ${text}`)]) {
          const record = { ...place, value: index };
          const result = await store.put(record, 0);
          if (!isWritten(result, 1)) yield { message: `${title} is taken for something else`, evidence: result };
          if (!isSame(await store.get(place), { ...record, version: 1 })) yield { message: `${title} is not given back as it was` };
          if ((await store.add(place, index + 1, minute)).count !== index + 1)
            yield { message: `a counter for ${title} counts for another` };
        }
      }
      await store.put(draft('last'));
      for (const [title, text] of hostileTexts) if (!(await store.remove(at(text), 1))) yield { message: `${title} cannot be removed` };
    },
  }),
  defineStoreCheck({
    id: 'store/any-value',
    requirement: 'Any JSON value is given back as it was, also a large one.',
    async *run({ store, at, draft }) {
      for (const [title, make] of hostileValues) {
        const value = make();
        await store.put(draft(title, { value }));
        const read = (await store.get(at(title)))?.value;
        // As text, because a key such as __proto__ hides from most comparisons.
        if (JSON.stringify(read) !== JSON.stringify(value)) yield { message: `${title} is not given back as it was` };
      }
    },
  }),
  defineStoreCheck({
    id: 'store/gives-copies',
    requirement: 'Changing what was given to a store or got from it changes nothing in the store.',
    async *run({ store, at, draft }) {
      const value = { list: [1] };
      const record = { ...draft('a'), value };
      const written = store.put(record, 0);
      value.list.push(2);
      Object.assign(record, { key: 'b', keepMs: 0 });
      await written;
      const lost = await store.put(draft('a'), 0);
      const got = [await store.get(at('a')), lost.ok ? undefined : lost.current];
      for (const each of got) {
        if (!isSame(each?.value, { list: [1] }) || each?.leftMs !== undefined)
          yield { message: 'it stores what was changed after it was given', evidence: each };
        (each?.value as { list?: number[] } | undefined)?.list?.push(3);
      }
      const again = await store.get(at('a'));
      if (!isSame(again?.value, { list: [1] })) yield { message: 'changing what it gave changes what is stored', evidence: again };
    },
  }),
  defineStoreCheck({
    id: 'store/sweeps',
    requirement: 'A sweep deletes expired records and nothing else, and gives their number.',
    async *run({ store, at, draft, wait }) {
      await store.put(draft('stays'));
      await store.put(draft('lives', { keepMs: minute }));
      await store.add(at('counter'), 3, minute);
      await Promise.all(Array.from({ length: 5 }, async (_, index) => store.put(draft(`old ${index}`, { keepMs: 5 }))));
      await wait(30);
      const swept = await store.sweep();
      if (!Number.isSafeInteger(swept) || swept < 5) yield { message: `it reports ${swept} records although 5 had expired` };
      for (const key of ['stays', 'lives'])
        if (!(await store.get(at(key)))) yield { message: 'it sweeps away what has not expired', evidence: key };
      if ((await store.add(at('counter'), 1, minute)).count !== 4) yield { message: 'it sweeps away a counter whose window is not over' };
    },
  }),
  defineStoreCheck({
    id: 'store/closes',
    requirement: 'Closing waits for writes under way, may be done twice, and refuses what comes after.',
    async *run({ store, at, draft }) {
      const written = settle(() => store.put(draft('a')));
      await Promise.all([store.close(), store.close()]);
      const { value: result } = await written;
      if (result === undefined || !isWritten(result, 1))
        yield { message: 'a write under way is lost when the store is closed', evidence: result };
      const after: Readonly<Record<string, () => Promise<unknown>>> = {
        get: () => store.get(at('a')),
        put: () => store.put(draft('b')),
        remove: () => store.remove(at('a')),
        add: () => store.add(at('a'), 1, minute),
        sweep: () => store.sweep(),
      };
      for (const [name, call] of Object.entries(after)) {
        if (!(await settle(call)).failed) yield { message: `${name} is answered although the store is closed` };
      }
      await store.close();
    },
  }),
  defineStoreCheck({
    id: 'store/reopens',
    requirement: 'A store that calls itself durable has its records, versions and counters back when it is opened again.',
    async *run({ store, at, draft, reopen }) {
      if (!store.durable) return;
      for (const key of ['a', 'b', 'c', 'a']) await store.put(draft(key, { value: { v: 1, key } }));
      const read = (from: typeof store) => Promise.all(['a', 'b', 'c'].map((key) => from.get(at(key))));
      await store.remove(at('b'));
      await store.add(at('n'), 7, minute);
      const before = await read(store);
      await store.close();
      const again = await reopen();
      const after = await read(again);
      if (before[0]?.version !== 2 || !isSame(after, before)) yield { message: 'records are lost or changed', evidence: { before, after } };
      if ((await again.add(at('n'), 1, minute)).count !== 8) yield { message: 'a counter is lost' };
    },
  }),
];
