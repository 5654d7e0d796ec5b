import { ProtocolError } from '@modelcontextprotocol/server';
import type { Outcome } from 'toolpact';
import type { PendingCallState } from 'toolpact/guards';
import { hasScope } from '../../auth/identity.ts';
import type { McpCaller } from '../caller.ts';

/** A pending call as a task, and what is known of its outcome now. */
export interface FoundTask {
  /** The handle that the client was given. */
  readonly taskId: string;
  /** The state of the call now. A call that was approved may wait again, under another handle. */
  readonly state: PendingCallState;
  readonly outcome: Outcome | undefined;
}

const invalidParams = -32602;
/** An approved call is deferred, or sleeps, under one other handle. */
const maxHandles = 3;

/** Finds the call of a task. Throws an error of the protocol where there is none for this caller. By default a task is for the caller who made its call. */
export async function findTask(taskId: unknown, caller: McpCaller, mayUse: typeof isOwnTask = isOwnTask): Promise<FoundTask> {
  const first = typeof taskId === 'string' ? await caller.pendingCalls?.findPending?.(taskId) : undefined;
  // A task of a tool that this caller may not call is as unknown as one that never was.
  if (first === undefined || !caller.mayCall(first.tool)) throw noTask();
  let state = first;
  for (let handles = 1; handles < maxHandles && state.outcome?.status === 'pending'; handles += 1) {
    const next = await caller.pendingCalls?.findPending?.(state.outcome.pending.handle);
    if (next === undefined || next.pending.handle === state.pending.handle) break;
    const { cancelledAt = next.cancelledAt } = state;
    state = { ...next, since: first.since, expiresAt: next.expiresAt, ...(cancelledAt !== undefined && { cancelledAt }) };
  }
  if (!mayUse(state, caller)) throw noTask();
  const outcome = state.outcome ?? (await caller.pendingCalls?.wait?.(state.pending.handle, { timeoutMs: 0 }));
  return { taskId: String(taskId), state, outcome };
}

/** Checks whether a caller made the call of a task. */
export function isOwnTask({ userId = '' }: PendingCallState, { tasksOf = userId }: McpCaller): boolean {
  return userId === tasksOf;
}

/** Checks whether a caller may answer what a call waits for: its own caller may, and others of the tenant who have the scope for it. */
export function mayAnswerTask(state: PendingCallState, caller: McpCaller): boolean {
  const isAllowed = state.pending.reason === 'approval' ? caller.mayDecide : hasScope(caller, 'pending:settle');
  return isAllowed || isOwnTask(state, caller);
}

/** Tasks of others are as unknown as those that never were. */
function noTask(): ProtocolError {
  return new ProtocolError(invalidParams, 'There is no such task.');
}

/** Checks whether a task has ended. */
export function hasEnded({ outcome }: FoundTask): boolean {
  return outcome !== undefined && outcome.status !== 'pending';
}
