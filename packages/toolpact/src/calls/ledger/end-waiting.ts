import type { Outcome, ToolFailure } from '../../outcome/index.ts';
import { expiredFailure, type GuardedCall, type RunPlace, refuseWith, type StoredCall, withdrawnFailure } from '../../ports/index.ts';
import { approvalEvent } from '../../runtime/index.ts';
import { systemClock } from '../../time/index.ts';
import type { Ask } from '../store-access/ask-store.ts';
import { toStored } from './answers.ts';
import { approvalOf, toApproval } from './approval-question.ts';
import type { CallRegistry } from './call-registry.ts';
import { toEnded } from './listed-call.ts';

/** Writes how a call ends that does not run in this process: it waits, or was taken for just that. */
export function endStored(
  { ledger }: Pick<CallRegistry, 'ledger'>,
  call: Pick<StoredCall, 'listed'> & RunPlace,
  outcome: Outcome,
  facts: { readonly keepsSteps?: boolean; readonly keyCountsMs?: number; readonly guessAbout?: number } = {},
) {
  const { keepsSteps = false, ...rest } = facts;
  const listed = toEnded(call.listed, outcome, systemClock.now());
  return ledger.end(call, { outcome: toStored(outcome), listed, keepsSteps, ...rest });
}

/** Ends a call that no person decided about in time, so that an equal one asks anew. */
export async function endExpired(registry: CallRegistry, call: GuardedCall, found: StoredCall, ask: Ask): Promise<void> {
  await endWaiting(registry, call, found, ask, expiredFailure({ tool: found.tool, handle: found.handle }));
  const question = approvalOf(found);
  if (question !== undefined) call.emit(approvalEvent('approval-expired', toApproval(question, found)));
}

/** Ends a call that waits for an approval which would be asked for otherwise now. */
export function endWithdrawn(registry: CallRegistry, call: GuardedCall, found: StoredCall, ask: Ask): Promise<void> {
  return endWaiting(registry, call, found, ask, withdrawnFailure({ tool: found.tool, handle: found.handle }));
}

async function endWaiting(registry: CallRegistry, call: GuardedCall, found: StoredCall, ask: Ask, failure: ToolFailure): Promise<void> {
  await ask(() => endStored(registry, found, refuseWith(call, failure), { keyCountsMs: 0 }));
}
