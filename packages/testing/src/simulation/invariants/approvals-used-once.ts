import type { Observations, ObservedRun } from '../observations.ts';
import { factsOf } from '../tools.ts';
import type { Violation } from './violation.ts';

/**
 * A call that needs an approval runs when that very call was approved, as it was shown or with what the person gave instead, or under a standing
 * grant. A call that goes on keeps what it was allowed; a rerun is asked for anew.
 */
export function approvalsUsedOnce(observations: Observations): Violation[] {
  const { runs, decisions, steps, grants, writes } = observations;
  /** Whether this is the first run of a row, and nobody had taken it before: only then the preview was looked at just now. */
  const isFirst = ({ row, place }: ObservedRun): boolean =>
    !runs.some((one) => one.row === row && one.place < place) &&
    writes.filter((one) => one.row === row && /^take/.test(one.name)).length <= 1;
  return runs
    .filter(({ tool, place }) => factsOf(tool).needsApproval && (steps.some(({ run }) => run.place === place) || !factsOf(tool).steps))
    .flatMap((run) => {
      const { tool, id, row, attempt, process, input, plan, beganAt } = run;
      const isUnderGrant = grants.some((one) => one.what === 'used' && one.row === row && one.at <= beganAt);
      const own = decisions.filter(
        (one) =>
          one.row === row &&
          one.verdict === 'approve' &&
          one.isTaken !== false &&
          one.askedAt <= beganAt &&
          isSame(one.edited ?? one.shown, input),
      );
      const found = { invariant: 'approvalsUsedOnce', at: beganAt };
      if (own.length === 0 && !isUnderGrant)
        return [{ ...found, message: `${row} (${tool} ${id}) ran for ${attempt} at ${process}, and nobody had approved it` }];
      const isOther = isFirst(run) && plan !== undefined && own.every(({ preview }) => preview !== undefined && !isSame(preview, plan));
      if (!isOther || isUnderGrant) return [];
      return [{ ...found, message: `${row} (${tool} ${id}) ran for ${attempt} at ${process}, and would do another thing than was shown` }];
    });
}

/** No call begins under a grant that nobody gave, that is revoked, over or used up, or that was given for other calls. */
export function grantsHold({ grants, decisions, runs, attempts }: Observations): Violation[] {
  return grants.flatMap((use, place) => {
    if (use.what !== 'used') return [];
    const before = grants.slice(0, place).filter(({ grant }) => grant === use.grant);
    const given = before.find(({ what }) => what === 'given');
    const decision = given && decisions.find(({ reason }) => reason === given.reason);
    const found = (message: string): Violation[] => [{ invariant: 'grantsHold', at: use.at, message: `${use.row} ran under ${message}` }];
    if (given === undefined || given.reason === undefined) return found('a grant that nobody gave');
    if (decision && (decision.row !== given.row || decision.verdict !== 'approve' || decision.isTaken === false))
      return found('a grant that was given with another decision');
    if (before.some(({ what }) => what === 'revoked')) return found('a grant that was revoked');
    // The answer to the person who gave it may still be on its way as the run ends.
    if (decision === undefined) return [];
    if (decision.grant === undefined) return found('a grant that nobody asked for');
    const { for: whom, maxSize, expiresMs, uses } = decision.grant;
    if (use.clock >= given.clock + expiresMs) return found('a grant whose time was over');
    if (before.filter(({ what }) => what === 'used').length >= uses) return found('a grant that was used up');
    const run = runs.find(({ row }) => row === use.row);
    const [own, asked] = [run?.attempt, attempts.find(({ attempt }) => attempt === decision.row)].map((one) =>
      typeof one === 'string' ? attempts.find(({ attempt }) => attempt === one) : one,
    );
    if (run === undefined || own === undefined || asked === undefined) return [];
    const { size = 0 } = run.input as { readonly size?: number };
    const isCovered = run.tool === decision.tool && size <= maxSize && (whom === 'user' || own.runId === asked.runId);
    return isCovered ? [] : found(`a grant for other calls: ${run.tool} ${run.id}`);
  });
}

/** Compares values, in whichever order their fields come. */
function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
