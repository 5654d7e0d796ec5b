import { whenReady } from '../../json/index.ts';
import { makeFailure, type Outcome, statedAdvice, withWarning } from '../../outcome/index.ts';
import { type Awaitable, freesKey, type GuardedCall, refuseWith } from '../../ports/index.ts';
import { memoryOf } from '../durable/step-memory.ts';
import { takenOverFailure } from '../durable/taken-over.ts';
import { tryLater } from '../store-access/try-later.ts';
import { type Claim, type ClaimState, settleKey } from './claim.ts';
import type { Hold, Holds, MakeClaim } from './hold-claim.ts';

/** What settling a claim needs. */
export interface Settling {
  readonly id: string;
  readonly held: Hold;
  readonly holds: Holds;
  readonly noteFree: (id: string) => void;
}

/**
 * Stores how the call ended, or frees the key, and gives the caller its outcome: at once where the store answers at once. `about` is the owner
 * that the outcome is about, where this call did not run itself.
 */
export function settleClaim(given: Outcome, settling: Settling, about?: string): Awaitable<Outcome> {
  const { held, holds } = settling;
  const { call, slot, makeClaim } = held;
  return whenReady(holds.stop(held), (version) => {
    // The call that took the key over may run, so that this one cannot say that nothing happened.
    const outcome = held.isLost ? asUnknown(given) : given;
    const isSafe = isSafeToRepeat(call, outcome);
    const answer = isSafe ? outcome : asNotRetryable(call, outcome);
    const ended = isSafe ? makeClaim('free') : endedClaim(makeClaim, answer, about);
    const end: End = { ended, version, outcome, answer, isSafe };
    const write = () => whenReady(settleKey(slot, ended, version, holds.isOverdue(held)), (state) => concludeWith(state, end, settling));
    if (!call.tool.steps || outcome.status !== 'error') return write();
    // Before the key is free: the next call with it is a new attempt.
    return whenReady(memoryOf(call)?.conclude(true), write);
  });
}

/** How a call ended, and what is written about it. */
interface End {
  readonly ended: Claim;
  readonly version: number;
  readonly outcome: Outcome;
  readonly answer: Outcome;
  readonly isSafe: boolean;
}

/** Gives the caller its outcome, once the store has said what became of the claim. */
function concludeWith(state: ClaimState, end: End, { id, held: { call, slot }, noteFree }: Settling): Awaitable<Outcome> {
  const { ended, version, outcome, answer, isSafe } = end;
  const memory = call.tool.steps ? memoryOf(call) : undefined;
  if (state.is === 'mine') {
    if (isSafe) noteFree(id);
    // What a tool brings after its call has ended is stored here alone.
    const isLate = call.outcome !== undefined && (outcome.status === 'ok' || outcome.status === 'partial');
    return isLate && memory !== undefined ? memory.conclude(false).then(() => answer) : answer;
  }
  // A call that takes the key over must find the steps.
  memory?.keep();
  // A store that is back before the lease is over still learns how the call ended, and so does one in which a late claim was undone.
  const isOpen = ({ is }: ClaimState): boolean => is === 'unavailable';
  if (isOpen(state) || (state.is === 'theirs' && state.claim.state === 'running')) {
    void tryLater(async () => !isOpen(await settleKey(slot, ended, version, true)), ended.leaseMs / 6);
  }
  // What the call that has the key now did is not known here.
  if (state.is === 'theirs' && outcome.status === 'error') return refuseWith(call, takenOverFailure());
  const why = state.is === 'unavailable' ? state.why : 'another process had taken the call over';
  return withWarning(answer, isSafe ? `the key could not be freed: ${why}` : `the outcome could not be stored: ${why}`);
}

/** Gives the owner whose run has an unknown end, where a claim was taken over without a new run. */
export function guessedOwner(from: Claim | undefined): string | undefined {
  return from?.state === 'running' ? from.owner : from?.about;
}

/** The arguments stay out of the store; a call that gets this outcome later brings its own. */
function endedClaim(makeClaim: MakeClaim, given: Outcome, about: string | undefined): Claim {
  const isUnknown = given.status === 'error' && given.error.effect === 'unknown';
  // Not taken out: a copy without one field takes about four times as long as a whole copy, and JSON leaves out what is undefined.
  const outcome = { ...given, input: undefined } as unknown as Outcome;
  return isUnknown ? makeClaim('unknown', { outcome, ...(about !== undefined && { about }) }) : makeClaim('done', { outcome });
}

function isSafeToRepeat(call: GuardedCall, outcome: Outcome): boolean {
  const { tool, invocationId } = call;
  // What it did is remembered; it goes on when its key is free.
  if (outcome.status === 'pending' && memoryOf(call)?.suspension() !== undefined) return true;
  // A handler that steered its host has not ended; the host calls again when it goes on.
  if (outcome.status === 'pending') return outcome.pending.reason === 'host' && outcome.pending.handle === invocationId;
  if (outcome.status !== 'error') return false;
  const { effect, kind } = outcome.error;
  // A call that was stopped may go on later, like one that was stopped while it slept, if its steps outlive it.
  const mayGoOn = kind === 'cancelled' && effect === 'applied' && tool.steps && memoryOf(call) !== undefined;
  return mayGoOn || freesKey(tool, outcome.error);
}

/** Says that repeating will not help where a repetition could only replay a call whose effect is not known. */
function asNotRetryable(call: GuardedCall, outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'unknown' || isSafeToRepeat(call, outcome) || call.tool.canReconcile)
    return outcome;
  const { error } = outcome;
  // Whether its tool says that it writes was known before.
  const writes = error.recovery === 'verify';
  return Object.freeze({ ...outcome, error: makeFailure(error.kind, { ...error, advice: statedAdvice(error), unsafe: true, writes }) });
}

/** A tool that goes on after its call may still take effect, whatever it said so far. */
export function asUnknown(outcome: Outcome): Outcome {
  if (outcome.status !== 'error' || outcome.error.effect !== 'none') return outcome;
  return Object.freeze({
    ...outcome,
    error: makeFailure(outcome.error.kind, { ...outcome.error, advice: statedAdvice(outcome.error), effect: 'unknown', writes: true }),
  });
}
