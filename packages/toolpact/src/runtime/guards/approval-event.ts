import type { EventDraft } from '../../events/index.ts';
import type { Approval } from '../../ports/index.ts';

/** The event that reports each final state of an approval. */
export const decisionEvents = { approved: 'approval-granted', denied: 'approval-denied', expired: 'approval-expired' } as const;

/** Writes an approval as an event. */
export function approvalEvent(
  type: (typeof decisionEvents)[keyof typeof decisionEvents] | 'approval-requested',
  approval: Approval,
): EventDraft {
  const { handle, tool, invocationId, callId, sessionId, by, reason } = approval;
  return {
    type,
    handle,
    tool,
    invocationId,
    ...(callId !== undefined && { callId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
}
