import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import type { JsonObject, Outcome, PendingOutcome, RecordedCall } from 'toolpact';
import { encodeMcpResult, isRecord, type ListedMcpTools, type McpRequest, sleep } from 'toolpact/internal';
import { approvalEntry, type McpApproval } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { cancelTask } from './cancel-task.ts';
import { type FoundTask, findTask, isOwnTask, mayAnswerTask, pendingOf } from './find-task.ts';
import { expiryOf, isApproved } from './task-approval.ts';
import { taskChanges } from './task-changes.ts';
import { answerQuestion, questionsOf } from './task-questions.ts';
import { announcesTasks, type TaskShape, taskStatus, tasksExtension, toInputRequest, toTask } from './task-shape.ts';
import type { WatchTask } from './task-subscriptions.ts';
import type { RepeatableCall, WaitingCalls } from './waiting-calls.ts';

/** Speaks of pending calls as tasks, to clients that announce the extension. */
export interface McpTasks {
  /** Refuses a call of a tool that is only served as a task, for a client that takes none. Throws an error of the protocol. Undefined without such tools. */
  readonly demandTasks: ((params: unknown, request: McpRequest) => void) | undefined;
  /** Returns a pending call as a task; undefined for a client that takes none, and where pending calls cannot be read. */
  readonly offer: (outcome: PendingOutcome, request: McpRequest, caller: McpCaller, call: RepeatableCall) => Promise<object | undefined>;
  /** Returns the whole of a task whenever it changes, until it has ended. Throws an error of the protocol where there is none. */
  readonly watch: WatchTask;
  /** Answers the requests about tasks, by method. They reject with errors of the protocol. */
  readonly answers: Readonly<Record<string, (params: unknown, request: McpRequest, caller: McpCaller) => Promise<object>>>;
}

const acknowledged = Object.freeze({ resultType: 'complete' });
const invalidParams = -32602;
const methodNotFound = -32601;
const lostCall = -32603;
/** So long the acknowledgement waits for what becomes of an answer. */
const longestUpdateMs = 2_000;

/** Creates the tasks of clients that announce the extension. `isRequired` checks the name of a tool, in any spelling; undefined where no tool is served as a task only. */
export function createMcpTasks(
  listed: ListedMcpTools,
  approval: McpApproval,
  waiting: WaitingCalls,
  { strict, isRequired }: { readonly strict?: boolean | undefined; readonly isRequired?: ((name: string) => boolean) | undefined },
): McpTasks {
  const find = (params: unknown, caller: McpCaller): Promise<FoundTask> => findTask(recordOf(params).taskId, caller);

  async function inputRequestsOf(call: RecordedCall, caller: McpCaller): Promise<JsonObject> {
    const pending = pendingOf(call);
    if (pending.reason === 'approval') {
      const question = await approval.questionOf(pending, caller);
      return question === undefined ? {} : { [approvalEntry]: toInputRequest(question.message, question.schema as unknown as JsonObject) };
    }
    return Object.fromEntries(questionsOf(call).map(({ handle, message, schema }) => [handle, toInputRequest(message, schema)]));
  }

  /** Returns the whole of a task, as `tasks/get` answers and as notifications report it. */
  async function detail(found: FoundTask, caller: McpCaller): Promise<TaskShape & JsonObject> {
    const { call, outcome } = found;
    const task = { ...toTask(found) };
    if (task.status === 'input_required' && isApproved(call)) {
      // The decision was made elsewhere: the call goes on here, if it is known here.
      waiting.goOn(pendingOf(call).handle);
      return { ...task, status: 'working' };
    }
    if (task.status === 'input_required') return { ...task, inputRequests: await inputRequestsOf(call, caller) };
    if (task.status === 'failed') return { ...task, error: { code: lostCall, message: messageOf(outcome) } };
    return task.status === 'completed' && outcome !== undefined
      ? { ...task, result: { ...acknowledged, ...encodeMcpResult(outcome, listed, 'stateless', strict) } as JsonObject }
      : task;
  }

  async function get(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    return { ...acknowledged, ...(await detail(await find(params, caller), caller)) };
  }

  async function update(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    const task = await findTask(recordOf(params).taskId, caller, mayAnswerTask);
    // The SDK takes the answers out of the parameters.
    const inputResponses = hostOf(request).inputResponses ?? recordOf(params).inputResponses;
    if (!isRecord(inputResponses)) throw new ProtocolError(invalidParams, 'inputResponses must be an object.');
    if (taskStatus(task) !== 'input_required') return acknowledged;
    const { handle, reason } = pendingOf(task.call);
    if (reason === 'approval') {
      if (await approval.settle(caller, handle, inputResponses[approvalEntry])) waiting.goOn(handle);
      return acknowledged;
    }
    const answeredQuestions = questionsOf(task.call).filter((question) => Object.hasOwn(inputResponses, question.handle));
    const answers = Promise.all(answeredQuestions.map((question) => answerQuestion(question, inputResponses[question.handle], caller)));
    // The answer is stored at once; the call that goes on with it may take much longer.
    const problems = await Promise.race([answers, sleep(longestUpdateMs).then(() => [])]);
    const problem = problems.find((found) => found !== undefined);
    if (problem !== undefined) throw new ProtocolError(invalidParams, problem);
    return acknowledged;
  }

  async function cancel(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    await cancelTask(await find(params, caller), caller, waiting);
    return acknowledged;
  }

  return {
    demandTasks:
      isRequired &&
      ((params, request) => {
        if (!isRequired(String(recordOf(params).name))) return;
        // A client of 2025-11-25 says with each call whether it is a task, and did not.
        if (request.era === 'handshake') throw new ProtocolError(methodNotFound, 'This tool is served as a task only.');
        demandExtension(request);
      }),
    async offer(outcome, request, caller, repeatable) {
      if (!takesTasks(request)) return undefined;
      const { handle, reason } = outcome.pending;
      const call = await caller.remembered?.calls.get(handle).catch(() => undefined);
      // Calls with one key, or one session, share what they wait for, and not its task.
      if (call === undefined || !isOwnTask(call, caller)) return undefined;
      if (reason === 'approval') waiting.keep(caller.tenantId ?? '', handle, repeatable, expiryOf(call));
      return { resultType: 'task', ...toTask({ taskId: handle, call, outcome: undefined }) };
    },
    async *watch(taskId, caller, signal) {
      for await (const task of taskChanges(taskId, caller, signal)) yield detail(task, caller);
    },
    answers: { 'tasks/get': get, 'tasks/update': update, 'tasks/cancel': cancel },
  };
}

/** Returns what the SDK has read from a request. It takes the capabilities of the client out of `_meta`. */
function hostOf({ host }: McpRequest): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(host).mcpReq);
}

function takesTasks(request: McpRequest): boolean {
  return announcesTasks(hostOf(request).envelope ?? request.meta);
}

function demandExtension(request: McpRequest): void {
  if (takesTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

function messageOf(outcome: Outcome | undefined): string {
  return outcome?.status === 'error' ? outcome.error.message : 'The call was lost.';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
