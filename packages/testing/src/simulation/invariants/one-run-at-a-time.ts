import type { Observations, ObservedRun } from '../observations.ts';
import { factsOf } from '../tools.ts';
import { leaseMs } from '../world.ts';
import { callOf } from './effects-once.ts';
import type { Violation } from './violation.ts';

/**
 * No two runs of one call act at once in one process, nor in two unless the process that the store gave the call first was disturbed for as long
 * as a lease. What that one begins by an old answer may be repeated; what may not be is compared with the store.
 */
export function oneRunAtATime(observations: Observations): Violation[] {
  const { runs, disturbances, steps } = observations;
  const violations: Violation[] = [];
  const wasDisturbed = (process: string, from: number, until: number): boolean =>
    disturbances.some((one) => one.process === process && one.from <= until && one.until >= from);
  for (const run of runs) {
    if (!factsOf(run.tool).steps) continue;
    const other = runs.find(
      (one) =>
        one.place < run.place &&
        one.tool === run.tool &&
        callOf(observations, one) === callOf(observations, run) &&
        (one.endedAt === undefined || one.endedAt > run.beganAt) &&
        actsAfter(one, run, steps),
    );
    if (other === undefined) continue;
    const isSameProcess = other.process === run.process;
    const first = other.saidAt <= run.saidAt ? other : run;
    if (!isSameProcess && wasDisturbed(first.process, run.beganAt - 4 * leaseMs, run.beganAt)) continue;
    violations.push({
      invariant: 'oneRunAtATime',
      at: run.beganAt,
      message: `${run.tool} ${run.id} (${run.attempt}) ran at ${run.process} as ${run.row} while it ran at ${other.process} as ${other.row}`,
    });
  }
  return violations;
}

/** A run that only ends counts for nothing: both must begin a step that changes something. */
function actsAfter(one: ObservedRun, other: ObservedRun, steps: Observations['steps']): boolean {
  const acts = (run: ObservedRun): boolean =>
    steps.some((step) => step.run.place === run.place && step.effects !== 'none' && step.at >= other.beganAt);
  return acts(one) && acts(other);
}
