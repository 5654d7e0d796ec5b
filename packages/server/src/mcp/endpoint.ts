import { createMcpHandler, isJsonContentType, isLegacyRequest, type McpRequestContext, type McpServer } from '@modelcontextprotocol/server';
import type { McpTelemetry } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import type { ReportProblem } from '../request/report-problem.ts';
import type { ServedToolbox } from '../server-options.ts';
import { createMcpApproval } from './approval.ts';
import { callerOf, type McpCaller, toAuthInfo } from './caller.ts';
import { createReadPlainCall, type ReadPlainCall } from './plain-call.ts';
import { createMcpServers } from './servers.ts';
import { createMcpSessions } from './sessions.ts';
import type { McpNotifier, McpServing, McpSettings } from './settings.ts';

/** Speaks MCP over Streamable HTTP, in every revision of the protocol. */
export interface McpEndpoint {
  /** Answers a request whose JSON body was read already; undefined for one without a body. */
  readonly fetch: (request: Request, caller: McpCaller, body: unknown) => Promise<Response>;
  /** Reads plain calls, which are answered without the SDK; undefined when switched off. */
  readonly readPlainCall: ReadPlainCall | undefined;
  readonly close: () => Promise<void>;
}

/** Creates the endpoint for a toolbox. */
export function createMcpEndpoint(
  toolbox: ServedToolbox,
  settings: McpSettings,
  report: ReportProblem,
  telemetry?: McpTelemetry,
): McpEndpoint {
  const approval = createMcpApproval(settings);
  const servers = createMcpServers(toolbox, approval, settings, { telemetry, transport: 'http' });
  /** Why a request could not be served, by its caller. The SDK answers such a request itself, without the reason. */
  const failed = new WeakMap<McpCaller, string>();
  const create = async (serving: Omit<McpServing, 'toTask'>, caller: McpCaller | undefined): Promise<McpServer> => {
    try {
      return await servers.create(serving);
    } catch (error) {
      const debugId = report('mcp.configure', error);
      if (caller !== undefined) failed.set(caller, debugId);
      throw error;
    }
  };
  const make = ({ era, authInfo }: McpRequestContext) => {
    const caller = callerOf({ http: { authInfo } });
    return create({ era, notify, tenantId: caller?.tenantId }, caller);
  };
  const modern = createMcpHandler(make, { legacy: 'reject' });
  const notify: McpNotifier = {
    toolsChanged: () => {
      modern.notify.toolsChanged();
      sessions.tell((server) => server.sendToolListChanged());
    },
    promptsChanged: () => {
      modern.notify.promptsChanged();
      sessions.tell((server) => server.sendPromptListChanged());
    },
    resourcesChanged: () => {
      modern.notify.resourcesChanged();
      sessions.tell((server) => server.sendResourceListChanged());
    },
    resourceUpdated: (uri) => {
      modern.notify.resourceUpdated(uri);
      sessions.tell(({ server }, isSubscribed) => (isSubscribed(uri) ? server.sendResourceUpdated({ uri }) : undefined));
    },
  };
  const sessions = createMcpSessions({ create }, notify, settings.sessions ?? {});
  // A mistake in `configure` is thrown when the server is made; one that comes later is reported, then and with every request.
  if (settings.configure !== undefined) {
    Promise.resolve(servers.create({ era: 'legacy', notify })).catch((error: unknown) => report('mcp.configure', error));
  }

  async function answer(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    // The content type of a body is judged by the SDK, and not by whether its JSON could be read.
    const isOther = request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'));
    if (!isOther && (await isLegacyRequest(request, body))) return sessions.fetch(request, caller, body);
    const response = await modern.fetch(request, { authInfo: toAuthInfo(caller), ...(body !== undefined && { parsedBody: body }) });
    // The SDK takes this for the error of a handler, which comes with 200.
    if (servers.wasRefused(caller)) return new Response(response.body, { status: 404, headers: response.headers });
    return servers.taskSubscriptions?.isAsked(body) ? servers.taskSubscriptions.join(response, body, caller) : response;
  }

  return {
    async fetch(request, caller, body) {
      if (request.method === 'POST' && body === undefined) return empty();
      try {
        const response = await answer(request, caller, body);
        const debugId = failed.get(caller);
        return debugId === undefined ? response : broken(body, debugId);
      } catch (error) {
        const debugId = failed.get(caller);
        if (debugId === undefined) throw error;
        return broken(body, debugId);
      }
    },
    readPlainCall: settings.fastPath === false ? undefined : createReadPlainCall(toolbox, servers, settings),
    async close() {
      servers.taskSubscriptions?.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

function broken(body: unknown, debugId: string): Response {
  const id = isRecord(body) && (typeof body.id === 'string' || typeof body.id === 'number') ? body.id : null;
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32603, message: 'Internal server error', data: { debugId } }, id },
    { status: 500 },
  );
}

function empty(): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: the body is empty' }, id: null }, { status: 400 });
}
