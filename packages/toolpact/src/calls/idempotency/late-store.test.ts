import { describe, expect, test } from 'vitest';
import { shown, startPaying } from '../../../../../proofs/fixtures/paying-process.ts';
import { seededStore } from '../../../../../proofs/fixtures/seeded-store.ts';
import { skipTime, until } from '../../../../../proofs/fixtures/skip-time.ts';
import type { Store, StoredRecord } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sleep } from '../../time/index.ts';

skipTime();

const stateOf = (record: StoredRecord | undefined) => (record?.value as { readonly state?: string } | undefined)?.state;
const nilTenant = '00000000-0000-0000-0000-000000000000';

/** A store whose writes are acknowledged after the guard has given up on them. */
function lateStore(store: Store): Store {
  return {
    ...store,
    put: async (...given: Parameters<Store['put']>) => {
      const result = await store.put(...given);
      if (result.ok) await sleep(2600);
      return result;
    },
  };
}

describe('a store that answers too late', () => {
  test('leaves no claim of a call that did not run', async () => {
    const store = seededStore();
    const ledger: string[] = [];
    const slow = lateStore(store);
    const late = startPaying({ name: 'late', ledger, store: slow });
    expect(shown(await late.pay())).toEqual(['not_ready', 'none']);
    await until(async () => expect((await store.list({ space: 'claim', tenant: nilTenant })).map(stateOf)).toEqual(['free']));
    // The same for a key that was found free.
    expect(shown(await late.pay())).toEqual(['not_ready', 'none']);
    await until(async () => {
      const [record] = await store.list({ space: 'claim', tenant: nilTenant });
      expect([record?.version, stateOf(record)]).toEqual([4, 'free']);
    });
    expect(shown(await startPaying({ name: 'next', ledger, store }).pay())).toBe('ok');
    expect(ledger).toEqual(['next']);
    await store.close();
  });

  test('gives a key that was taken over too late back to its owner', async () => {
    const store = memoryStore();
    const ledger: string[] = [];
    let goOn: () => void = () => undefined;
    const working = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    // The owner lives, but its renewals do not reach the store.
    let isCutOff = false;
    const owner = startPaying({
      name: 'A',
      ledger,
      store: { ...store, put: (...given: Parameters<Store['put']>) => (isCutOff ? new Promise(() => undefined) : store.put(...given)) },
      before: () => {
        isCutOff = true;
      },
      after: () => working,
    });
    const first = owner.pay();
    await until(() => expect(ledger).toEqual(['A']));
    const slow = lateStore(store);
    expect(shown(await startPaying({ name: 'B', ledger, store: slow }).pay())).toEqual(['not_ready', 'unknown']);
    isCutOff = false;
    await until(async () => {
      const [record] = await store.list({ space: 'claim', tenant: nilTenant });
      expect([(record?.version ?? 0) >= 3, stateOf(record)]).toEqual([true, 'running']);
    });
    goOn();
    await first;
    expect(shown(await startPaying({ name: 'C', ledger, store }).pay())).toBe('ok');
    expect(ledger).toEqual(['A']);
    await store.close();
  });

  test('lets no call that has waited for another one say that nothing happened', async () => {
    const store = memoryStore();
    const ledger: string[] = [];
    const working = Promise.withResolvers<void>();
    const first = startPaying({ name: 'A', ledger, store, after: () => working.promise }).pay();
    await until(() => expect(ledger).toEqual(['A']));
    let looks = 0;
    const silent: Store = {
      ...store,
      get: (at) => {
        looks += at.space === 'claim' ? 1 : 0;
        return looks > 2 ? new Promise(() => undefined) : store.get(at);
      },
    };
    expect(shown(await startPaying({ name: 'B', ledger, store: silent }).pay())).toEqual(['not_ready', 'unknown']);
    working.resolve();
    expect(shown(await first)).toBe('ok');
    expect(ledger).toEqual(['A']);
    await store.close();
  });
});
