import type { Observations } from '../observations.ts';
import { approvalsUsedOnce, grantsHold } from './approvals-used-once.ts';
import { cancelledStays } from './cancelled-stays.ts';
import { effectsOnce } from './effects-once.ts';
import { effectsTold } from './effects-told.ts';
import { epochsHold } from './epochs-hold.ts';
import { everyCallEnds, nothingIsLeft } from './every-call-ends.ts';
import { livingKeepCalls } from './living-keep-calls.ts';
import { nothingStrays } from './nothing-strays.ts';
import { noticesArrive } from './notices-arrive.ts';
import { oneRunAtATime } from './one-run-at-a-time.ts';
import { sameAnswer } from './same-answer.ts';
import type { Violation } from './violation.ts';

export type { Violation } from './violation.ts';

/** Finds what a run broke of one promise. */
export type Invariant = (observations: Observations) => readonly Violation[];

/** The invariants, by name. */
const invariants: Readonly<Record<string, Invariant>> = {
  effectsOnce,
  effectsTold,
  sameAnswer,
  approvalsUsedOnce,
  grantsHold,
  cancelledStays,
  oneRunAtATime,
  livingKeepCalls,
  epochsHold,
  everyCallEnds,
  nothingIsLeft,
  noticesArrive,
  nothingStrays,
};

/** Finds everything that a run broke, in the order of time. */
export function checkInvariants(observations: Observations): Violation[] {
  return Object.values(invariants)
    .flatMap((invariant) => invariant(observations))
    .sort((one, other) => one.at - other.at);
}
