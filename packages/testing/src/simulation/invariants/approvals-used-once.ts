import type { Observations, ObservedRun } from '../observations.ts';
import { factsOf } from '../tools.ts';
import type { Violation } from './violation.ts';

/** A tool that needs an approval runs for approvals that were given for what it runs with, once for each. A call that goes on keeps what it was allowed. */
export function approvalsUsedOnce({ runs, decisions, attempts, steps }: Observations): Violation[] {
  const violations: Violation[] = [];
  const used = new Map<string, number>();
  const allowed = new Set<string>();
  const begun = runs.filter(
    ({ tool, place }) => factsOf(tool).needsApproval && (steps.some(({ run }) => run.place === place) || !factsOf(tool).steps),
  );
  for (const run of begun) {
    // A run by another process goes on with a call that was allowed; so does a call with its key. A rerun is an attempt of its own.
    const call = callOf(run);
    if (allowed.has(call)) continue;
    const matching = decisions.filter(
      ({ tool, shown, runId, verdict, isTaken, askedAt }) =>
        tool === run.tool &&
        isSame(shown, run.input) &&
        runId === attempts.find(({ attempt }) => attempt === run.attempt)?.runId &&
        verdict === 'approve' &&
        isTaken !== false &&
        askedAt <= run.beganAt,
    );
    const name = `${run.tool}/${run.id}`;
    const uses = (used.get(name) ?? 0) + 1;
    if (uses > matching.length) {
      violations.push({
        invariant: 'approvalsUsedOnce',
        at: run.beganAt,
        message: `${run.tool} ${run.id} ran for ${run.attempt} as ${run.invocationId} at ${run.process}: it is run ${uses}, and ${matching.length} approvals were given`,
      });
      continue;
    }
    used.set(name, uses);
    allowed.add(call);
    // What a rerun was allowed the next call with its key goes on with, not the other way round.
    if (factsOf(run.tool).isKeyed) allowed.add(`${run.tool}/${run.id}`);
  }
  return violations;
}

/** Names what an approval was used for. */
function callOf({ tool, id, attempt }: ObservedRun): string {
  return factsOf(tool).isKeyed && !/r\d+$/.test(attempt) ? `${tool}/${id}` : attempt;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
