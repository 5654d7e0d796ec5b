import { ProtocolError } from '@modelcontextprotocol/server';
import type { Outcome, PendingOutcome } from 'toolpact';
import type { PendingCallState } from 'toolpact/guards';
import { encodeMcpResult, isRecord, type ListedMcpTools, type McpRequest, systemClock } from 'toolpact/internal';
import type { McpApproval } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { cancelTask } from './cancel-task.ts';
import { type FoundTask, findTask, hasEnded, isOwnTask } from './find-task.ts';
import { taskChanges } from './task-changes.ts';
import { answerQuestion, questionsOf } from './task-questions.ts';
import { type TaskShape, taskStatus, toTask } from './task-shape.ts';
import type { RepeatableCall, WaitingCalls } from './waiting-calls.ts';

/** A task as 2025-11-25 writes it. */
export interface HandshakeTask extends Omit<TaskShape, 'ttlMs' | 'pollIntervalMs'> {
  readonly ttl: number | null;
  readonly pollInterval: number;
}

/** The client of a task, reached through its server of the SDK: its capabilities, and a way to send it notifications. */
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
/** So long a task is watched at most, to notify its client of its end, and so many are watched at once. */
const maxWatchedMs = 3_600_000;
const maxWatched = 1_000;
/** A handler has a second to end by itself. */
const cancelMs = 2_000;

/** Creates the tasks of older clients. `mayBeTask` checks the name of a tool, in any spelling. */
export function createHandshakeTasks(
  listed: ListedMcpTools,
  approval: McpApproval,
  waiting: WaitingCalls,
  { mayBeTask, strict }: { readonly mayBeTask: (name: string) => boolean; readonly strict?: boolean | undefined },
): HandshakeTasks {
  let watched = 0;

  /** Notifies a client when its task asks for something, and when it has ended. */
  async function watch(handle: string, caller: McpCaller, client: TaskClient): Promise<void> {
    if (watched >= maxWatched) return;
    watched += 1;
    const ending = new AbortController();
    const stop = systemClock.after(maxWatchedMs, () => ending.abort(), { background: true });
    try {
      const changes = taskChanges(handle, caller, ending.signal);
      // The client knows the first state.
      await changes.next();
      for await (const found of changes) await client.notify({ method: statusMethod, params: toHandshake(found) });
    } catch {
      // A client that is gone asks itself.
    } finally {
      stop();
      watched -= 1;
    }
  }

  /** Asks the client that waits for a result what its call asks. True if it approved or denied the call. */
  async function askClient({ state }: FoundTask, request: McpRequest, caller: McpCaller, client: TaskClient): Promise<boolean> {
    if (state.pending.reason === 'approval') {
      return approval.askNow(toPendingOutcome(state), caller, request.host, client.capabilities);
    }
    for (const question of questionsOf(state)) {
      const answer = await approval.elicit(question, request.host, client.capabilities);
      await answerQuestion(question, answer, caller);
    }
    return false;
  }

  /** Waits until a task has ended; asks its client meanwhile for what it needs. */
  async function untilEnded(taskId: string, request: McpRequest, caller: McpCaller, client: TaskClient): Promise<Outcome> {
    const { signal = new AbortController().signal } = request;
    for await (const found of taskChanges(taskId, caller, signal)) {
      const { state, outcome } = found;
      if (outcome !== undefined && outcome.status !== 'pending') return outcome;
      if (await isApproved(state, caller)) waiting.goOn(state.pending.handle);
      else if (taskStatus(outcome, state.pending) === 'input_required' && (await askClient(found, request, caller, client))) {
        waiting.goOn(state.pending.handle);
      }
    }
    throw new ProtocolError(internalError, 'The request was cancelled.');
  }

  return {
    isTask(params, { era }) {
      const { task, name } = isRecord(params) ? params : {};
      if (era !== 'handshake' || !isRecord(task)) return false;
      if (!mayBeTask(String(name))) throw new ProtocolError(methodNotFound, 'This tool cannot be called as a task.');
      return true;
    },
    async create(outcome, caller, call, client) {
      const { pendingCalls } = caller;
      const handle =
        outcome.status === 'pending' ? outcome.pending.handle : await pendingCalls?.keepOutcome?.(outcome, caller.tasksOf || undefined);
      if (handle === undefined) throw new ProtocolError(internalError, 'The task could not be stored.');
      const found = await findTask(handle, caller);
      if (outcome.status === 'pending') {
        const { expiresAt = Number.POSITIVE_INFINITY, pending } = found.state;
        if (pending.reason === 'approval') waiting.keep(caller.tenantId ?? '', handle, call, expiresAt);
        if (client !== undefined) void watch(handle, caller, client);
      }
      return { task: toHandshake(found) };
    },
    answers: {
      async 'tasks/get'(params, _request, caller) {
        const found = await findTask(taskIdOf(params), caller);
        if (await isApproved(found.state, caller)) waiting.goOn(found.state.pending.handle);
        return toHandshake(found);
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
        const own = (page?.calls ?? []).filter((state) => caller.mayCall(state.tool) && isOwnTask(state, caller));
        const tasks = own.map((state) => toHandshake({ taskId: state.pending.handle, state, outcome: state.outcome }));
        return { tasks, ...(page?.next !== undefined && { nextCursor: String(page.next) }) };
      },
      async 'tasks/cancel'(params, _request, caller) {
        const found = await findTask(taskIdOf(params), caller);
        const { handle } = found.state.pending;
        const isNoted = !hasEnded(found) && found.state.cancelledAt === undefined && (await caller.pendingCalls?.noteCancelled?.(handle));
        if (isNoted === false) throw new ProtocolError(invalidParams, 'The task has ended already.');
        await cancelTask(found, caller, waiting);
        // Where the cancellation cannot be stored, only the end of the call shows it.
        if (isNoted === undefined) await caller.pendingCalls?.wait?.(handle, { timeoutMs: cancelMs });
        return toHandshake(await findTask(found.taskId, caller));
      },
    },
  };
}

/** A decision may have been made elsewhere, after which the call goes on where it is known. */
async function isApproved({ pending, outcome }: PendingCallState, caller: McpCaller): Promise<boolean> {
  if (pending.reason !== 'approval' || taskStatus(outcome, pending) !== 'input_required') return false;
  return (await caller.findApproval?.(pending.handle))?.state === 'approved';
}

function toPendingOutcome({ pending, tool, invocationId }: PendingCallState): PendingOutcome {
  return { status: 'pending', pending, meta: { tool, invocationId, tookMs: 0.001, attempts: 0 } };
}

function taskIdOf(params: unknown): unknown {
  return isRecord(params) ? params.taskId : undefined;
}

/** A task that its client cancelled is cancelled at once and stays so, whatever its call still does. */
function toHandshake(found: FoundTask): HandshakeTask {
  const { ttlMs, pollIntervalMs, ...task } = toTask(found);
  const { cancelledAt } = found.state;
  const end = cancelledAt !== undefined && { status: 'cancelled' as const, lastUpdatedAt: new Date(cancelledAt).toISOString() };
  return { ...task, ...end, ttl: ttlMs, pollInterval: pollIntervalMs };
}
