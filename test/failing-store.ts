import type { Store } from '../src/core/ports/index.ts';
import { type MortalStore, mortalStore } from './mortal-store.ts';

type Put = Parameters<Store['put']>;

/** Makes a process of its own that dies, or stands still until it is woken, before the first write that `isReached` recognises. */
export function storeUntil(store: Store, isReached: (...put: Put) => boolean): MortalStore & { readonly reached: Promise<void> } {
  const own = mortalStore(store);
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  return {
    ...own,
    reached,
    put(...put) {
      if (!isOver && isReached(...put)) {
        isOver = true;
        own.stop();
        resolve();
      }
      return own.put(...put);
    },
  };
}

/** Makes a store that fails once, at the first write that `isReached` recognises: nothing is written. */
export function storeFailingOnce(store: Store, isReached: (...put: Put) => boolean): Store {
  let isOver = false;
  return {
    ...store,
    put(...put) {
      if (isOver || !isReached(...put)) return store.put(...put);
      isOver = true;
      return Promise.reject(new Error('disk full'));
    },
  };
}
