import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { AnyTool } from 'toolpact';
import { insideOf, type McpOperation, type McpTelemetry, planOf } from 'toolpact/extend';
import {
  announceTools,
  type ListedMcpTools,
  listMcpTools,
  type McpTool,
  offeredMcpTools,
  readMcpRequest,
  recordMcpRequests,
  toMcpTool,
} from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';
import type { McpApproval } from './approval.ts';
import { type CallMcpTool, createCallTool } from './call-tool.ts';
import { callerOf, type McpCaller } from './caller.ts';
import { mcpHooksOf } from './hooks.ts';
import { addNativeTools, type OwnTools } from './native-tools.ts';
import { createNeedsTask } from './needs-task.ts';
import { createMcpRecording, type McpRecording } from './recording.ts';
import { createSendLogs } from './send-logs.ts';
import type { McpServing, McpSettings } from './settings.ts';
import { answerTasks } from './tasks/answer-tasks.ts';
import { createHandshakeTasks, type TaskClient } from './tasks/handshake-tasks.ts';
import { createMcpTasks } from './tasks/mcp-tasks.ts';
import { createTaskSubscriptions, type TaskSubscriptions, type WatchTask } from './tasks/task-subscriptions.ts';
import { createWaitingCalls } from './tasks/waiting-calls.ts';

/** Creates servers of the SDK for one toolbox. */
export interface McpServers {
  /** Creates one; `caller` is who it serves where requests do not say so. */
  readonly create: (serving: Omit<McpServing, 'toTask'>, caller?: McpCaller) => McpServer | Promise<McpServer>;
  /** Whether there may be tools that only the SDK can answer for. */
  readonly hasOthers: boolean;
  /** Those with arguments that clients repeat as HTTP headers. */
  readonly withHeaders: readonly McpTool[];
  /** Answers `tools/call`, for those who need no server of the SDK. */
  readonly callTool: CallMcpTool;
  readonly info: { readonly name: string; readonly version: string };
  /** Whether the request of a caller asked for a method that there is not. */
  readonly wasRefused: (caller: McpCaller) => boolean;
  /** Adds tasks to the subscriptions of clients; undefined where there are none. */
  readonly taskSubscriptions: TaskSubscriptions | undefined;
  /** Follows a task; undefined where there are none. */
  readonly watchTask: WatchTask | undefined;
  /** How requests are recorded; undefined without telemetry. */
  readonly recording: McpRecording | undefined;
}

/** Creates the factory of SDK servers. The lists of tools are written once for as long as the tools are the same. */
export function createMcpServers(
  toolbox: Pick<ServedToolbox, 'tools' | 'list' | 'emit' | 'subscribe' | 'resolveName' | 'calls'>,
  approval: McpApproval,
  settings: McpSettings,
  { telemetry, transport }: { readonly telemetry?: McpTelemetry | undefined; readonly transport: McpOperation['transport'] } = {
    transport: 'http',
  },
): McpServers {
  const { name = 'toolpact', version = '0.0.0', server: given, configure } = settings;
  const info = { name, version };
  const { strict } = settings;
  const waiting = createWaitingCalls();
  const isRequired = createNeedsTask(toolbox, settings);
  // The tools of a gateway are replaced when the servers behind it change theirs.
  const tools: ListedMcpTools = {
    get handshake() {
      return listMcpTools(toolbox).handshake;
    },
    get stateless() {
      return listMcpTools(toolbox).stateless;
    },
    get deferred() {
      return listMcpTools(toolbox).deferred;
    },
  };
  const facts = createFacts(toolbox, isRequired);
  const hooks = mcpHooksOf(toolbox);
  const tasks = createMcpTasks(tools, approval, waiting, { strict, isRequired });
  const mayBeTask = (asked: string): boolean => facts().mayWait.has(toolbox.resolveName(asked) ?? '');
  const handshakeTasks = createHandshakeTasks(tools, approval, waiting, { mayBeTask, strict });
  const sendLogs = settings.logs === true ? createSendLogs(toolbox) : undefined;
  const callTool = createCallTool(
    tools,
    approval,
    { tasks, handshakeTasks, sendLogs, around: hooks?.around, hold: hooks?.hold, search: () => insideOf(toolbox).search },
    settings,
  );

  const refused = new WeakSet<McpCaller>();
  const withTasks = (tool: McpTool): McpTool => ({
    ...tool,
    execution: { taskSupport: isRequired?.(tool.name) === true ? 'required' : 'optional' },
  });

  function toolsFor(client: TaskClient, callerFor: (host: unknown) => McpCaller): OwnTools {
    return {
      call: (params, request) => callTool(params, request, callerFor(request.host), client),
      list: ({ era, host }) => {
        const offered = offeredMcpTools(tools, era).map((tool) => (era === 'handshake' && mayBeTask(tool.name) ? withTasks(tool) : tool));
        announceTools(toolbox, offered);
        const { mayCall } = callerFor(host);
        const allowed = offered.filter((tool) => mayCall(tool.title ?? tool.name));
        return { tools: hooks === undefined ? allowed : allowed.map(hooks.present) };
      },
      owns: (asked) => facts().names.has(asked as string),
      refuse: (extra) => void refused.add(callerFor(extra)),
      get withHeaders() {
        return facts().withHeaders;
      },
    };
  }

  const recording = createMcpRecording(telemetry, toolbox, transport, configure !== undefined);
  return {
    info,
    wasRefused: (caller) => refused.has(caller),
    taskSubscriptions: toolbox.calls && createTaskSubscriptions(tasks.watch, info),
    watchTask: toolbox.calls && tasks.watch,
    recording,
    hasOthers: configure !== undefined || facts().withHeaders.length > 0,
    get withHeaders() {
      return facts().withHeaders;
    },
    callTool,
    create(serving, caller) {
      const server = new McpServer(info, toSdkOptions(given, approval));
      if (sendLogs !== undefined) server.server.registerCapabilities({ logging: {} });
      if (recording !== undefined) recordMcpRequests(server.server, recording.telemetry, recording);
      const callerFor = (host: unknown): McpCaller => {
        const requester = callerOf(host) ?? caller;
        if (requester === undefined) throw new TypeError('the request has no caller');
        return requester;
      };
      const client: TaskClient = {
        capabilities: () => server.server.getClientCapabilities(),
        notify: (notification) => server.server.notification(notification as never),
      };
      if (toolbox.calls !== undefined) {
        if (serving.era === 'modern') answerTasks(server.server, 'stateless', tasks, client, callerFor);
        else answerTasks(server.server, 'handshake', handshakeTasks, client, callerFor);
      }
      const clientTools = toolsFor(client, callerFor);
      const toTask: McpServing['toTask'] = (outcome, host) =>
        tasks.offer(outcome, readMcpRequest(undefined, host), callerFor(host), { args: undefined, again: async () => outcome });
      return addNativeTools(server, clientTools, configure && ((made) => configure(made, { ...serving, toTask })));
    },
  };
}

interface ToolFacts {
  readonly tools: readonly AnyTool[];
  /** In the spelling of the list. */
  readonly names: ReadonlySet<string>;
  readonly withHeaders: readonly McpTool[];
  readonly mayWait: ReadonlySet<string>;
}

/** Reads from the tools what their list does not say, once for as long as they are the same. */
function createFacts(
  toolbox: Pick<ServedToolbox, 'tools' | 'list' | 'calls'>,
  isRequired: ((name: string) => boolean) | undefined,
): () => ToolFacts {
  let facts: ToolFacts | undefined;
  return () => {
    const { tools } = toolbox;
    if (facts?.tools === tools) return facts;
    const listed = toolbox.list();
    const waits = tools.filter((tool) => canWait(tool) || isRequired?.(tool.name) === true);
    const [, callTool] = insideOf(toolbox).search?.names ?? [];
    facts = {
      tools,
      names: new Set(listed.map(({ providerName }) => providerName)),
      withHeaders: listed
        .filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"x-mcp-header"'))
        .map((tool) => toMcpTool(tool, 'stateless')),
      // Through `call_tool` any of them may be called.
      mayWait: new Set(
        toolbox.calls === undefined || waits.length === 0
          ? []
          : [...waits.map((tool) => tool.name), ...(callTool === undefined ? [] : [callTool])],
      ),
    };
    return facts;
  };
}

/** State that was signed for an approval is checked by the approval, not by the application's own check. */
function toSdkOptions(given: McpSettings['server'], { isOwnState }: McpApproval): McpSettings['server'] {
  const verify = given?.requestState?.verify;
  if (verify === undefined) return given;
  return {
    ...given,
    requestState: { verify: (state: string, ctx: ServerContext) => (isOwnState(state) ? undefined : verify(state, ctx)) },
  };
}

/** A tool says itself that it may take longer, that a person is asked, or that it has steps, between which it may sleep and ask. */
function canWait(tool: AnyTool): boolean {
  const { requires, steps } = planOf(tool);
  return requires.includes('deferAfterMs') || requires.includes('approval') || steps === true;
}
