import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../core/contract/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { McpOperation, McpTelemetry } from '../../../core/runtime/index.ts';
import { createMcpTools, recordMcpRequests, toMcpTool } from '../../../parts/mcp/index.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { McpApproval } from './approval.ts';
import { callerOf, type McpCall, type McpCaller } from './caller.ts';
import { limitProgress } from './limit-progress.ts';
import { addTools, type OwnTools } from './native-tools.ts';
import { createMcpRecording, type McpRecording } from './recording.ts';
import type { McpServing, McpSettings } from './settings.ts';

/** Makes servers of the SDK for one toolbox. */
export interface McpServers {
  /** Makes one; `caller` is who it serves where requests do not say so. */
  readonly create: (serving: McpServing, caller?: McpCaller) => McpServer | Promise<McpServer>;
  /** Whether there may be tools that only the SDK can answer for. */
  readonly hasOthers: boolean;
  /** Gives the tools as a server answers with them that knows its client's capabilities. */
  readonly toolsFor: (capabilities?: () => unknown, caller?: McpCaller) => OwnTools;
  readonly info: { readonly name: string; readonly version: string };
  /** How requests are recorded; undefined when nobody records. */
  readonly recording: McpRecording | undefined;
}

/** What the SDK tells about a request, as far as it is needed here. */
interface McpReq {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly requestState?: () => unknown;
}

/** How often one call may come back with a further question before it is left waiting. */
const mostQuestions = 5;

/** Makes what makes servers of the SDK. What they tell about the tools is written once. */
export function createMcpServers(
  toolbox: Pick<ServedToolbox, 'tools' | 'list' | 'emit'>,
  approval: McpApproval,
  settings: McpSettings,
  { telemetry, transport }: { readonly telemetry?: McpTelemetry | undefined; readonly transport: McpOperation['transport'] } = {
    transport: 'http',
  },
): McpServers {
  const { name = 'toolpact', version = '0.0.0', server: given, configure, heartbeatMs, strict } = settings;
  const info = { name, version };
  const listed = toolbox.list();
  const names = new Set(listed.map(({ providerName }) => providerName));
  const withHeaders = listed
    .filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"x-mcp-header"'))
    .map((tool) => toMcpTool(tool, 'stateless'));

  function toolsFor(capabilities?: () => unknown, fallback?: McpCaller): OwnTools {
    const whoIs = (host: unknown): McpCaller => {
      const caller = callerOf(host) ?? fallback;
      if (caller === undefined) throw new TypeError('a request of nobody');
      return caller;
    };
    const answer = async (call: McpCall, given: CallContext, host: unknown): Promise<Outcome> => {
      const caller = whoIs(host);
      const context = given.onProgress === undefined ? given : { ...given, onProgress: limitProgress(given.onProgress) };
      const { _meta: meta = {}, requestState } = (host as { mcpReq?: McpReq } | undefined)?.mcpReq ?? {};
      if (requestState?.() !== undefined) await approval.takeAnswer(caller, host);
      let outcome = await caller.answer(call, context, meta);
      for (let asked = 0; outcome.status === 'pending' && asked < mostQuestions; asked += 1) {
        if (!(await approval.askNow(outcome, caller, host, capabilities))) break;
        outcome = await caller.answer(call, context, meta);
      }
      return outcome;
    };
    const served = createMcpTools(
      { tools: toolbox.tools, list: () => listed, emit: toolbox.emit, answer },
      {
        ...(heartbeatMs !== undefined && { heartbeatMs }),
        ...(strict !== undefined && { strict }),
        instead: (outcome, { era, host }) =>
          era === 'stateless' && outcome.status === 'pending' ? approval.toQuestion(outcome, whoIs(host), host) : undefined,
      },
    );
    return {
      call: served.call,
      list: (request) => {
        const { mayCall } = whoIs((request as { readonly host?: unknown } | undefined)?.host);
        return { tools: served.list(request).tools.filter((tool) => mayCall(tool.title ?? tool.name)) };
      },
      owns: (asked) => names.has(asked as string),
      withHeaders,
    };
  }

  const recording = createMcpRecording(telemetry, toolbox, transport, configure !== undefined);
  return {
    info,
    recording,
    hasOthers: configure !== undefined || withHeaders.length > 0,
    toolsFor,
    create(serving, caller) {
      const server = new McpServer(info, toSdkOptions(given, approval));
      if (recording !== undefined) recordMcpRequests(server.server, recording.telemetry, recording);
      const tools = toolsFor(() => server.server.getClientCapabilities(), caller);
      return addTools(server, tools, configure && ((made) => configure(made, serving)));
    },
  };
}

/** What was signed for an approval is checked where the approval is, and not by whoever signs questions of their own. */
function toSdkOptions(given: McpSettings['server'], { isOwnState }: McpApproval): McpSettings['server'] {
  const verify = given?.requestState?.verify;
  if (verify === undefined) return given;
  return {
    ...given,
    requestState: { verify: (state: string, ctx: ServerContext) => (isOwnState(state) ? undefined : verify(state, ctx)) },
  };
}
