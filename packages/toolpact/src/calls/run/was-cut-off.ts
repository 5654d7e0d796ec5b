import type { StoredCall, TakenCall } from '../../ports/index.ts';

/** Marks a call that waits for another run because the process of an earlier one died in it: what that run did last may have left no trace. */
export const cutOffWarning = 'interrupted: the process of this call died, and the call continues later';

/** Checks whether a process died in a call, just now or before the call waited for another run. */
export function wasCutOff({ wasDead, outcome }: Partial<Pick<TakenCall, 'wasDead'>> & Pick<StoredCall, 'outcome'>): boolean {
  return wasDead === true || outcome?.meta.warnings?.includes(cutOffWarning) === true;
}

/** Checks whether a call waited for its approval, and did nothing since: steps that it has are those of the call that it runs again. */
export function waitsToBegin(taken: Pick<TakenCall, 'wasDead' | 'outcome'>): boolean {
  return !wasCutOff(taken) && taken.outcome?.status === 'pending' && taken.outcome.pending.reason === 'approval';
}
