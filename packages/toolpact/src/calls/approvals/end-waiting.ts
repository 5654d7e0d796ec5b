import type { Outcome, ToolFailure } from '../../outcome/index.ts';
import { expiredFailure, type GuardedCall, type RunPlace, refuseWith, type StoredCall, withdrawnFailure } from '../../ports/index.ts';
import { approvalEvent } from '../../runtime/index.ts';
import { nextTurn, systemClock } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { toCallEnd } from '../run/answers.ts';
import type { Ask } from '../store/ask-store.ts';
import { approvalOf, deniedForMs, isExpired, toApproval } from './approval-question.ts';

/** Writes how a call ends that does not run in this process: it waits, or was taken for just that. */
export function endStored(
  { ledger }: Pick<CallRegistry, 'ledger'>,
  call: Pick<StoredCall, 'listed'> & RunPlace,
  outcome: Outcome,
  facts: { readonly keepsSteps?: boolean; readonly keyCountsMs?: number; readonly guessAbout?: number } = {},
) {
  return ledger.end(call, toCallEnd(call.listed, outcome, { keepsSteps: false, ...facts }));
}

/** Ends a call that no person decided about in time, so that an equal one asks anew. */
export async function endExpired(registry: CallRegistry, call: GuardedCall, waitingCall: StoredCall, ask: Ask): Promise<void> {
  const question = approvalOf(waitingCall);
  const keyCountsMs = question === undefined ? 0 : deniedForMs(question);
  await endWaiting(registry, call, waitingCall, ask, expiredFailure({ tool: waitingCall.tool, handle: waitingCall.handle }), keyCountsMs);
  if (question !== undefined) call.emit(approvalEvent('approval-expired', toApproval(question, waitingCall)));
}

/** How many calls are looked through for those that no person decided about in time. */
const mostExpired = 2_000;

/** For so long a tenant is not looked through again after there was nothing to end. */
const quietMs = 1_000;

/**
 * Ends the calls of a tenant that no person decided about in time, so that there is room for others; gives whether there were any. Calls that need
 * room at the same moment share the look: it costs as much as all that waits.
 */
export function endAllExpired(registry: CallRegistry, call: GuardedCall, ask: Ask): Promise<boolean> {
  const { roomLooks } = registry;
  const { tenantId } = call;
  const sharedLook = roomLooks.get(tenantId);
  if (sharedLook !== undefined) return sharedLook;
  const look = lookForExpired(registry, call, ask).then(
    (hasEnded) => {
      if (hasEnded) roomLooks.delete(tenantId);
      else roomLooks.set(tenantId, look, systemClock.monotonic() + quietMs);
      return hasEnded;
    },
    (error: unknown) => {
      roomLooks.delete(tenantId);
      throw error;
    },
  );
  roomLooks.set(tenantId, look, Number.POSITIVE_INFINITY);
  return look;
}

async function lookForExpired(registry: CallRegistry, call: GuardedCall, ask: Ask): Promise<boolean> {
  let hasEnded = false;
  let cursor: string | undefined;
  for (let looked = 0; looked < mostExpired; ) {
    const query = { tenant: call.tenantId, status: ['pending' as const], limit: 100, cursor };
    const page = await ask(() => registry.ledger.list(query));
    if (!page.ok) break;
    for (const row of page.value.rows) {
      const answer = await ask(() => registry.ledger.get(row.tenant, row.id));
      const waiting = answer.ok && answer.value?.stage === 'waiting' ? answer.value : undefined;
      const approval = waiting && approvalOf(waiting);
      if (waiting === undefined || approval === undefined || !isExpired(approval, waiting.readAt)) continue;
      await endExpired(registry, call, waiting, ask);
      hasEnded = true;
    }
    looked += page.value.rows.length;
    cursor = page.value.next;
    if (cursor === undefined) break;
    // A store in this process answers at once: other calls get their turn.
    await nextTurn();
  }
  return hasEnded;
}

/** Ends a call that waits for an approval which would be asked for otherwise now. */
export function endWithdrawn(registry: CallRegistry, call: GuardedCall, waitingCall: StoredCall, ask: Ask): Promise<void> {
  return endWaiting(registry, call, waitingCall, ask, withdrawnFailure({ tool: waitingCall.tool, handle: waitingCall.handle }));
}

async function endWaiting(
  registry: CallRegistry,
  call: GuardedCall,
  waitingCall: StoredCall,
  ask: Ask,
  failure: ToolFailure,
  keyCountsMs = 0,
): Promise<void> {
  await ask(() => endStored(registry, waitingCall, refuseWith(call, failure), { keyCountsMs }));
}
