import type { Outcome } from '../../core/outcome/index.ts';
import type { GuardedCall } from '../../core/runtime/index.ts';
import type { Claim, ClaimSlot } from './claim.ts';

/** A key held while its call runs. */
export interface Hold {
  /** Comes when a tool has gone on too long after its call ended; the outcome is the one its caller got. */
  readonly givenUp: Promise<Outcome>;
  /** Stops renewing and gives the version that is ours. */
  readonly stop: () => Promise<number>;
}

/** Keeps a claim alive while its call runs, also past the call's deadline, so that no slow owner is robbed. */
export function holdClaim(slot: ClaimSlot, call: GuardedCall, first: number, renew: () => Claim, lateMs: number): Hold {
  let version = first;
  let renewing: Promise<void> = Promise.resolve();
  let giveUp: (outcome: Outcome) => void = () => undefined;
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  const givenUp = new Promise<Outcome>((resolve) => {
    giveUp = resolve;
  });

  async function renewOnce(): Promise<void> {
    const sight = await slot.write(renew(), version);
    if (sight.is === 'mine') version = sight.version;
    // Somebody took the call over; it is no longer ours to renew.
    else if (sight.is === 'theirs') clearInterval(timer);
  }
  const timer = setInterval(
    () => {
      renewing = renewing.then(renewOnce);
    },
    Math.max(1, renew().leaseMs / 3),
  );
  unref(timer);
  call.onEnd((outcome) => {
    lateTimer = setTimeout(() => giveUp(outcome), lateMs);
    unref(lateTimer);
  });
  return {
    givenUp,
    async stop() {
      clearInterval(timer);
      clearTimeout(lateTimer);
      await renewing;
      return version;
    },
  };
}

/** Not every platform's timers can be told to keep nothing alive. */
function unref(timer: ReturnType<typeof setTimeout>): void {
  (timer as { unref?: () => void }).unref?.();
}
