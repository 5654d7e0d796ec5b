import type { Ledger, StoredCall } from '../../ports/index.ts';
import { approvalOf } from './approval-question.ts';

/** Lets a call that was approved, and did not get as far as to run, wait for another try, for as long as its approval can be used. */
export async function waitAgain(ledger: Ledger, call: StoredCall): Promise<{ readonly is: string } | undefined> {
  const { outcome, listed, readAt } = call;
  if (outcome === undefined) return undefined;
  const expiresAt = approvalOf(call)?.expiresAt;
  // When it is due was forgotten as it was taken.
  const wakeMs = expiresAt === undefined ? undefined : Math.max(1, expiresAt - readAt);
  return ledger.wait(call, { outcome, listed, questions: [], ...(wakeMs !== undefined && { wakeMs }) });
}
