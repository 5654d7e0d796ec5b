import { isSame } from '../lost-paths.ts';
import { hostileTexts } from './hostile-records.ts';
import { defineStoreCheck } from './store-check.ts';

const minute = 60_000;

/** Promises of a store that keeps logs; one without `logs` passes. */
export const storeLogChecks = [
  defineStoreCheck({
    id: 'store/logs',
    requirement:
      'The entries of a log are read together, the last of each name, whole and until they expire, and those of other logs and tenants never.',
    async *run({ store, tenant, now, wait, reopen }) {
      const { logs } = store;
      if (logs === undefined) return;
      const entry = (name: string, value: unknown, more: object = {}) =>
        ({ tenant, log: 'a', name, value: value as never, expiresAt: now() + minute, ...more }) as const;
      const read = async (log: string, of = tenant): Promise<string[]> =>
        (await logs.read({ tenant: of, log })).map((value) => JSON.stringify(value)).toSorted();
      const changed = { list: [1] };
      const writing = logs.write(entry('changed', changed));
      changed.list.push(2);
      await writing;
      await logs.write(entry('once', 'first'));
      await Promise.all([...Array(20).keys()].map((number) => logs.write(entry(`n${number}`, { number }))));
      await logs.write(entry('once', 'second'));
      await logs.write(entry('other', 'of another log', { log: 'b' }));
      await logs.write(entry('other', 'of another tenant', { tenant: `${tenant}a` }));
      const wanted = ['"second"', '{"list":[1]}', ...[...Array(20).keys()].map((number) => JSON.stringify({ number }))].toSorted();
      const all = await read('a');
      if (!isSame(all, wanted)) yield { message: 'a log is not read as it was written', evidence: all };
      if (!isSame([await read('b'), await read('a', `${tenant}a`)], [['"of another log"'], ['"of another tenant"']]))
        yield { message: 'logs are taken for each other' };
      for (const [index, [, text]] of hostileTexts.entries()) {
        await logs.write(entry(text, index, { log: 'names' }));
        await logs.write(entry('k', index, { log: `log ${text}` }));
      }
      if ((await read('names')).length !== hostileTexts.length) yield { message: 'names are taken for each other' };
      for (const [index, [title, text]] of hostileTexts.entries())
        if (!isSame(await read(`log ${text}`), [`${index}`])) yield { message: `${title} is not the name of a log of its own` };
      await logs.write(entry('short', 'lived', { log: 'brief', expiresAt: now() + 5 }));
      await wait(30);
      if ((await read('brief')).length > 0) yield { message: 'an entry that has expired is still read' };
      if ((await store.sweep()) < 1) yield { message: 'an entry that has expired is not swept away' };
      if (!isSame(await read('a'), wanted)) yield { message: 'an entry that has not expired is swept away' };
      if (!store.durable) return;
      const again = await (await reopen()).logs?.read({ tenant, log: 'a' });
      if (again?.length !== wanted.length) yield { message: 'entries are lost when the store is opened again', evidence: again };
    },
  }),
];
