import { type GuardedToolbox, type Store, withdrawnFailure } from '../../ports/index.ts';
import { approvalEvent } from '../../runtime/index.ts';
import { settlePendingSoon } from '../store-access/pending-calls.ts';
import { approvalRecords, demand } from './approval-records.ts';

/**
 * Ends a call that waits for an approval, or that was approved and has not run, as cancelled. A decision that comes later changes nothing, and
 * the same call, made again, asks again. Gives whether there was such a call. Rejects when the store does not answer.
 */
export async function withdrawApproval(toolbox: GuardedToolbox, store: Store, tenant: string, handle: string): Promise<boolean> {
  const records = approvalRecords(store, tenant);
  const found = await demand(() => records.get(handle));
  if (found === undefined || !(found.approval.state === 'waiting' || found.approval.state === 'approved')) return false;
  const reason = 'The call was cancelled.';
  const moved = await demand(() => records.move(found, { state: 'expired', reason }));
  // A decision was faster, or the call that it lets run.
  if (moved === undefined) return withdrawApproval(toolbox, store, tenant, handle);
  const { tool, requestedAt, expiresAt, state } = found.approval;
  toolbox.emit(approvalEvent('approval-expired', moved.approval));
  if (state === 'waiting') await demand(() => records.count(-1, expiresAt - requestedAt)).catch(() => undefined);
  const failure = withdrawnFailure(found.approval);
  await settlePendingSoon(store, tenant, handle, await toolbox.toOutcome(tool, {}, failure, { tenantId: tenant }));
  return true;
}
