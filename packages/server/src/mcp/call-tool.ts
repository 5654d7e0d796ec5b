import type { CallContext, Outcome } from 'toolpact';
import type { ToolSearch } from 'toolpact/extend';
import { encodeMcpResult, isRecord, type ListedMcpTools, type McpRequest, readMcpCall } from 'toolpact/internal';
import type { McpApproval } from './approval.ts';
import type { McpCaller } from './caller.ts';
import type { McpHooks } from './hooks.ts';
import { limitProgress } from './limit-progress.ts';
import type { SendLogs } from './send-logs.ts';
import type { McpSettings } from './settings.ts';
import type { HandshakeTasks, TaskClient } from './tasks/handshake-tasks.ts';
import type { McpTasks } from './tasks/mcp-tasks.ts';

/** Answers `tools/call` for a caller. Rejects only with an error of the protocol. `client` is one that can be asked while its call waits. */
export type CallMcpTool = (params: unknown, request: McpRequest, caller: McpCaller, client?: TaskClient) => Promise<object>;

/** How often one call may come back with a further question before it is left waiting. */
const maxQuestions = 5;

/** Creates the answer to `tools/call`: read the call, take an answer that it brings, make it, ask for an approval that it needs, write its result. */
export function createCallTool(
  listed: ListedMcpTools,
  approval: McpApproval,
  {
    tasks,
    handshakeTasks,
    sendLogs = (_host, run) => run(),
    around = (_calling, run) => run(),
    hold,
    search,
  }: {
    readonly tasks: McpTasks;
    readonly handshakeTasks: HandshakeTasks;
    readonly sendLogs?: SendLogs | undefined;
    readonly around?: McpHooks['around'] | undefined;
    readonly hold?: McpHooks['hold'] | undefined;
    /** How clients call what they were not offered. */
    readonly search?: (() => ToolSearch | undefined) | undefined;
  },
  { heartbeatMs, strict }: Pick<McpSettings, 'heartbeatMs' | 'strict'>,
): CallMcpTool {
  const answer: CallMcpTool = async (given, request, caller, client) => {
    const params = meantBy(given, search?.());
    const { era, meta, host } = request;
    const isTask = handshakeTasks.isTask(params, request);
    // Reading the call starts its heartbeat, so what refuses it comes first.
    if (!isTask) tasks.demandTasks?.(params, request);
    const { stop, context: stated, ...call } = readMcpCall(params, request, heartbeatMs);
    const context: CallContext = {
      ...stated,
      ...(stated.onProgress !== undefined && { onProgress: limitProgress(stated.onProgress) }),
      // There is one for each connection: a session, a process over stdio, or a single request.
      ...(client !== undefined && { client }),
    };
    const make = (): Promise<Outcome> => around({ host, client, isTask }, () => sendLogs(host, () => caller.call(call, context, meta)));
    let outcome: Outcome;
    try {
      if (bringsAnswer(host)) await approval.takeAnswer(caller, host);
      outcome = await make();
      // The client of a task is asked when it asks for the result.
      for (let questions = 0; !isTask && outcome.status === 'pending' && questions < maxQuestions; questions += 1) {
        if (!(await approval.askNow(outcome, caller, host, client?.capabilities))) break;
        outcome = await make();
      }
    } finally {
      stop();
    }
    const { signal: _, onProgress: __, ...lasting } = context;
    const again = (signal: AbortSignal): Promise<Outcome> => caller.call(call, { ...lasting, signal }, meta);
    if (isTask) return handshakeTasks.create(outcome, caller, { args: call.args, again }, client);
    if (outcome.status === 'pending') {
      const task = await tasks.offer(outcome, request, caller, { args: call.args, again });
      if (task !== undefined) return task;
    }
    const question = era === 'stateless' && outcome.status === 'pending' ? await approval.toQuestion(outcome, caller, host) : undefined;
    return question ?? encodeMcpResult(outcome, listed, era, strict);
  };
  if (hold === undefined) return answer;
  return (params, request, caller, client) => hold(request, caller.key, (own) => answer(params, own, caller, client));
}

/** Puts the call that a call of `call_tool` stands for in its place: whether it may be a task, and whether it must be, depends on that. */
function meantBy(params: unknown, search: ToolSearch | undefined): unknown {
  if (search === undefined || !isRecord(params)) return params;
  const { name, args } = search.meantBy(params.name, params.arguments);
  return { ...params, name, arguments: args };
}

/** Checks whether a request belongs to a question that was asked in the answer to an earlier one. */
function bringsAnswer(host: unknown): boolean {
  return (host as { readonly mcpReq?: { readonly requestState?: unknown } } | undefined)?.mcpReq?.requestState !== undefined;
}
