import { fail, type Outcome } from '../../../core/outcome/index.ts';
import type { Awaitable, GuardedCall } from '../../../core/ports/index.ts';
import { longestSince, type Moment, type StopTimer, systemClock } from '../../../core/time/index.ts';
import type { Claim, ClaimSlot, ClaimState } from './claim.ts';

/** A key held while its call runs. */
export interface Hold {
  /** Stops renewing and gives the version that is ours, at once unless it is being renewed. */
  readonly stop: () => number | Promise<number>;
  /** Whether another process may have taken the key since our last write. */
  readonly isOverdue: () => boolean;
  /** Whether another process has taken the key. */
  readonly isLost: () => boolean;
  /** Rejects unless the key is ours and stays so for the next moments: what comes after this may change the outside world. */
  readonly assertHeld: () => Promise<void>;
}

/** What is held, and what happens when it is lost. */
export interface HoldOptions {
  readonly slot: ClaimSlot;
  readonly first: Extract<ClaimState, { is: 'mine' }>;
  readonly claim: () => Claim;
  readonly onLost: () => void;
}

/** Keeps a claim alive from its first version on. */
export type HoldClaim = (options: HoldOptions) => Hold;

interface Held extends HoldOptions {
  version: number;
  /** The moment before the last write that counted: the lease is measured from here. */
  writtenFrom: Moment;
  renewing: Promise<void> | undefined;
  isLost: boolean;
  /** Whether it was there at the last beat; most calls are over before they have to be renewed. */
  isOld: boolean;
  /** Its place in the list of all that are held; -1 once it is not held any more. */
  place: number;
}

/** Says why a call must not go on. */
export const lostClaim = () =>
  fail('interrupted', 'Another process has taken this call over, because this one had not been heard of for too long.');

/** Makes what keeps claims alive while their calls run, so that no slow owner loses its key: one beat for all of them. */
export function createHolds(leaseMs: number): HoldClaim {
  // A list, because each table that a busy `Set` outgrows keeps the calls that were in it until the next full collection.
  const all: Held[] = [];
  let stopTimer: StopTimer | undefined;

  const isOverdue = (held: Held): boolean => longestSince(held.writtenFrom) >= leaseMs / 2;

  function drop(held: Held): void {
    if (held.place < 0) return;
    const last = all.pop();
    if (last !== undefined && last !== held) {
      all[held.place] = last;
      last.place = held.place;
    }
    held.place = -1;
  }
  function lose(held: Held): void {
    if (held.isLost) return;
    held.isLost = true;
    drop(held);
    held.onLost();
  }
  async function renew(held: Held): Promise<void> {
    const state = await held.slot.renew(held.claim(), held.version, isOverdue(held));
    held.renewing = undefined;
    if (state.is === 'theirs') lose(held);
    if (state.is !== 'mine') return;
    held.version = state.version;
    held.writtenFrom = state.writtenFrom;
  }
  function beat(): void {
    for (const held of all) {
      // A store that answers slowly is not asked again meanwhile.
      if (held.isOld) held.renewing ??= renew(held);
      held.isOld = true;
    }
    if (all.length > 0) return;
    stopTimer?.();
    stopTimer = undefined;
  }
  async function assertHeld(held: Held): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      if ((await held.slot.isHeldBy(held.claim().owner)) === false) lose(held);
      if (held.isLost) throw lostClaim();
      // Others wait for a whole lease after our last write. This process may have stood still since it asked, so the time is read last.
      if (!isOverdue(held)) return;
      held.renewing ??= renew(held);
      await held.renewing;
    }
    if (held.isLost) throw lostClaim();
    throw fail('not_ready', 'The store does not say whether this call is still ours to make, so its next step did not begin.');
  }
  return (options) => {
    const { version, writtenFrom } = options.first;
    const held: Held = { ...options, version, writtenFrom, renewing: undefined, isLost: false, isOld: false, place: all.length };
    all.push(held);
    stopTimer ??= systemClock.every(leaseMs / 3, beat, { background: true });
    return {
      stop() {
        drop(held);
        return held.renewing === undefined ? held.version : held.renewing.then(() => held.version);
      },
      isOverdue: () => isOverdue(held),
      isLost: () => held.isLost,
      assertHeld: () => assertHeld(held),
    };
  };
}

/** What becomes of a call whose tool is waited for. */
export interface LateWatch {
  readonly lateMs: number;
  /** Gives the answer for what the tool brought, in time or late. */
  readonly conclude: (outcome: Outcome) => Awaitable<Outcome>;
  /** Gives the answer for a call that has ended without its tool, which may still bring something. */
  readonly giveUp: (ended: Outcome, finished: Promise<Outcome>) => Awaitable<Outcome>;
  /** Hears of a bug of ours, before the answer is rejected with it. */
  readonly onBug: () => void;
}

/** Waits for a call's tool, for some time also after the call has ended by its deadline or its caller; then gives it up. */
export function awaitLate(
  call: GuardedCall,
  next: () => Promise<Outcome>,
  { lateMs, conclude, giveUp, onBug }: LateWatch,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let stopTimer: StopTimer | undefined;
    let isGivenUp = false;
    const answer = (make: () => Awaitable<Outcome>): void => {
      try {
        resolve(make());
      } catch (bug) {
        reject(bug);
      }
    };
    const stopListening = call.onEnd((ended) => {
      const stop = (): void => {
        isGivenUp = true;
        answer(() => giveUp(ended, finished));
      };
      stopTimer = systemClock.after(lateMs, stop, { background: true });
    });
    const stopWatching = (): void => {
      stopListening();
      stopTimer?.();
    };
    const finished = next();
    // One `then`, no `finally`: that would make two more promises for every call.
    finished.then(
      (outcome) => {
        stopWatching();
        if (!isGivenUp) answer(() => conclude(outcome));
      },
      (bug: unknown) => {
        stopWatching();
        if (isGivenUp) return;
        onBug();
        reject(bug);
      },
    );
  });
}
