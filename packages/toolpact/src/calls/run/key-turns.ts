import type { GuardedCall, Store } from '../../ports/index.ts';
import { createBoundedMap, sleep, systemClock } from '../../time/index.ts';
import { askFor } from '../store/ask-store.ts';

/** Lets processes that wait for the same key have their turn. */
export interface KeyTurns {
  /** Notes that a call of this process has just freed a key. */
  readonly noteFree: (call: GuardedCall, key: string) => void;
  /** Notes in the store, without waiting for it, that a call waits for a key. */
  readonly signalWaiting: (call: GuardedCall, key: string) => void;
  /** Waits a moment if this process had the key last and others wait for it: being next to it, it would always be the first. */
  readonly letOthersFirst: (call: GuardedCall, key: string) => Promise<void>;
}

/** A sign that a call waits counts for so long. */
const signMs = 1000;

/** Creates the turns of one toolbox. Without contention they cost nothing but a look into a map. */
export function createKeyTurns(store: Store): KeyTurns {
  const now = systemClock.monotonic;
  const freed = createBoundedMap<true>({ maxEntries: 1000, now });
  const signed = createBoundedMap<true>({ maxEntries: 1000, now });
  const add = (call: GuardedCall, key: string, amount: number) =>
    askFor(call, store)(() => store.add({ space: 'key-waiting', tenant: call.tenantId, key }, amount, signMs));
  return {
    noteFree: (call, key) => freed.set(nameOf(call, key), true, now() + signMs),
    signalWaiting(call, key) {
      const name = nameOf(call, key);
      if (signed.get(name)) return;
      signed.set(name, true, now() + signMs / 2);
      void add(call, key, 1);
    },
    async letOthersFirst(call, key) {
      const name = nameOf(call, key);
      if (!freed.get(name)) return;
      freed.delete(name);
      const waiting = await add(call, key, 0);
      // Longer than the longest pause between two looks of those that wait.
      if (waiting.ok && waiting.value?.count > 0) await sleep(300 + Math.random() * 250, call.signal);
    },
  };
}

function nameOf({ tenantId }: GuardedCall, key: string): string {
  return JSON.stringify([tenantId, key]);
}
