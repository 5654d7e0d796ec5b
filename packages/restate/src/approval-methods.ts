import type { GuardedToolbox } from 'toolpact/extend';
import type { Approval, ApprovalMethods } from 'toolpact/guards';
import { approvalEvent, assertDecision, decisionEvents } from 'toolpact/internal';
import type { Decision } from './call-request.ts';
import { decisionName } from './call-workflow.ts';
import type { RestateIngress } from './restate-ingress.ts';
import { toDecided } from './waiting-approvals.ts';

/** Makes the methods with which people decide about calls that wait in Restate, for one tenant. */
export function createApprovalMethods(
  ingress: RestateIngress,
  toolbox: Pick<GuardedToolbox, 'redact' | 'emit'>,
  tenant: string,
): ApprovalMethods {
  const find = async (handle: string): Promise<Approval | undefined> => (await ingress.look(tenant, handle))?.approval;

  /** Lists those that can be decided about; one that has just expired may still be in the list. */
  async function listApprovals({ limit = Number.POSITIVE_INFINITY, after }: Parameters<ApprovalMethods['listApprovals']>[0] = {}) {
    const found: Approval[] = [];
    for (let last = after; found.length < limit; ) {
      const wanted = Math.min(pageSize, limit - found.length);
      const read = await ingress.approvals(tenant, { limit: wanted, ...(last !== undefined && { after: last }) });
      found.push(...read.filter(({ expiresAt }) => expiresAt > Date.now()));
      if (read.length < wanted) break;
      last = read.at(-1)?.handle;
    }
    return found;
  }

  return {
    listApprovals,
    findApproval: find,
    async decide(handle, verdict, facts = {}) {
      assertDecision(verdict, facts);
      const { by, reason } = facts;
      const approval = await find(handle);
      if (approval === undefined) return { ok: false, why: 'unknown' };
      if (approval.state !== 'waiting') return { ok: false, why: approval.state === 'expired' ? 'expired' : 'decided', approval };
      if (approval.expiresAt <= Date.now()) return { ok: false, why: 'expired', approval: { ...approval, state: 'expired' } };
      const decision: Decision = {
        verdict,
        at: Date.now(),
        ...(by !== undefined && { by }),
        ...(reason !== undefined && { reason: toolbox.redact(String(reason)) }),
      };
      const settled = await ingress.settle(tenant, handle, decisionName, decision);
      if (settled.is === 'taken') return { ok: false, why: 'decided', approval: (await find(handle)) ?? approval };
      if (settled.is !== 'settled') throw new Error('The decision could not be stored: Restate does not answer.');
      const decided = toDecided(approval, decision, { approve: 'approved' });
      toolbox.emit(approvalEvent(verdict === 'approve' ? decisionEvents.approved : decisionEvents.denied, decided));
      return { ok: true, approval: decided };
    },
    async withdraw(handle) {
      const approval = await find(handle);
      if (approval?.state !== 'waiting' || !(await ingress.stop(tenant, handle))) return false;
      toolbox.emit(approvalEvent('approval-expired', { ...approval, state: 'expired', reason: 'The call was cancelled.' }));
      return true;
    },
  };
}

/** How many are read at once. */
const pageSize = 100;
