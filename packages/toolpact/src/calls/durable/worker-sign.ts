import { whenReady } from '../../json/index.ts';
import type { Store } from '../../ports/index.ts';
import { isOwnerAlive, signOwner } from '../journal/owner-lease.ts';
import { askStore } from '../store-access/ask-store.ts';

/** All workers of a store sign together. */
const name = 'workers';
/** A store that is away for a while must not look as if its workers were gone. */
const signMs = 60_000;

/** Makes what shows others that a worker looks through a store. Called at each look; it writes only now and then. */
export function createWorkerSign(store: Store): () => void {
  let signedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - signedAt < signMs / 6) return;
    signedAt = performance.now();
    void whenReady(
      askStore(() => signOwner(store, name, signMs)),
      ({ ok }) => {
        if (!ok) signedAt = Number.NEGATIVE_INFINITY;
      },
    );
  };
}

/** Checks whether a worker looks through a store, so that calls whose process is gone go on. */
export function hasWorker(store: Store): Promise<boolean> {
  return isOwnerAlive(store, name);
}
