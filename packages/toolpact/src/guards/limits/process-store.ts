import { refuseOption } from '../../outcome/index.ts';
import type { RecordDraft, RecordKey, Store, StoredRecord } from '../../ports/index.ts';
import { createBoundedMap } from '../../time/index.ts';

/** As much of a store as limits need. */
export type LimitStore = Pick<Store, 'get' | 'put' | 'remove' | 'add' | 'trouble'>;

/** Creates the store of limits that count within this process alone, so that counting has one way only, shared or not. */
export function createProcessStore(now: () => number, maxEntries = 10_000): LimitStore {
  const records = createBoundedMap<StoredRecord>({ maxEntries, now });
  const counters = createBoundedMap<{ readonly count: number; readonly endsAt: number }>({ maxEntries, now });
  return {
    get: async (at) => records.get(idOf(at)),
    async put(draft: RecordDraft, expect) {
      const id = idOf(draft);
      const current = records.get(id);
      if (expect !== undefined && expect !== (current?.version ?? 0)) return { ok: false, current };
      const version = (current?.version ?? 0) + 1;
      const { keepMs = Number.POSITIVE_INFINITY, ...record } = draft;
      records.set(id, { ...record, version }, now() + keepMs);
      return { ok: true, version };
    },
    async remove(at, expect) {
      const current = records.get(idOf(at));
      if (current === undefined || (expect !== undefined && expect !== current.version)) return false;
      records.delete(idOf(at));
      return true;
    },
    async add(at, amount, windowMs) {
      const known = counters.get(idOf(at));
      const time = now();
      // A window that has far more time left than a whole one began before the clock was set back.
      const { count, endsAt } = known === undefined || known.endsAt - time > 2 * windowMs ? { count: 0, endsAt: time + windowMs } : known;
      const state = { count: count + amount, endsAt };
      counters.set(idOf(at), state, endsAt);
      return { count: state.count, leftMs: endsAt - time };
    },
  };
}

function idOf({ space, tenant, key }: RecordKey): string {
  return JSON.stringify([space, tenant, key]);
}

/** Throws for the store of a guard that works without one, where it is no store. */
export function assertLimitStore(guard: string, store: LimitStore | undefined): void {
  if (store !== undefined && (typeof store?.add !== 'function' || typeof store.put !== 'function'))
    refuseOption(guard, 'store', 'a store, such as `memoryStore()`');
}
