import type { GuardedCall, Store } from '../../../core/runtime/index.ts';
import { createBoundedMap, sleep, systemClock } from '../../../core/time/index.ts';
import { askFor } from '../store-access/ask-store.ts';
import { fingerprint } from '../store-access/fingerprint.ts';

/** Lets processes that wait for the same key have their turn. */
export interface Turns {
  /** Notes that a call of this process has just freed a key. */
  readonly noteFree: (id: string) => void;
  /** Notes in the store, without waiting for it, that a call waits for a key. */
  readonly signalWaiting: (call: GuardedCall, id: string) => void;
  /** Waits a moment if this process had the key last and others wait for it: being next to it, it would always be the first. */
  readonly letOthersFirst: (call: GuardedCall, id: string) => Promise<void> | undefined;
}

/** A sign that a call waits counts for so long. */
const signMs = 1000;

/** Makes the turns of one guard. Without contention they cost nothing but a look into a map. */
export function createTurns(store: Store): Turns {
  const now = systemClock.monotonic;
  const freed = createBoundedMap<true>({ maxEntries: 1000, now });
  const signed = createBoundedMap<true>({ maxEntries: 1000, now });
  const at = (call: GuardedCall, id: string) => ({ space: 'claim-waiting', tenant: call.tenantId, key: fingerprint(id) });
  return {
    noteFree: (id) => freed.set(id, true, now() + signMs),
    signalWaiting(call, id) {
      if (signed.get(id)) return;
      signed.set(id, true, now() + signMs / 2);
      void askFor(call, store)(() => store.add(at(call, id), 1, signMs));
    },
    letOthersFirst(call, id) {
      if (!freed.get(id)) return undefined;
      freed.delete(id);
      return pause(call, id);
    },
  };

  async function pause(call: GuardedCall, id: string): Promise<void> {
    const waiting = await askFor(call, store)(() => store.add(at(call, id), 0, signMs));
    // Longer than the longest pause between two looks of those that wait.
    if (waiting.ok && waiting.value?.count > 0) await sleep(150 + Math.random() * 250, call.signal);
  }
}
