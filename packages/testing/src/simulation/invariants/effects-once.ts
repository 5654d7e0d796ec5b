import type { Observations, ObservedStep } from '../observations.ts';
import { factsOf } from '../tools.ts';
import type { Violation } from './violation.ts';

/**
 * At most one effect per key and step, also where nobody knows whether the first took place: such a call is not just run again. The only exception
 * is where the tool itself said that the first did not take place. A service that is given the same key again does an `idempotent` step once.
 */
export function effectsOnce({ steps, reconciles }: Observations): Violation[] {
  const first = new Map<string, ObservedStep>();
  const violations: Violation[] = [];
  const effects = steps
    .filter((step): step is ObservedStep & { effectAt: number } => step.effectAt !== undefined && step.effects !== 'none')
    .sort((one, other) => one.effectAt - other.effectAt);
  for (const step of effects) {
    const name = identityOf(step);
    const before = first.get(name);
    first.set(name, before ?? step);
    if (before?.effectAt === undefined) continue;
    // A service that takes keys knows the request again.
    if (step.effects === 'idempotent' && before.key === step.key) continue;
    if (wasDenied(before, step, reconciles)) continue;
    violations.push({
      invariant: 'effectsOnce',
      at: step.effectAt,
      message: `${step.step} of ${step.run.tool} ${step.run.id} took effect twice: at ${before.effectAt.toFixed(1)} for ${before.run.process} (${before.run.attempt}, ${before.run.invocationId}), and for ${step.run.process} (${step.run.attempt}, ${step.run.invocationId})`,
    });
  }
  return violations;
}

/** Names what may take effect once. */
function identityOf({ run, step }: ObservedStep): string {
  return factsOf(run.tool).isKeyed ? `${run.tool}/${run.id}/${step}` : `${run.tool}/${callOf(run.attempt)}/${step}`;
}

/** A rerun is the same call once more: `c1-2r7` reruns `c1-2`. */
export function callOf(attempt: string): string {
  return attempt.replace(/r\d+$/, '');
}

/** The documented limit: what was under way in a process that stood still took effect after the tool had said that it did not. */
function wasDenied(before: ObservedStep, { run, effectAt = 0, at }: ObservedStep, reconciles: Observations['reconciles']): boolean {
  return reconciles.some((asked) => {
    if (asked.tool !== run.tool || asked.id !== run.id || asked.said !== 'none' || asked.at > effectAt) return false;
    const isBetween = (one: { readonly at: number; readonly effectAt: number }): boolean => one.at <= asked.at && one.effectAt >= asked.at;
    return isBetween({ at: before.at, effectAt: before.effectAt ?? 0 }) || isBetween({ at, effectAt });
  });
}
