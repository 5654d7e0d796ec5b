import { ProtocolError } from '@modelcontextprotocol/server';
import { isRecord } from '../../../../core/json/index.ts';
import type { Outcome, PendingOutcome } from '../../../../core/outcome/index.ts';
import type { PendingCallState } from '../../../../parts/guards/index.ts';
import { encodeMcpResult, type ListedMcpTools, type McpRequest } from '../../../../parts/mcp/index.ts';
import type { McpApproval } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { findTask } from './find-task.ts';
import { type TaskShape, taskStatus, toTask } from './task-shape.ts';
import type { RepeatableCall, WaitingCalls } from './waiting-calls.ts';

/** A task as 2025-11-25 writes it. */
export interface HandshakeTask extends Omit<TaskShape, 'ttlMs' | 'pollIntervalMs'> {
  readonly ttl: number | null;
  readonly pollInterval: number;
}

/** What a server of the SDK is to a task: it says what its client can do, and sends it notifications. */
export interface TaskClient {
  readonly capabilities: () => unknown;
  readonly notify: (notification: { readonly method: string; readonly params: object }) => Promise<unknown>;
}

/** Speaks of pending calls as tasks in the form of 2025-11-25, to clients that send a call as one. */
export interface HandshakeTasks {
  /** Checks whether a call is sent as a task. Throws an error of the protocol for a tool that is no task. */
  readonly isTask: (params: unknown, request: McpRequest) => boolean;
  /** Gives a call as a task, whether it waits or has ended. */
  readonly create: (outcome: Outcome, caller: McpCaller, call: RepeatableCall, client: TaskClient | undefined) => Promise<object>;
  /** Answers the requests about tasks, by method. They reject with errors of the protocol. */
  readonly answers: Readonly<
    Record<string, (params: unknown, request: McpRequest, caller: McpCaller, client: TaskClient) => Promise<object>>
  >;
}

const relatedTask = 'io.modelcontextprotocol/related-task';
const statusMethod = 'notifications/tasks/status';
const [invalidParams, methodNotFound, internalError] = [-32602, -32601, -32603];
const pageSize = 50;
/** So long one look at the store waits for the end of a task. */
const lookMs = 20_000;
/** So long a task is watched at most, to notify its client of its end, and so many are watched at once. */
const mostWatchedMs = 3_600_000;
const mostWatched = 1_000;
/** A handler has a second to end by itself. */
const cancelMs = 2_000;

/** Makes what speaks of tasks to older clients. `names` are the tools that can be tasks, as clients know them. */
export function createHandshakeTasks(
  listed: ListedMcpTools,
  approval: McpApproval,
  waiting: WaitingCalls,
  { names, strict }: { readonly names: ReadonlySet<string>; readonly strict?: boolean | undefined },
): HandshakeTasks {
  let watched = 0;

  /** Notifies a client when its task has ended. */
  async function watch(handle: string, caller: McpCaller, client: TaskClient): Promise<void> {
    if (watched >= mostWatched) return;
    watched += 1;
    try {
      await caller.pendingCalls?.wait?.(handle, { timeoutMs: mostWatchedMs });
      const { state, outcome } = await findTask(handle, caller);
      await client.notify({ method: statusMethod, params: toHandshake(toTask(state, outcome)) });
    } catch {
      // A client that is gone asks itself.
    } finally {
      watched -= 1;
    }
  }

  /** Waits until a task has ended; asks its client meanwhile for the approval that it needs. */
  async function untilEnded(handle: string, request: McpRequest, caller: McpCaller, client: TaskClient): Promise<Outcome> {
    let isAsked = false;
    while (request.signal?.aborted !== true) {
      const { state, outcome } = await findTask(handle, caller);
      if (outcome !== undefined && outcome.status !== 'pending') return outcome;
      if (await isApproved(state, caller)) waiting.goOn(handle);
      else if (!isAsked && state.pending.reason === 'approval') {
        isAsked = true;
        if (await approval.askNow(toPendingOutcome(state), caller, request.host, client.capabilities)) continue;
      }
      await caller.pendingCalls?.wait?.(handle, { timeoutMs: isAsked ? 1_000 : lookMs, ...(request.signal && { signal: request.signal }) });
    }
    throw new ProtocolError(internalError, 'The request was cancelled.');
  }

  return {
    isTask(params, { era }) {
      const { task, name } = isRecord(params) ? params : {};
      if (era !== 'handshake' || !isRecord(task)) return false;
      if (!names.has(String(name))) throw new ProtocolError(methodNotFound, 'This tool cannot be called as a task.');
      return true;
    },
    async create(outcome, caller, call, client) {
      const { pendingCalls } = caller;
      const handle = outcome.status === 'pending' ? outcome.pending.handle : await pendingCalls?.keepOutcome?.(outcome);
      if (handle === undefined) throw new ProtocolError(internalError, 'The task could not be stored.');
      const found = await findTask(handle, caller);
      if (outcome.status === 'pending') {
        const { expiresAt = Number.POSITIVE_INFINITY, pending } = found.state;
        if (pending.reason === 'approval') waiting.keep(caller.tenantId ?? '', handle, call, expiresAt);
        if (client !== undefined) void watch(handle, caller, client);
      }
      return { task: toHandshake(toTask(found.state, found.outcome)) };
    },
    answers: {
      async 'tasks/get'(params, _request, caller) {
        const { state, outcome } = await findTask(taskIdOf(params), caller);
        if (await isApproved(state, caller)) waiting.goOn(state.pending.handle);
        return toHandshake(toTask(state, outcome));
      },
      async 'tasks/result'(params, request, caller, client) {
        const taskId = taskIdOf(params);
        const outcome = await untilEnded(String(taskId), request, caller, client);
        const result = encodeMcpResult(outcome, listed, 'handshake', strict);
        return { ...result, _meta: { ...result._meta, [relatedTask]: { taskId } } };
      },
      async 'tasks/list'(params, _request, caller) {
        const { cursor } = isRecord(params) ? params : {};
        if (cursor !== undefined && !/^\d{1,15}$/.test(String(cursor))) throw new ProtocolError(invalidParams, 'There is no such cursor.');
        const page = await caller.pendingCalls?.listPending?.({ limit: pageSize, ...(cursor !== undefined && { after: Number(cursor) }) });
        const own = (page?.calls ?? []).filter(({ tool }) => caller.mayCall(tool));
        const tasks = own.map((state) => toHandshake(toTask(state, state.outcome)));
        return { tasks, ...(page?.next !== undefined && { nextCursor: String(page.next) }) };
      },
      async 'tasks/cancel'(params, _request, caller) {
        const { state, outcome } = await findTask(taskIdOf(params), caller);
        const { handle } = state.pending;
        if (outcome !== undefined && outcome.status !== 'pending') throw new ProtocolError(invalidParams, 'The task has ended already.');
        await caller.pendingCalls?.cancel?.(state.invocationId);
        const ended = state.pending.reason === 'running' ? await caller.pendingCalls?.wait?.(handle, { timeoutMs: cancelMs }) : undefined;
        return toHandshake(toTask((await findTask(handle, caller)).state, ended ?? outcome));
      },
    },
  };
}

/** A decision may have been made elsewhere, after which the call goes on where it is known. */
async function isApproved({ pending, outcome }: PendingCallState, caller: McpCaller): Promise<boolean> {
  if (pending.reason !== 'approval' || taskStatus(outcome, pending) !== 'input_required') return false;
  return (await caller.pendingCalls?.findApproval?.(pending.handle))?.state === 'approved';
}

function toPendingOutcome({ pending, tool, invocationId }: PendingCallState): PendingOutcome {
  return { status: 'pending', pending, meta: { tool, invocationId, tookMs: 0.001, attempts: 0 } };
}

function taskIdOf(params: unknown): unknown {
  return isRecord(params) ? params.taskId : undefined;
}

function toHandshake({ ttlMs, pollIntervalMs, ...task }: TaskShape): HandshakeTask {
  return { ...task, ttl: ttlMs, pollInterval: pollIntervalMs };
}
