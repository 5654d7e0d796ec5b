import { showOutcome } from '../desk.ts';
import { type Observations, type ObservedAnswer, rowOf } from '../observations.ts';
import { definiteEnd, isAboutReading, unrecorded } from './effects-told.ts';
import type { Violation } from './violation.ts';

/** The answer that a caller got is what every later reader of that call gets, unless it was marked as not recorded. What is not known may become known. */
export function sameAnswer(observations: Observations): Violation[] {
  const { answers, attempts, disturbances, rows, writes } = observations;
  const violations: Violation[] = [];
  for (const { attempt } of attempts) {
    const own = answers.filter((answer) => answer.attempt === attempt).sort((one, other) => one.at - other.at);
    // An end that its caller was told to be unrecorded is nobody else's business.
    if (own.some(({ outcome }) => outcome?.meta.warnings?.some((text) => unrecorded.test(text)))) continue;
    const given = own.find((answer) => definiteEnd(answer) !== undefined && !isAboutReading(answer));
    const said = given && definiteEnd(given);
    if (given === undefined || said === undefined) continue;
    // A call that was refused because it cannot be recorded is not recorded.
    if (given.outcome?.status === 'error' && given.outcome.error.kind === 'not_ready') continue;
    // Who stops a call, or reaches its deadline, is answered at once: where the process dies with the end, nobody else knows what it did.
    const diedWithEnd =
      disturbances.some(({ process, until }) => process === given.process && until === Number.POSITIVE_INFINITY) &&
      !writes.some(({ isEnd, row, process }) => isEnd && row === rowOf(observations, attempt) && process === given.process);
    const isKeptAsItCan = rows.get(attempt)?.isPromised !== true && rowOf(observations, attempt) === attempt;
    // A run of it that was resumed ended in its own way.
    if (isKeptAsItCan && writes.some(({ name, row }) => name === 'take' && row === attempt)) continue;
    const other = own.find((later) => {
      if (later.askedAt <= given.at || later.way === 'call') return false;
      if (isAboutReading(later)) return false;
      if (diedWithEnd && definiteEnd(later) === undefined) return false;
      // Nothing was promised about such a row: the list may not know how it ended.
      if (isKeptAsItCan && (definiteEnd(later) === undefined || isInterrupted(later))) return false;
      return definiteEnd(later) !== said;
    });
    if (other === undefined) continue;
    violations.push({
      invariant: 'sameAnswer',
      at: other.at,
      message: `${attempt} (${other.tool}): ${given.way} at ${given.process} gave "${said}" at ${given.at.toFixed(1)}; ${other.way} at ${other.process} gave "${other.isOpen ? 'no end' : showOutcome(other.outcome)}"`,
    });
  }
  return violations;
}

function isInterrupted({ outcome }: ObservedAnswer): boolean {
  return outcome?.status === 'error' && outcome.error.kind === 'interrupted';
}
