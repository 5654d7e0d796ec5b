import { ProtocolError } from '@modelcontextprotocol/server';
import type { Outcome, Pending, RecordedCall } from 'toolpact';
import { hasScope, mayCall } from '../../auth/identity.ts';
import { readsStoredResult } from '../../request/authorize-result-read.ts';
import type { McpCaller } from '../caller.ts';

/** A remembered call as a task, and what is known of its outcome now. */
export interface FoundTask {
  /** The handle that the client was given. */
  readonly taskId: string;
  readonly call: RecordedCall;
  /** How it ended; undefined while it runs or waits. */
  readonly outcome: Outcome | undefined;
}

const invalidParams = -32602;

/** Finds the call of a task. Throws an error of the protocol where there is none for this caller. By default a task is for the caller who made its call. */
export async function findTask(taskId: unknown, caller: McpCaller, mayUse: typeof mayAnswerTask = isOwnTask): Promise<FoundTask> {
  const call = typeof taskId === 'string' ? await caller.remembered?.calls.get(taskId) : undefined;
  // A task of a tool that this caller may not call is as unknown as one that never was, and so are tasks of others.
  if (call === undefined || !maySeeTask(call, caller) || !mayUse(call, caller)) throw noTask();
  return toFound(String(taskId), call, caller);
}

/**
 * Checks whether a caller sees the calls of a tool as tasks: of one that may call few tools, the same user may have another credential, whose
 * searches and stored results show more.
 */
export function maySeeTask({ tool }: Pick<RecordedCall, 'tool'>, { tenantId = '', scopes }: McpCaller): boolean {
  const identity = { tenantId, ...(scopes !== undefined && { scopes }) };
  return mayCall(identity, tool) && !readsStoredResult(identity, tool);
}

/** Looks at a remembered call as a task. */
export async function toFound(taskId: string, call: RecordedCall, caller: McpCaller): Promise<FoundTask> {
  // Of a call whose process is gone, only whoever waits for it learns whether somebody goes on with it.
  const outcome = call.lost === true ? await caller.remembered?.calls.wait(call.id, { timeoutMs: 0 }) : call.outcome;
  return { taskId, call, outcome: outcome?.status === 'pending' ? undefined : outcome };
}

/** Says what a call waits for: a call that runs is waited for, too. */
export function pendingOf({ id, handle = id, pending }: RecordedCall): Pending {
  return pending ?? { handle, reason: 'running' };
}

/** Checks whether a caller made the call of a task. */
export function isOwnTask({ userId = '' }: Pick<RecordedCall, 'userId'>, { tasksOf = userId }: McpCaller): boolean {
  return userId === tasksOf;
}

/** Checks whether a caller may answer what a call waits for: its own caller may, and others of the tenant who have the scope for it. */
export function mayAnswerTask(call: RecordedCall, caller: McpCaller): boolean {
  const isAllowed = pendingOf(call).reason === 'approval' ? caller.mayDecide : hasScope(caller, 'pending:settle');
  return isAllowed || isOwnTask(call, caller);
}

function noTask(): ProtocolError {
  return new ProtocolError(invalidParams, 'There is no such task.');
}

/** Checks whether a task has ended. */
export function hasEnded({ outcome }: FoundTask): boolean {
  return outcome !== undefined;
}
