import type { Outcome } from '../../../core/outcome/index.ts';
import type { GuardedCall } from '../../../core/runtime/index.ts';
import { type StopTimer, systemClock } from '../../../core/time/index.ts';
import type { Claim, ClaimSlot } from './claim.ts';

/** A key held while its call runs. */
export interface Hold {
  /** Stops renewing and gives the version that is ours, at once unless it is being renewed. */
  readonly stop: () => number | Promise<number>;
}

/** Keeps a claim alive from its first version on. */
export type HoldClaim = (slot: ClaimSlot, first: number, claim: () => Claim) => Hold;

interface Held {
  readonly slot: ClaimSlot;
  readonly claim: () => Claim;
  version: number;
  renewing: Promise<void> | undefined;
  /** Whether it was there at the last beat; most calls are over before they have to be renewed. */
  isOld: boolean;
}

/** Makes what keeps claims alive while their calls run, so that no slow owner is robbed: one beat for all of them. */
export function createHolds(leaseMs: number): HoldClaim {
  const all = new Set<Held>();
  let stopTimer: StopTimer | undefined;

  async function renew(held: Held): Promise<void> {
    const sight = await held.slot.renew(held.claim(), held.version);
    held.renewing = undefined;
    if (sight.is === 'mine') held.version = sight.version;
    // Somebody took the call over; it is no longer ours to renew.
    else if (sight.is === 'theirs') all.delete(held);
  }
  function beat(): void {
    for (const held of all) {
      // A store that answers slowly is not asked again meanwhile.
      if (held.isOld) held.renewing ??= renew(held);
      held.isOld = true;
    }
    if (all.size > 0) return;
    stopTimer?.();
    stopTimer = undefined;
  }
  return (slot, first, claim) => {
    const held: Held = { slot, claim, version: first, renewing: undefined, isOld: false };
    all.add(held);
    stopTimer ??= systemClock.every(leaseMs / 3, beat, { background: true });
    return {
      stop() {
        all.delete(held);
        return held.renewing === undefined ? held.version : held.renewing.then(() => held.version);
      },
    };
  };
}

/**
 * Waits for a call's tool, for some time also after the call has ended by its deadline or its caller; then gives what the caller was told
 * as `ended`, and the tool up.
 */
export function awaitLate(
  call: GuardedCall,
  next: () => Promise<Outcome>,
  lateMs: number,
): Promise<{ readonly outcome: Outcome } | { readonly ended: Outcome; readonly finished: Promise<Outcome> }> {
  return new Promise((resolve) => {
    let stopTimer: StopTimer | undefined;
    let isOver = false;
    call.onEnd((ended) => {
      if (!isOver) stopTimer = systemClock.after(lateMs, () => resolve({ ended, finished }), { background: true });
    });
    const finished = next();
    void finished.then((outcome) => {
      isOver = true;
      stopTimer?.();
      resolve({ outcome });
    });
  });
}
