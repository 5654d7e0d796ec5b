import type { Observations } from '../observations.ts';
import { factsOf } from '../tools.ts';
import type { Violation } from './violation.ts';

/** A call that needs an approval runs when that very call was approved, as it was shown. A call that goes on keeps what it was allowed; a rerun is asked for anew. */
export function approvalsUsedOnce({ runs, decisions, steps }: Observations): Violation[] {
  return runs
    .filter(({ tool, place }) => factsOf(tool).needsApproval && (steps.some(({ run }) => run.place === place) || !factsOf(tool).steps))
    .flatMap(({ tool, id, row, attempt, process, input, beganAt }) => {
      const isAllowed = decisions.some(
        (one) =>
          one.row === row && one.verdict === 'approve' && one.isTaken !== false && one.askedAt <= beganAt && isSame(one.shown, input),
      );
      if (isAllowed) return [];
      return [
        {
          invariant: 'approvalsUsedOnce',
          at: beganAt,
          message: `${row} (${tool} ${id}) ran for ${attempt} at ${process}, and nobody had approved it`,
        },
      ];
    });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
