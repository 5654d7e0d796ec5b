import { expectTypeOf } from 'vitest';
import type { Awaitable, PutResult, Store, StoredRecord } from './store.ts';

declare const record: StoredRecord;
const rest = { name: 'own', durable: false, sweep: async () => 0, close: async () => undefined } as const;

// A store may answer at once, later, or now one and then the other.
const atOnce: Store = {
  ...rest,
  get: () => record,
  put: () => ({ ok: true, version: 1 }),
  remove: () => true,
  list: () => [record],
  add: () => ({ count: 1, endsAt: 0 }),
};
const later: Store = {
  ...rest,
  get: async () => record,
  put: async () => ({ ok: true, version: 1 }),
  remove: async () => true,
  list: async () => [record],
  add: async () => ({ count: 1, endsAt: 0 }),
};
const mixed: Store = { ...later, get: ({ key }) => (key === '' ? undefined : Promise.resolve(record)) };
expectTypeOf([atOnce, later, mixed]).toExtend<readonly Store[]>();

// Those who ask a store wait for it.
expectTypeOf(atOnce.put).returns.toEqualTypeOf<Awaitable<PutResult>>();
expectTypeOf(await later.get(record)).toEqualTypeOf<StoredRecord | undefined>();
// @ts-expect-error an answer that is there at once has no `then`
atOnce.put(record).then;
