import { ProtocolError } from '@modelcontextprotocol/server';
import type { Outcome } from '../../../../core/outcome/index.ts';
import type { PendingCallState } from '../../../../parts/guards/index.ts';
import type { McpCaller } from '../caller.ts';

/** A pending call, and what is known of its outcome now. */
export interface FoundTask {
  readonly state: PendingCallState;
  readonly outcome: Outcome | undefined;
}

const invalidParams = -32602;

/** Finds the call of a task. Throws an error of the protocol where there is none for this caller. */
export async function findTask(taskId: unknown, caller: McpCaller): Promise<FoundTask> {
  const state = typeof taskId === 'string' ? await caller.pendingCalls?.findPending?.(taskId) : undefined;
  // A task of a tool that this caller may not call is as unknown as one that never was.
  if (state === undefined || !caller.mayCall(state.tool)) throw new ProtocolError(invalidParams, 'There is no such task.');
  return { state, outcome: state.outcome ?? (await caller.pendingCalls?.wait?.(state.pending.handle, { timeoutMs: 0 })) };
}
