import { CLIENT_CAPABILITIES_META_KEY, MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import { isRecord } from '../../../../core/json/index.ts';
import type { JsonObject, JsonValue, Outcome, PendingOutcome } from '../../../../core/outcome/index.ts';
import type { PendingCallState } from '../../../../parts/guards/index.ts';
import { encodeMcpResult, type ListedMcpTools, type McpRequest } from '../../../../parts/mcp/index.ts';
import { approvalEntry, approvalSchema, type McpApproval, questionOf } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { type FoundTask, findTask } from './find-task.ts';
import { type TaskShape, taskStatus, tasksExtension, toInputRequest, toTask } from './task-shape.ts';
import type { RepeatableCall, WaitingCalls } from './waiting-calls.ts';

/** Speaks of pending calls as tasks, to clients that announce the extension. */
export interface McpTasks {
  /** Refuses a call of a tool that is only served as a task, for a client that takes none. Throws an error of the protocol. Undefined without such tools. */
  readonly demandTasks: ((name: unknown, request: McpRequest) => void) | undefined;
  /** Gives a pending call as a task; undefined for a client that takes none, and where pending calls cannot be read. */
  readonly offer: (outcome: PendingOutcome, request: McpRequest, caller: McpCaller, call: RepeatableCall) => Promise<object | undefined>;
  /** Answers the requests about tasks, by method. They reject with errors of the protocol. */
  readonly answers: Readonly<Record<string, (params: unknown, request: McpRequest, caller: McpCaller) => Promise<object>>>;
}

const acknowledged = Object.freeze({ resultType: 'complete' });
const inputEntry = 'input';
const invalidParams = -32602;
const lostCall = -32603;

/** Makes what speaks of tasks. `required` names tools that are served as tasks only. */
export function createMcpTasks(
  listed: ListedMcpTools,
  approval: McpApproval,
  waiting: WaitingCalls,
  { strict, required = [] }: { readonly strict?: boolean | undefined; readonly required?: readonly string[] | undefined },
): McpTasks {
  const find = (params: unknown, caller: McpCaller): Promise<FoundTask> => findTask(recordOf(params).taskId, caller);

  async function describe(state: PendingCallState, outcome: Outcome | undefined, caller: McpCaller): Promise<TaskShape> {
    const task = toTask(state, outcome);
    if (task.status !== 'input_required' || state.pending.reason !== 'approval') return task;
    const found = await caller.pendingCalls?.findApproval?.(state.pending.handle);
    if (found?.state !== 'approved' && found?.state !== 'used') return task;
    // The decision was made elsewhere: the call goes on here, if it is known here.
    waiting.goOn(state.pending.handle);
    return { ...task, status: 'working' };
  }

  async function get(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    const { state, outcome } = await find(params, caller);
    const task = { ...acknowledged, ...(await describe(state, outcome, caller)) };
    if (task.status === 'input_required') return { ...task, inputRequests: inputRequestsOf(state, outcome) };
    if (task.status === 'failed') return { ...task, error: { code: lostCall, message: messageOf(outcome) } };
    return task.status === 'completed' && outcome !== undefined
      ? { ...task, result: { ...acknowledged, ...encodeMcpResult(outcome, listed, 'stateless', strict) } }
      : task;
  }

  async function update(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    const { state, outcome } = await find(params, caller);
    // The SDK takes the answers out of the parameters.
    const inputResponses = hostOf(request).inputResponses ?? recordOf(params).inputResponses;
    if (!isRecord(inputResponses)) throw new ProtocolError(invalidParams, 'inputResponses must be an object.');
    if (taskStatus(outcome, state.pending) !== 'input_required') return acknowledged;
    const { handle, reason } = state.pending;
    if (reason === 'approval') {
      if (await approval.settle(caller, handle, inputResponses[approvalEntry])) waiting.goOn(handle);
      return acknowledged;
    }
    const answer = inputResponses[inputEntry];
    if (isRecord(answer) && answer.action === 'accept') await caller.pendingCalls?.settle?.(handle, answer.content as JsonValue);
    return acknowledged;
  }

  async function cancel(params: unknown, request: McpRequest, caller: McpCaller): Promise<object> {
    demandExtension(request);
    const { state, outcome } = await find(params, caller);
    if (outcome === undefined || outcome.status === 'pending') await caller.pendingCalls?.cancel?.(state.invocationId);
    return acknowledged;
  }

  function demandTasks(name: unknown, request: McpRequest): void {
    if (required.includes(name as string)) demandExtension(request);
  }

  return {
    demandTasks: required.length === 0 ? undefined : demandTasks,
    async offer(outcome, request, caller, call) {
      if (!takesTasks(request)) return undefined;
      const { handle, reason } = outcome.pending;
      const state = await caller.pendingCalls?.findPending?.(handle).catch(() => undefined);
      if (state === undefined) return undefined;
      if (reason === 'approval') waiting.keep(caller.tenantId ?? '', handle, call, state.expiresAt ?? Number.POSITIVE_INFINITY);
      return { resultType: 'task', ...toTask(state, outcome) };
    },
    answers: { 'tasks/get': get, 'tasks/update': update, 'tasks/cancel': cancel },
  };
}

/** Gives what the SDK has read from a request. It takes the capabilities of the client out of `_meta`. */
function hostOf({ host }: McpRequest): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(host).mcpReq);
}

function takesTasks(request: McpRequest): boolean {
  const { extensions } = recordOf(recordOf(hostOf(request).envelope ?? request.meta)[CLIENT_CAPABILITIES_META_KEY]);
  return isRecord(recordOf(extensions)[tasksExtension]);
}

function demandExtension(request: McpRequest): void {
  if (takesTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [tasksExtension]: {} } } });
}

function inputRequestsOf({ pending, tool }: PendingCallState, outcome: Outcome | undefined): JsonObject {
  if (pending.reason === 'approval') {
    const question = outcome?.status === 'pending' ? questionOf(outcome) : (pending.ask?.message ?? `Allow ${tool}?`);
    return { [approvalEntry]: toInputRequest(question, approvalSchema) };
  }
  const schema = pending.ask?.schema ?? { type: 'object', properties: {} };
  return { [inputEntry]: toInputRequest(pending.ask?.message ?? `${tool} needs an input.`, schema) };
}

function messageOf(outcome: Outcome | undefined): string {
  return outcome?.status === 'error' ? outcome.error.message : 'The call was lost.';
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
