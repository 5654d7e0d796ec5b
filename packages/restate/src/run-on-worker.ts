import type { Outcome } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import { deniedFailure, expiredFailure, refuseWith, withdrawnFailure } from 'toolpact/internal';
import type { Decision } from './call-request.ts';
import type { WorkerScope } from './call-workflow.ts';

/** Lets a call run that Restate sent, unless a person decided against it or it ran before with an unknown end. */
export async function runOnWorker(
  call: GuardedCall,
  next: () => Promise<Outcome>,
  { memory, decision, handle, isLost, key }: WorkerScope,
): Promise<Outcome> {
  call.remember(memory);
  if (decision !== undefined && decision.verdict !== 'approve') return denied(call, handle, decision);
  if (key !== undefined) call.useKey(key);
  return (isLost ? await settleLost(call, memory) : undefined) ?? next();
}

/** Decides about a call that its worker left behind; undefined when it may run again. */
async function settleLost(call: GuardedCall, memory: WorkerScope['memory']): Promise<Outcome | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  call.markMayHaveEffect();
  // The run of a tool without steps is one entry of the journal, in which there is no place for another one.
  const found = await (call.tool.steps ? memory.settleOnce(call.reconcile) : call.reconcile());
  if (found === 'none') return undefined;
  if (found !== undefined) return call.replay(found);
  // Its steps are remembered: each decides for itself.
  if (call.tool.steps) return undefined;
  return call.refuse(
    'interrupted',
    `An earlier run of ${call.tool.name} was interrupted, and it is not known whether it took effect. It was not run again.`,
    { effect: 'unknown' },
  );
}

function denied(call: GuardedCall, handle: string, { verdict, by, reason }: Decision): Outcome {
  const tool = call.tool.name;
  const failures = { cancelled: withdrawnFailure, expired: expiredFailure };
  const failure =
    verdict === 'cancelled' || verdict === 'expired' ? failures[verdict]({ tool, handle }) : deniedFailure(tool, { by, reason, handle });
  return refuseWith(call, failure);
}
