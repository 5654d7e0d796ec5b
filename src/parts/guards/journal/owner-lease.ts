import { noTenant } from '../../../core/contract/index.ts';
import type { RecordKey, Store } from '../../../core/runtime/index.ts';
import { type StopTimer, systemClock } from '../../../core/time/index.ts';
import { askStore, type StoreAnswer, StoreFault } from '../store-access/ask-store.ts';

/** Shows other processes whether this one is alive. */
export interface OwnerLease {
  readonly owner: string;
  /** Says that a call of this process begins; the function that this returns says that it has ended. */
  readonly begin: () => () => void;
  /** Waits until others can see that this process is alive; rejects with a `StoreFault` when they cannot. */
  readonly signed: () => Promise<void>;
  /** Checks whether the process behind a name is alive; when the store does not say, it is taken to be. */
  readonly isAlive: (owner: string) => Promise<boolean>;
}

/** Keeps a sign of life in the store while calls are in flight, one for the whole process. */
export function createOwnerLease(store: Store, leaseMs: number): OwnerLease {
  const owner = crypto.randomUUID();
  let inFlight = 0;
  let signedAt = Number.NEGATIVE_INFINITY;
  let signing: Promise<StoreAnswer<unknown>> = Promise.resolve({ ok: true, value: undefined });
  let stopTimer: StopTimer | undefined;

  function renew(): void {
    signedAt = performance.now();
    signing = askStore(() => signOwner(store, owner, leaseMs));
    void signing.then(({ ok }) => {
      if (!ok) signedAt = Number.NEGATIVE_INFINITY;
    });
  }
  return {
    owner,
    begin() {
      inFlight += 1;
      if (stopTimer === undefined) {
        stopTimer = systemClock.every(leaseMs / 3, renew, { background: true });
      }
      if (performance.now() - signedAt >= leaseMs / 3) renew();
      return () => {
        inFlight -= 1;
        if (inFlight > 0) return;
        stopTimer?.();
        stopTimer = undefined;
      };
    },
    async signed() {
      const answer = await signing;
      if (!answer.ok) throw new StoreFault(answer.why);
    },
    isAlive: async (other) => other === owner || isOwnerAlive(store, other),
  };
}

/** Leaves a sign of life. The store decides what has expired, so it is asked for the time: the clocks of two processes may differ by more than a lease. */
export async function signOwner(store: Store, owner: string, leaseMs: number): Promise<unknown> {
  const at = placeOf(owner);
  const { endsAt } = await store.add(at, 0, 1);
  return store.put({ ...at, value: { v: 1 }, expiresAt: endsAt + leaseMs });
}

/** Checks whether the process behind a name is alive; when the store does not say, it is taken to be. */
export async function isOwnerAlive(store: Store, owner: string): Promise<boolean> {
  const answer = await askStore(() => store.get(placeOf(owner)));
  return !answer.ok || answer.value !== undefined;
}

function placeOf(owner: string): RecordKey {
  return { space: 'owner', tenant: noTenant, key: owner };
}
