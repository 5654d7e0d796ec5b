import { type Observations, type ObservedRun, type ObservedStep, originOf } from '../observations.ts';
import { factsOf } from '../tools.ts';
import type { Violation } from './violation.ts';

/**
 * At most one effect per key and step, also where nobody knows whether the first took place: such a call is not just run again. The only exception
 * is where the tool itself said that the first did not take place. A service that is given the same key again does an `idempotent` step once.
 */
export function effectsOnce(observations: Observations): Violation[] {
  const { steps, reconciles } = observations;
  const first = new Map<string, ObservedStep>();
  const violations: Violation[] = [];
  const effects = steps
    .filter((step): step is ObservedStep & { effectAt: number } => step.effectAt !== undefined && step.effects !== 'none')
    .sort((one, other) => one.effectAt - other.effectAt);
  for (const step of effects) {
    const name = identityOf(observations, step);
    const before = first.get(name);
    first.set(name, before ?? step);
    if (before?.effectAt === undefined) continue;
    // A service that takes keys knows the request again.
    if (step.effects === 'idempotent' && before.key === step.key) continue;
    if (wasDenied(before, step, reconciles)) continue;
    violations.push({
      invariant: 'effectsOnce',
      at: step.effectAt,
      message: `${step.step} of ${step.run.tool} ${step.run.id} took effect twice: at ${before.effectAt.toFixed(1)} for ${before.run.process} (${before.run.attempt}, row ${before.run.row}), and for ${step.run.process} (${step.run.attempt}, row ${step.run.row})`,
    });
  }
  return violations;
}

/** Names what may take effect once. */
function identityOf(observations: Observations, { run, step }: ObservedStep): string {
  return `${callOf(observations, run)}/${step}`;
}

/** Names the call that a run belongs to: by its key, else by the first row whose steps it goes on with. */
export function callOf(observations: Observations, { tool, id, row }: ObservedRun): string {
  return factsOf(tool).isKeyed ? `${tool}/${id}` : `${tool}/${originOf(observations, row)}`;
}

function wasDenied(before: ObservedStep, step: ObservedStep, reconciles: Observations['reconciles']): boolean {
  const until = step.effectAt ?? 0;
  return wasUnseen(before, reconciles, until) || wasUnseen(step, reconciles, until);
}

/** The documented limit: what was under way in a process that stood still took effect after the tool had said that it did not. */
export function wasUnseen({ run, at, effectAt = 0 }: ObservedStep, reconciles: Observations['reconciles'], until: number): boolean {
  return reconciles.some(
    (asked) =>
      asked.tool === run.tool &&
      asked.id === run.id &&
      asked.said === 'none' &&
      asked.at <= until &&
      at <= asked.at &&
      effectAt >= asked.at,
  );
}
