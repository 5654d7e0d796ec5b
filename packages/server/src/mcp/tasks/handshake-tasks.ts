import { ProtocolError } from '@modelcontextprotocol/server';
import { type CallPage, type ListedCall, type Outcome, type PendingOutcome, type RecordedCall, ToolpactError } from 'toolpact';
import { encodeMcpResult, isRecord, type ListedMcpTools, type McpRequest, systemClock } from 'toolpact/internal';
import type { McpApproval } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { cancelTask } from './cancel-task.ts';
import { type FoundTask, findTask, isOwnTask, maySeeTask, pendingOf, toFound } from './find-task.ts';
import { expiryOf, isApproved } from './task-approval.ts';
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
  /** Returns a call as a task, whether it waits or has ended. */
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

/** Creates the tasks of older clients. `mayBeTask` checks the name of a tool, in any spelling. */
export function createHandshakeTasks(
  listed: ListedMcpTools,
  approval: McpApproval,
  waiting: WaitingCalls,
  { mayBeTask, strict }: { readonly mayBeTask: (name: string) => boolean; readonly strict?: boolean | undefined },
): HandshakeTasks {
  let watched = 0;

  /** Each call of a tool that may be a task is one, and so is each that waits. */
  const isTask = ({ tool, status }: ListedCall): boolean => status === 'pending' || mayBeTask(tool);

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
      for await (const task of changes) await client.notify({ method: statusMethod, params: toHandshake(task) });
    } catch {
      // A client that is gone asks itself.
    } finally {
      stop();
      watched -= 1;
    }
  }

  /** Asks the client that waits for a result what its call asks. True if it approved or denied the call. */
  async function askClient({ call }: FoundTask, request: McpRequest, caller: McpCaller, client: TaskClient): Promise<boolean> {
    if (pendingOf(call).reason === 'approval') {
      return approval.askNow(toPendingOutcome(call), caller, request.host, client.capabilities);
    }
    for (const question of questionsOf(call)) {
      const answer = await approval.elicit(question, request.host, client.capabilities);
      await answerQuestion(question, answer, caller);
    }
    return false;
  }

  /** Waits until a task has ended; asks its client meanwhile for what it needs. */
  async function untilEnded(taskId: string, request: McpRequest, caller: McpCaller, client: TaskClient): Promise<Outcome> {
    const { signal = new AbortController().signal } = request;
    for await (const task of taskChanges(taskId, caller, signal)) {
      if (task.outcome !== undefined) return task.outcome;
      const { handle } = pendingOf(task.call);
      if (isApproved(task.call)) waiting.goOn(handle);
      else if (taskStatus(task) === 'input_required' && (await askClient(task, request, caller, client))) waiting.goOn(handle);
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
      const handle = outcome.status === 'pending' ? outcome.pending.handle : await handleOf(outcome, caller);
      if (handle === undefined) throw new ProtocolError(internalError, 'The task could not be stored.');
      const task = await findTask(handle, caller);
      if (outcome.status === 'pending') {
        if (outcome.pending.reason === 'approval') waiting.keep(caller.tenantId ?? '', handle, call, expiryOf(task.call));
        if (client !== undefined) void watch(handle, caller, client);
      }
      return { task: toHandshake(task) };
    },
    answers: {
      async 'tasks/get'(params, _request, caller) {
        const task = await findTask(taskIdOf(params), caller);
        if (isApproved(task.call)) waiting.goOn(pendingOf(task.call).handle);
        return toHandshake(task);
      },
      async 'tasks/result'(params, request, caller, client) {
        const taskId = taskIdOf(params);
        const outcome = await untilEnded(String(taskId), request, caller, client);
        const result = encodeMcpResult(outcome, listed, 'handshake', strict);
        return { ...result, _meta: { ...result._meta, [relatedTask]: { taskId } } };
      },
      async 'tasks/list'(params, _request, caller) {
        const { cursor } = isRecord(params) ? params : {};
        const { calls, next } = await pageOf(caller, cursor);
        const ownCalls = calls.filter((call) => isTask(call) && maySeeTask(call, caller) && isOwnTask(call, caller));
        const recordedCalls = await Promise.all(ownCalls.map(async ({ id }) => caller.remembered?.calls.get(id)));
        const foundTasks = recordedCalls.flatMap((call) => (call === undefined ? [] : toFound(call.handle ?? call.id, call, caller)));
        const tasks = (await Promise.all(foundTasks)).map(toHandshake);
        return { tasks, ...(next !== undefined && { nextCursor: next }) };
      },
      async 'tasks/cancel'(params, _request, caller) {
        const task = await findTask(taskIdOf(params), caller);
        if (task.call.isCancelled === true || !(await cancelTask(task, caller, waiting)))
          throw new ProtocolError(invalidParams, 'The task has ended already.');
        return toHandshake(await findTask(task.taskId, caller));
      },
    },
  };
}

/** Returns the handle of a call that has ended: its id, or another one where the store remembers no such call of this caller. */
async function handleOf(outcome: Outcome, caller: McpCaller): Promise<string | undefined> {
  const { remembered, tasksOf } = caller;
  const { invocationId = '', tool } = outcome.meta;
  const call = await remembered?.calls.get(invocationId);
  const isOwnCall = call?.outcome !== undefined && call.tool === tool && isOwnTask(call, caller);
  return isOwnCall ? call.id : remembered?.keep?.(outcome, tasksOf === '' ? undefined : tasksOf);
}

async function pageOf({ remembered }: McpCaller, cursor: unknown): Promise<CallPage> {
  try {
    const page = await remembered?.calls.list({ limit: pageSize, ...(cursor !== undefined && { cursor: String(cursor) }) });
    return page ?? { calls: [] };
  } catch (error) {
    if (!(error instanceof ToolpactError)) throw error;
    throw new ProtocolError(invalidParams, 'There is no such cursor.');
  }
}

function toPendingOutcome(call: RecordedCall): PendingOutcome {
  return { status: 'pending', pending: pendingOf(call), meta: { tool: call.tool, invocationId: call.id, tookMs: 0.001, attempts: 0 } };
}

function taskIdOf(params: unknown): unknown {
  return isRecord(params) ? params.taskId : undefined;
}

/** A task that its client cancelled is cancelled at once and stays so, whatever its call still does. */
function toHandshake(found: FoundTask): HandshakeTask {
  const { ttlMs, pollIntervalMs, ...task } = toTask(found);
  return { ...task, ...(found.call.isCancelled === true && { status: 'cancelled' as const }), ttl: ttlMs, pollInterval: pollIntervalMs };
}
