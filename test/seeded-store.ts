import { type MemoryStoreOptions, memoryStore } from '../src/parts/stores/memory.ts';

/** The record that holds the secret of a store. With this secret, tests can state the fingerprints that they expect. */
export const seed = {
  space: 'secret',
  tenant: '00000000-0000-0000-0000-000000000000',
  key: 'fingerprints',
  value: { v: 1, secret: '0123456789abcdef'.repeat(4) },
} as const;

/** Makes a memory store that has its secret already. */
export function seededStore(options?: MemoryStoreOptions): ReturnType<typeof memoryStore> {
  const store = memoryStore(options);
  void store.put(seed, 0);
  return store;
}
