import { ProtocolError } from '@modelcontextprotocol/server';
import type { Outcome } from '../../../../core/outcome/index.ts';
import type { PendingCallState } from '../../../../parts/guards/index.ts';
import type { McpCaller } from '../caller.ts';

/** A pending call as a task, and what is known of its outcome now. */
export interface FoundTask {
  /** The handle that the client was given. */
  readonly taskId: string;
  /** What is waited for now: a call that was approved may wait again, under another handle. */
  readonly state: PendingCallState;
  readonly outcome: Outcome | undefined;
}

const invalidParams = -32602;
/** An approved call is deferred, or sleeps, under one other handle. */
const mostHandles = 3;

/** Finds the call of a task. Throws an error of the protocol where there is none for this caller. */
export async function findTask(taskId: unknown, caller: McpCaller): Promise<FoundTask> {
  const first = typeof taskId === 'string' ? await caller.pendingCalls?.findPending?.(taskId) : undefined;
  // A task of a tool that this caller may not call is as unknown as one that never was.
  if (first === undefined || !caller.mayCall(first.tool)) throw new ProtocolError(invalidParams, 'There is no such task.');
  let state = first;
  for (let handles = 1; handles < mostHandles && state.outcome?.status === 'pending'; handles += 1) {
    const next = await caller.pendingCalls?.findPending?.(state.outcome.pending.handle);
    if (next === undefined || next.pending.handle === state.pending.handle) break;
    state = { ...next, since: first.since, expiresAt: next.expiresAt };
  }
  const outcome = state.outcome ?? (await caller.pendingCalls?.wait?.(state.pending.handle, { timeoutMs: 0 }));
  return { taskId: String(taskId), state, outcome };
}

/** Checks whether a task has ended. */
export function hasEnded({ outcome }: FoundTask): boolean {
  return outcome !== undefined && outcome.status !== 'pending';
}
