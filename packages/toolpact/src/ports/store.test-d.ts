import { expectTypeOf } from 'vitest';
import type { PutResult, Store, StoredRecord } from './store.ts';

declare const record: StoredRecord;

const own: Store = {
  name: 'own',
  durable: false,
  get: async () => record,
  put: async () => ({ ok: true, version: 1 }),
  remove: async () => true,
  add: async () => ({ count: 1, leftMs: 0 }),
  sweep: async () => 0,
  close: async () => undefined,
};
expectTypeOf(own.put).returns.toEqualTypeOf<Promise<PutResult>>();
expectTypeOf(await own.get(record)).toEqualTypeOf<StoredRecord | undefined>();

// Whoever asks a store waits for it, so an answer that is there at once is none.
// @ts-expect-error an answer is a promise
({ ...own, get: () => record }) satisfies Store;
