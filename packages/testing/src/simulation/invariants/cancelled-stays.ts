import { type Observations, rowOf } from '../observations.ts';
import type { Violation } from './violation.ts';

/** A request may take as long as this until it has stopped a call: the second of grace of its handler, and the looks of its process. */
const graceMs = 2_000;

/** After somebody was told that a call was cancelled no step of it begins; nor long after somebody was told that it will be. */
export function cancelledStays(observations: Observations): Violation[] {
  const { answers, cancels, steps, disturbances } = observations;
  const violations: Violation[] = [];
  const ends = answers.flatMap(({ attempt, at, outcome, way, process }) =>
    outcome?.status === 'error' && outcome.error.kind === 'cancelled'
      ? [{ row: rowOf(observations, attempt), at, why: `${way} at ${process} said cancelled`, graceMs: 0 }]
      : [],
  );
  const told = cancels.flatMap(({ row, at, told: isTold }) => (isTold ? [{ row, at, why: 'cancel answered true', graceMs }] : []));
  for (const { row, at, why, graceMs: extra } of [...ends, ...told]) {
    const late = steps.find((step) => {
      const isLate = step.run.row === row && step.effects !== 'none' && step.saidAt > at + extra;
      if (!isLate) return false;
      // A process that stood still meanwhile, or did not reach the store, could not hear of it.
      const isDeaf = disturbances.some(({ process, from, until }) => process === step.run.process && from <= step.at && until >= at);
      return extra === 0 || !isDeaf;
    });
    if (late === undefined) continue;
    const { run, step } = late;
    violations.push({
      invariant: 'cancelledStays',
      at: late.at,
      message: `${why} about ${row} (${run.tool}) at ${at.toFixed(1)}, and ${step} began at ${run.process}`,
    });
  }
  return violations;
}
