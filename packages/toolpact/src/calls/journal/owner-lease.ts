import { noTenant } from '../../contract/index.ts';
import { whenReady } from '../../json/index.ts';
import type { Awaitable, RecordKey, Store } from '../../ports/index.ts';
import { createBoundedMap, longestSince, type Moment, type StopTimer, sleep, systemClock, thisMoment } from '../../time/index.ts';
import { askStore, type StoreAnswer, StoreFault } from '../store-access/ask-store.ts';

/** Shows other processes whether this one is alive. */
export interface OwnerLease {
  readonly owner: string;
  readonly store: Store;
  readonly leaseMs: number;
  /** Says that a call of this process begins; the function that this returns says that it has ended. */
  readonly begin: () => () => void;
  /** Waits until others can see that this process is alive; rejects with a `StoreFault` when they cannot. */
  readonly signed: () => Promise<void>;
  /** Looks once whether the process behind a name is alive; when the store does not say, it is taken to be. */
  readonly seemsAlive: (owner: string) => Promise<boolean>;
  /** Checks the same before anything depends on it: with a second look at a process that seems dead. */
  readonly isAlive: (owner: string) => Promise<boolean>;
  /**
   * Says whether this process may have been taken for dead since a moment: it stood still, or could not sign, for as long as its lease. Known
   * at once, without the store.
   */
  readonly wasSilentSince: (moment: Moment) => boolean;
}

/** The note of a call that the journal records: its sign of life, which serves other guards of the same store and lease too. */
export const leaseNote = 'lease';

/** How often a process signs during its lease. */
const signsPerLease = 6;

/**
 * A store that was away, or a clock that was set, leaves no fresh sign of life, also of processes that live. So a process counts as dead only
 * at a second look, which comes so much later that one with a lease of up to ten seconds has signed again meanwhile, also on a busy machine.
 */
export const secondLookMs = 3_000;

/** How many dead processes are remembered for the time of a lease. */
const maxKnown = 1_000;

/** Keeps a sign of life in the store while calls are in flight, one for the whole process. */
export function createOwnerLease(store: Store, leaseMs: number): OwnerLease {
  let name: string | undefined;
  // Drawn on first use: edge workers forbid randomness while a module loads.
  const ownName = (): string => {
    name ??= crypto.randomUUID();
    return name;
  };
  let inFlight = 0;
  let signedAt = Number.NEGATIVE_INFINITY;
  let signing: Awaitable<StoreAnswer<unknown>> = { ok: true, value: undefined };
  /** The moment before the last sign that counted: others see it for a lease from then on, or longer. */
  let lastSign: Moment | undefined;
  /** When a sign came after a silence as long as a lease. */
  let silentUntil = Number.NEGATIVE_INFINITY;
  let stopTimer: StopTimer | undefined;
  const renewMs = leaseMs / signsPerLease;
  const isSilent = (): boolean => lastSign !== undefined && longestSince(lastSign) >= leaseMs;

  function renew(): void {
    const from = thisMoment();
    signedAt = from.monotonic;
    signing = askStore(() => signOwner(store, ownName(), leaseMs), { store });
    void whenReady(signing, ({ ok }) => {
      if (ok && isSilent()) silentUntil = systemClock.monotonic();
      if (ok) lastSign = from;
      else signedAt = Number.NEGATIVE_INFINITY;
    });
  }
  const seemsAlive = async (other: string): Promise<boolean> => other === ownName() || isOwnerAlive(store, other);
  const lookTwice = async (other: string): Promise<boolean> => {
    if (await seemsAlive(other)) return true;
    await sleep(Math.min(secondLookMs, leaseMs * 0.3));
    return seemsAlive(other);
  };
  const known = createBoundedMap<Promise<boolean>>({ maxEntries: maxKnown, now: () => performance.now() });
  return {
    get owner() {
      return ownName();
    },
    store,
    leaseMs,
    seemsAlive,
    wasSilentSince: ({ monotonic }) => silentUntil > monotonic || isSilent(),
    begin() {
      inFlight += 1;
      if (stopTimer === undefined) {
        stopTimer = systemClock.every(renewMs, renew, { background: true });
      }
      if (systemClock.monotonic() - signedAt >= renewMs) renew();
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
    isAlive(other) {
      const found = known.get(other) ?? lookTwice(other);
      if (known.get(other) === undefined) known.set(other, found, performance.now() + leaseMs);
      // Remember dead processes only: they stay dead, and a run may hold many calls of one.
      void found.then((is) => is && known.delete(other));
      return found;
    },
  };
}

/** Leaves a sign of life. The store decides what has expired, so it is asked for the time: the clocks of two processes may differ by more than a lease. */
export async function signOwner(store: Store, owner: string, leaseMs: number): Promise<unknown> {
  const at = placeOf(owner);
  const { endsAt } = await store.add(at, 0, 1);
  return store.put({ ...at, value: { v: 1 }, expiresAt: endsAt + leaseMs });
}

/** Looks once whether the process behind a name is alive; when the store does not say, it is taken to be. */
export async function isOwnerAlive(store: Store, owner: string): Promise<boolean> {
  const answer = await askStore(() => store.get(placeOf(owner)));
  return !answer.ok || answer.value !== undefined;
}

function placeOf(owner: string): RecordKey {
  return { space: 'owner', tenant: noTenant, key: owner };
}
