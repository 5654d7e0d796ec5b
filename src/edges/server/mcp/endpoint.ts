import { createMcpHandler, isJsonContentType, isLegacyRequest, type McpRequestContext, type McpServer } from '@modelcontextprotocol/server';
import type { McpTelemetry } from '../../../core/runtime/index.ts';
import type { ServedToolbox } from '../server-options.ts';
import { createMcpApproval } from './approval.ts';
import { callerOf, type McpCaller, toAuthInfo } from './caller.ts';
import { createReadPlainCall, type ReadPlainCall } from './plain-call.ts';
import { createMcpServers } from './servers.ts';
import { createMcpSessions } from './sessions.ts';
import type { McpNotifier, McpSettings } from './settings.ts';

/** Speaks MCP over Streamable HTTP, in every revision of the protocol. */
export interface McpEndpoint {
  /** Answers a request whose JSON body was read already; undefined for one without a body. */
  readonly fetch: (request: Request, caller: McpCaller, body: unknown) => Promise<Response>;
  /** Reads plain calls, which are answered without the SDK; undefined when switched off. */
  readonly readPlainCall: ReadPlainCall | undefined;
  readonly close: () => Promise<void>;
}

/** Makes the endpoint for a toolbox. */
export function createMcpEndpoint(toolbox: ServedToolbox, settings: McpSettings = {}, telemetry?: McpTelemetry): McpEndpoint {
  const approval = createMcpApproval(settings);
  const servers = createMcpServers(toolbox, approval, settings, { telemetry, transport: 'http' });
  const make = ({ era, authInfo }: McpRequestContext) =>
    servers.create({ era, notify, tenantId: callerOf({ http: { authInfo } })?.tenantId });
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
  const sessions = createMcpSessions(servers, notify, settings.sessions ?? {});
  if (settings.configure !== undefined) tryOut(servers.create({ era: 'legacy', notify }));
  return {
    async fetch(request, caller, body) {
      if (request.method === 'POST' && body === undefined) return empty();
      const authInfo = toAuthInfo(caller);
      // The content type of a body is judged by the SDK, and not by whether its JSON could be read.
      const isOther = request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'));
      if (!isOther && (await isLegacyRequest(request, body))) return sessions.fetch(request, caller, body);
      const response = await modern.fetch(request, { authInfo, ...(body !== undefined && { parsedBody: body }) });
      return servers.taskSubscriptions?.isAsked(body) ? servers.taskSubscriptions.join(response, body, caller) : response;
    },
    readPlainCall: settings.fastPath === false ? undefined : createReadPlainCall(toolbox, servers, settings),
    async close() {
      servers.taskSubscriptions?.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** Lets a mistake in `configure` show when the server is made; one that comes later shows with the first request. */
function tryOut(server: McpServer | Promise<McpServer>): void {
  Promise.resolve(server).catch(() => undefined);
}

function empty(): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: the body is empty' }, id: null }, { status: 400 });
}
