import type { GuardedCall, Store } from '../../ports/index.ts';
import { createBoundedMap, sleep, systemClock } from '../../time/index.ts';
import { askFor } from '../store-access/ask-store.ts';
import type { CallKey } from './call-key.ts';

/** Lets processes that wait for the same key have their turn. */
export interface KeyTurns {
  /** Notes that a call of this process has just freed a key. */
  readonly noteFree: (id: string) => void;
  /** Notes in the store, without waiting for it, that a call waits for a key. */
  readonly signalWaiting: (call: GuardedCall, key: CallKey) => void;
  /** Waits a moment if this process had the key last and others wait for it: being next to it, it would always be the first. */
  readonly letOthersFirst: (call: GuardedCall, key: CallKey) => Promise<void> | undefined;
}

/** A sign that a call waits counts for so long. */
const signMs = 1000;

/** Makes the turns of one guard. Without contention they cost nothing but a look into a map. */
export function createKeyTurns(store: Store): KeyTurns {
  const now = systemClock.monotonic;
  const freed = createBoundedMap<true>({ maxEntries: 1000, now });
  const signed = createBoundedMap<true>({ maxEntries: 1000, now });
  const add = (call: GuardedCall, { at }: CallKey, amount: number) =>
    askFor(call, store)(() => store.add({ ...at, space: 'claim-waiting' }, amount, signMs));
  return {
    noteFree: (id) => freed.set(id, true, now() + signMs),
    signalWaiting(call, key) {
      const { id } = key;
      if (signed.get(id)) return;
      signed.set(id, true, now() + signMs / 2);
      void add(call, key, 1);
    },
    letOthersFirst(call, key) {
      if (!freed.get(key.id)) return undefined;
      freed.delete(key.id);
      return pause(call, key);
    },
  };

  async function pause(call: GuardedCall, key: CallKey): Promise<void> {
    const waiting = await add(call, key, 0);
    // Longer than the longest pause between two looks of those that wait.
    if (waiting.ok && waiting.value?.count > 0) await sleep(150 + Math.random() * 250, call.signal);
  }
}
