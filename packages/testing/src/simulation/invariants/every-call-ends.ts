import { showOutcome } from '../desk.ts';
import type { FinalRow, Observations } from '../observations.ts';
import { factsOf } from '../tools.ts';
import { unrecorded } from './effects-told.ts';
import type { Violation } from './violation.ts';

/** Whether nothing more is to be expected of a row by itself: it has ended, a person has to do something, or nothing was promised about it. */
export function isOver({ stage, isAsking, isPromised }: FinalRow): boolean {
  return stage === 'ended' || isAsking || !isPromised;
}

/** Once processes live and the store answers, every call ends, or waits for an answer of a person that is asked for. Those who wait for it learn that. */
export function everyCallEnds({ finalRows, finals, answers, attempts, runs, steps }: Observations): Violation[] {
  const say = (at: number, message: string): Violation => ({ invariant: 'everyCallEnds', at, message });
  const known = new Map(finalRows.map((row) => [row.row, row]));
  const open = finalRows
    .filter((row) => !isOver(row))
    .map(({ row, tool, stage, outcome }) => say(0, `${row} (${tool}) is ${stage} and asks for nothing: ${showOutcome(outcome)}`));
  const unread = finals.flatMap(({ attempt, tool, id, row, found, waited }): Violation[] => {
    const begun = attempts.find((one) => one.attempt === attempt);
    const at = begun?.beganAt ?? 0;
    const name = `${attempt} (${tool} ${id})`;
    const final = known.get(row);
    if (final?.stage === 'ended' && (found === undefined || found.status === 'pending' || waited?.status === 'pending'))
      return [say(at, `${name} has ended, and who asks is told: ${showOutcome(found)}; who waits: ${showOutcome(waited)}`)];
    if (final !== undefined) return [];
    const wasPending = answers.some(
      (one) =>
        one.attempt === attempt && one.outcome?.status === 'pending' && !one.outcome.meta.warnings?.some((text) => unrecorded.test(text)),
    );
    if (wasPending) return [say(at, `${name} was answered as pending, and nothing is known of it`)];
    const lost = steps.some(
      ({ run, effectAt, effects }) => run.attempt === attempt && effectAt !== undefined && effects !== 'none' && !known.has(run.row),
    );
    return lost && factsOf(tool).steps ? [say(at, `${name} took effect, and nothing is known of it`)] : [];
  });
  const unknown = runs
    .filter(({ tool, row }) => factsOf(tool).isPromised && !known.has(row))
    .map(({ tool, row, process, beganAt }) => say(beganAt, `${row} (${tool}) ran at ${process} without a row`));
  return [...open, ...unread, ...unknown];
}

/** Nothing is kept that nobody will ever read. */
export function nothingIsLeft({ finalRows }: Observations): Violation[] {
  return finalRows.flatMap(({ row, tool, leftovers }) =>
    leftovers.map((left) => ({ invariant: 'nothingIsLeft', at: 0, message: `${row} (${tool}) keeps ${left}` })),
  );
}
