import type { Observations } from '../observations.ts';
import type { Violation } from './violation.ts';

/** A request may take as long as this until it has stopped a call: the second of grace of its handler, and the looks of its process. */
const graceMs = 2_000;

/** After somebody was told that a call was cancelled no step of it begins; nor long after somebody was told that it will be. */
export function cancelledStays({ answers, cancels, steps, runs, disturbances }: Observations): Violation[] {
  const violations: Violation[] = [];
  const ends = answers.flatMap(({ attempt, at, outcome, way, process }) =>
    outcome?.status === 'error' && outcome.error.kind === 'cancelled'
      ? [{ attempt, at, why: `${way} at ${process} said cancelled`, graceMs: 0 }]
      : [],
  );
  const told = cancels.flatMap(({ attempt, at, told: isTold }) => (isTold ? [{ attempt, at, why: 'cancel answered true', graceMs }] : []));
  for (const { attempt, at, why, graceMs: extra } of [...ends, ...told]) {
    const late = steps.find((step) => {
      const isLate = step.run.attempt === attempt && step.effects !== 'none' && step.saidAt > at + extra;
      if (!isLate) return false;
      // A process that stood still meanwhile, or did not reach the store, could not hear of it.
      const isDeaf = disturbances.some(({ process, from, until }) => process === step.run.process && from <= step.at && until >= at);
      return extra === 0 || !isDeaf;
    });
    if (late === undefined) continue;
    const { run, step } = late;
    const isOther = !runs.some((one) => one.invocationId === attempt && one.process === run.process);
    violations.push({
      invariant: 'cancelledStays',
      at: late.at,
      message: `${why} about ${attempt} (${run.tool}) at ${at.toFixed(1)}, and ${step} began ${isOther ? 'elsewhere, ' : ''}at ${run.process} as ${run.invocationId}`,
    });
  }
  return violations;
}
