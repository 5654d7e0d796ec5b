import type { Store } from './store.ts';

const byStore = new WeakMap<Store, Set<Promise<unknown>>>();

/** Lets something be written to a store without anybody waiting for it but who lists calls, or closes the store. */
export function writeUnwaited(store: Store, writing: Promise<unknown>): void {
  const unwaited = byStore.get(store) ?? new Set();
  byStore.set(store, unwaited);
  const kept = writing.catch(() => undefined).finally(() => unwaited.delete(kept));
  unwaited.add(kept);
}

/** Waits for what this process writes to a store without anybody waiting for it. */
export async function untilWritten(store: Store): Promise<void> {
  const unwaited = byStore.get(store);
  if (unwaited !== undefined && unwaited.size > 0) await Promise.all(unwaited);
}
