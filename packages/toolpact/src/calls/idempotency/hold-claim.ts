import { fail } from '../../outcome/index.ts';
import type { Awaitable, GuardedCall } from '../../ports/index.ts';
import { longestSince, type Moment, type StopTimer, systemClock } from '../../time/index.ts';
import { takenOverFailure } from '../durable/taken-over.ts';
import { type Claim, type ClaimSlot, isKeyHeldBy, renewKey } from './claim.ts';

/** A key held while its call runs. */
export interface Hold {
  readonly call: GuardedCall;
  readonly slot: ClaimSlot;
  /** Makes the claims of this call. */
  readonly makeClaim: MakeClaim;
  /** The version of the claim that is ours. */
  version: number;
  /** The moment before the last write that counted: the lease is measured from here. */
  writtenFrom: Moment;
  renewing: Promise<void> | undefined;
  /** Whether another process has taken the key. */
  isLost: boolean;
  /** Whether it was there at the last beat; most calls are over before they have to be renewed. */
  isOld: boolean;
  /** Its place in the list of all that are held; -1 once it is not held any more. */
  place: number;
}

/** Makes the claim of a call, in the state it is in now. */
export type MakeClaim = (state: Claim['state'], facts?: Pick<Claim, 'outcome' | 'about'>) => Claim;

/** Keeps claims alive while their calls run. */
export interface Holds {
  /** Begins to keep a claim alive, from its first version on. */
  readonly begin: (call: GuardedCall, slot: ClaimSlot, makeClaim: MakeClaim, first: Pick<Hold, 'version' | 'writtenFrom'>) => Hold;
  /** Stops renewing and gives the version that is ours, at once unless it is being renewed. */
  readonly stop: (held: Hold) => Awaitable<number>;
  /** Whether another process may have taken the key since our last write. */
  readonly isOverdue: (held: Hold) => boolean;
  /** Rejects unless the key is ours and stays so for the next moments: what comes after this may change the outside world. */
  readonly assertHeld: (held: Hold) => Promise<void>;
}

/** Makes what keeps claims alive while their calls run, so that no slow owner loses its key: one beat for all of them. */
export function createHolds(leaseMs: number): Holds {
  // A list, because each table that a busy `Set` outgrows keeps the calls that were in it until the next full collection.
  const all: Hold[] = [];
  let stopTimer: StopTimer | undefined;

  const isOverdue = (held: Hold): boolean => longestSince(held.writtenFrom) >= leaseMs / 2;

  function drop(held: Hold): void {
    if (held.place < 0) return;
    const last = all.pop();
    if (last !== undefined && last !== held) {
      all[held.place] = last;
      last.place = held.place;
    }
    held.place = -1;
  }
  function lose(held: Hold): void {
    if (held.isLost) return;
    held.isLost = true;
    drop(held);
    held.call.abort(takenOverFailure());
  }
  async function renew(held: Hold): Promise<void> {
    const state = await renewKey(held.slot, held.makeClaim('running'), held.version, isOverdue(held));
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
  async function assertHeld(held: Hold): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      if ((await isKeyHeldBy(held.slot, held.makeClaim('running').owner)) === false) lose(held);
      if (held.isLost) throw takenOverFailure();
      // Others wait for a whole lease after our last write. This process may have stood still since it asked, so the time is read last.
      if (!isOverdue(held)) return;
      held.renewing ??= renew(held);
      await held.renewing;
    }
    if (held.isLost) throw takenOverFailure();
    throw fail('not_ready', 'The store does not say whether this call is still ours to make, so its next step did not begin.');
  }
  return {
    begin(call, slot, makeClaim, { version, writtenFrom }) {
      const place = all.length;
      const held: Hold = { call, slot, makeClaim, version, writtenFrom, renewing: undefined, isLost: false, isOld: false, place };
      all.push(held);
      stopTimer ??= systemClock.every(leaseMs / 3, beat, { background: true });
      return held;
    },
    stop(held) {
      drop(held);
      return held.renewing === undefined ? held.version : held.renewing.then(() => held.version);
    },
    isOverdue,
    assertHeld,
  };
}
