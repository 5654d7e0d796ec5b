import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';
import type { CallKey } from './call-key.ts';
import { type ClaimSlot, type ClaimState, lookAtKey, takeKey } from './claim.ts';
import { answerFrom } from './claim-answers.ts';
import type { MakeClaim } from './hold-claim.ts';
import type { KeyTurns } from './key-turns.ts';

/** A call that waits for longer than this between two looks asks others to let it have its turn. */
const longPollMs = 20;

/** What a guard knows of the calls that want one key. */
export interface Contest extends Pick<KeyTurns, 'signalWaiting'> {
  /** Checks whether no process will end the call that has a key, so that another call decides about it. */
  readonly isLeft: (call: GuardedCall, key: CallKey, seen: Extract<ClaimState, { is: 'theirs' }>) => boolean;
}

/** Waits for the call that has the key, and takes it over from a dead one; gives an outcome where that call answers this one too. */
export async function waitForKey(
  call: GuardedCall,
  key: CallKey,
  slot: ClaimSlot,
  makeClaim: MakeClaim,
  first: ClaimState,
  { isLeft, signalWaiting }: Contest,
): Promise<Outcome | Exclude<ClaimState, { is: 'theirs' }>> {
  let pollMs = 5;
  let takes = 0;
  for (let seen = first; ; ) {
    if (call.outcome !== undefined && seen.is !== 'mine') return call.outcome;
    if (seen.is !== 'theirs') return seen;
    const mine = makeClaim('running');
    const answer = await answerFrom(call, slot.store, mine.fields, seen.claim);
    if (answer !== undefined) return answer;
    call.markMayHaveEffect();
    const mayTake = isLeft(call, key, seen);
    if (!mayTake || takes > 0) {
      if (pollMs > longPollMs) signalWaiting(call, key);
      await sleep(pollMs, call.signal);
      pollMs = Math.min(pollMs * 2, 250);
    }
    takes += mayTake ? 1 : 0;
    seen = await (mayTake ? takeKey(slot, mine, seen) : lookAtKey(slot, makeClaim('running')));
  }
}
