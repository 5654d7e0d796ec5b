import { type Observations, type ObservedRun, rowOf } from '../observations.ts';
import { factsOf } from '../tools.ts';
import { leaseMs } from '../world.ts';
import type { Violation } from './violation.ts';

/** A process that lives, and reaches its store, is not taken for dead: nobody is told that its call was interrupted while it runs. */
export function livingKeepCalls(observations: Observations): Violation[] {
  const { answers, attempts, runs, disturbances } = observations;
  const wasDisturbed = ({ process }: ObservedRun, at: number): boolean =>
    disturbances.some((one) => one.process === process && one.from <= at && one.until >= at - 4 * leaseMs);
  return answers.flatMap((answer): Violation[] => {
    const { outcome, tool, id, attempt, at } = answer;
    if (outcome?.status !== 'error' || outcome.error.kind !== 'interrupted') return [];
    // Who calls with a key is told of the call that has it.
    const isOfKey = factsOf(tool).isKeyed && answer.way === 'call';
    const isOf = (run: ObservedRun): boolean => (isOfKey ? run.tool === tool && run.id === id : run.row === rowOf(observations, attempt));
    const isLiving = (run: ObservedRun): boolean => run.beganAt < at && (run.endedAt === undefined || run.endedAt > at);
    // The process that is told so itself: nothing kept it from showing that it lives.
    // Where nobody else made the call, it is not about an earlier one with its key.
    const isAlone = answer.way === 'call' && attempts.filter((one) => one.tool === tool && one.id === id).length === 1;
    const isOwn = (run: ObservedRun): boolean => isAlone && run.invocationId === attempt && run.process === answer.process;
    // Another process has it, which had to take the one that was asked for dead.
    const wasTaken =
      (answer.way === 'call' || answer.way === 'rerun') &&
      disturbances.some((one) => one.process === answer.process && one.until >= answer.askedAt && one.from <= at);
    const living = runs.find((run) => ((isOf(run) && isLiving(run) && !wasTaken) || isOwn(run)) && !wasDisturbed(run, at));
    if (living === undefined) return [];
    const message = `${answer.way} of ${attempt} (${tool} ${id}) at ${answer.process} said interrupted, and ${living.process} has run it since ${living.beganAt.toFixed(1)}`;
    return [{ invariant: 'livingKeepCalls', at, message }];
  });
}
