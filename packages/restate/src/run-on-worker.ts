import type { Outcome } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import type { WorkerScope } from './call-workflow.ts';

/** Lets a call run that Restate sent, unless it ran before with an unknown end. */
export async function runOnWorker(call: GuardedCall, next: () => Promise<Outcome>, { memory, isLost, key }: WorkerScope): Promise<Outcome> {
  call.remember(memory);
  if (key !== undefined) call.useKey(key);
  return (isLost ? await settleLost(call) : undefined) ?? next();
}

/** Decides about a call of a tool without steps that its worker left behind; undefined when it may run again. */
async function settleLost(call: GuardedCall): Promise<Outcome | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  call.markMayHaveEffect();
  const reconciled = await call.reconcile();
  if (reconciled === 'none') return undefined;
  if (reconciled !== undefined) return call.replay(reconciled);
  return call.refuse(
    'interrupted',
    `An earlier run of ${call.tool.name} was interrupted, and it is not known whether it took effect. It was not run again.`,
    { effect: 'unknown' },
  );
}
