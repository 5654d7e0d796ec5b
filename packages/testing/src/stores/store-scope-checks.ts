import type { RecordKey } from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';
import { defineStoreCheck, isWritten } from './store-check.ts';

const minute = 60_000;

/** Promises about tenants and spaces, and about counters. */
export const storeScopeChecks = [
  defineStoreCheck({
    id: 'store/keeps-apart',
    requirement: 'Tenants and spaces never see, change or count what belongs to another.',
    async *run({ store, tenant }) {
      const places: readonly RecordKey[] = [
        { space: 'check', tenant: `${tenant}a`, key: 'b' },
        { space: 'check', tenant, key: 'ab' },
        { space: 'check', tenant: `${tenant}a'; DROP TABLE toolpact_records; --`, key: 'b' },
        { space: 'checks', tenant: `${tenant}a`, key: 'b' },
        { space: 'check', tenant: `${tenant}A`, key: 'b' },
        { space: 'check', tenant: `${tenant}a`, key: 'B' },
        { space: 'check', tenant: `${tenant}a`, key: 'b ' },
      ];
      for (const [index, place] of places.entries()) {
        const result = await store.put({ ...place, value: index }, 0);
        const counted = await store.add(place, index + 1, minute);
        if (!isWritten(result, 1)) yield { message: 'a record is in the way of another', evidence: [place, result] };
        if (counted.count !== index + 1) yield { message: 'a counter counts for another', evidence: [place, counted] };
      }
      for (const [index, place] of places.entries()) {
        const read = await store.get(place);
        if (read?.value !== index) yield { message: 'it gives the record of another', evidence: [place, read] };
      }
      const [first, ...others] = places as [RecordKey, ...RecordKey[]];
      await store.remove(first);
      for (const other of others) if (!(await store.get(other))) yield { message: 'it removes the record of another', evidence: other };
    },
  }),
  defineStoreCheck({
    id: 'store/counts',
    requirement: 'Additions to a counter are atomic, of any sign, and apart from records.',
    async *run({ store, at, draft, reopen }) {
      const stores = store.durable ? [store, await reopen()] : [store];
      const counts = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => (stores[index % stores.length] ?? store).add(at('a'), 1, minute)),
      );
      const seen = counts.map(({ count }) => count).sort((a, b) => a - b);
      if (
        !isSame(
          seen,
          seen.map((_, index) => index + 1),
        )
      )
        yield { message: 'additions get lost or are counted twice', evidence: seen };
      for (const [amount, count] of [
        [-10, 50],
        [0, 50],
        [0.5, 50.5],
      ] as const) {
        const state = await store.add(at('a'), amount, minute);
        if (state.count !== count) yield { message: `adding ${amount} gives ${state.count} instead of ${count}`, evidence: state };
      }
      const clash = await store.put(draft('a'), 0);
      if (!isWritten(clash, 1) || (await store.add(at('a'), 0, minute)).count !== 50.5)
        yield { message: 'a counter and a record of the same name are in each other’s way', evidence: clash };
    },
  }),
  defineStoreCheck({
    id: 'store/counts-in-windows',
    requirement: 'A counter starts again when its window is over, and says how long that still takes.',
    async *run({ store, at, wait }) {
      const first = await store.add(at('short'), 5, 15);
      const long = await store.add(at('long'), 5, minute);
      for (const [state, windowMs] of [
        [first, 15],
        [long, minute],
      ] as const) {
        if (!(state.leftMs > windowMs / 2 && state.leftMs <= windowMs))
          yield { message: 'a window does not end when it should', evidence: state };
      }
      await wait(50);
      const second = await store.add(at('short'), 2, minute);
      if (second.count !== 2) yield { message: 'a counter continues after its window', evidence: second };
      const later = await store.add(at('long'), 2, 1);
      if (later.count !== 7) yield { message: 'a counter forgets within its window', evidence: later };
      const passedMs = long.leftMs - later.leftMs;
      if (!(passedMs >= 25 && passedMs < minute / 2)) yield { message: 'an addition moves the end of its window', evidence: [long, later] };
    },
  }),
];
