import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';
import type { RunMemory } from './step-memory.ts';

/** Decides about a call that its process left behind; undefined when it may run again. */
export async function settleLost(
  call: GuardedCall,
  memory?: RunMemory,
): Promise<{ readonly outcome: Outcome; readonly isGuess: boolean } | undefined> {
  if (call.tool.effects !== 'writes') return undefined;
  // Its steps are remembered: it runs from its top, and each step decides for itself.
  if (call.tool.steps && !(call.tool.canReconcile && memory?.isDoubtful() === true)) return undefined;
  const reconciled = await call.reconcile();
  if (call.tool.steps && (reconciled === 'none' || reconciled === undefined)) {
    if (reconciled === 'none') memory?.clearDoubts();
    return undefined;
  }
  if (reconciled === 'none') return undefined;
  if (reconciled !== undefined) return { outcome: call.replay(reconciled), isGuess: false };
  const message = `An earlier run of ${call.tool.name} was interrupted, and it is not known whether it took effect. It was not run again.`;
  return { outcome: call.refuse('interrupted', message, { effect: 'unknown' }), isGuess: true };
}
