import { createResources } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { checkToolbox, withTimeLimit } from 'toolpact/internal';
import { createAudit } from './auth/audit.ts';
import { createCheckAddress } from './auth/check-address.ts';
import { createIdentify } from './auth/identify.ts';
import { checkOptions, type ServerSettings } from './check-options.ts';
import { createWire } from './inspector/wire.ts';
import { checkMcpSettings } from './mcp/check-settings.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp/endpoint.ts';
import { toOpenApi } from './openapi/to-open-api.ts';
import { createOperator } from './operator/operator-route.ts';
import { type HttpAnswer, toResponse } from './request/http-answer.ts';
import { createInFlight } from './request/in-flight.ts';
import { createPipeline } from './request/pipeline.ts';
import { createRefuse } from './request/refusal.ts';
import { createReportProblem, type ReportProblem } from './request/report-problem.ts';
import { type RequestHead, toRequestHead } from './request/request-head.ts';
import { createFormats } from './request/response-format.ts';
import type { Route } from './request/route.ts';
import type { ServedDialect } from './request/served-dialect.ts';
import type { ServerState } from './request/server-state.ts';
import { createServerSteps } from './request/server-steps.ts';
import { layRoutes } from './routes/lay-routes.ts';
import { routes } from './routes/routes.ts';
import { resourcesOf } from './routes/session-routes.ts';
import { createSessionTools, type SessionToolbox } from './routes/session-tools.ts';
import type { ServedToolbox, ServerOptions, ToolServer } from './server-options.ts';

/** So long a part of the server may take to close: longer than resources do by themselves, which then say what they left open. */
const closeMs = 15_000;

/**
 * Creates a tool server: a fetch handler over a toolbox. Without `auth` it answers this machine alone. Throws at once for options that do not
 * exist or could not be kept.
 */
export function createServer(toolbox: ServedToolbox, options: ServerOptions = {}): ToolServer {
  checkToolbox('createServer', toolbox);
  const settings = checkOptions(options, presetOf(toolbox));
  const inFlight = createInFlight();
  const audit = createAudit(toolbox, settings.auditLog);
  const formats = createFormats(settings.dialects, settings.dialect);
  const refuse = createRefuse(audit, formats);
  const report = createReportProblem(toolbox);
  const resources = resourcesOf(toolbox.resources);
  let sessions: SessionToolbox | undefined;
  const sessionTools = (): SessionToolbox => {
    sessions ??= createSessionTools(resources ?? createResources([]));
    return sessions;
  };
  const mcp = createMcp(toolbox, settings, report);
  const wire = settings.inspector?.wire === true ? createWire(toolbox) : undefined;
  const server: ServerState = {
    toolbox,
    settings,
    formats,
    inFlight,
    audit,
    refuse,
    report,
    ...createServerSteps(toolbox, settings, refuse),
    resources,
    sessionTools,
    mcp,
    wire,
    operator: createOperator(settings.operator, report),
    answer: (head) => answer(head),
    shutDown: (how) => void closeOnce(how),
    describe: (facts) =>
      toOpenApi(toolbox, { ...facts, dialects: settings.dialects, ...(settings.routes !== undefined && { routes: settings.routes }) }),
  };
  const offered = layRoutes(routes, settings.routes ?? []).filter((route) => isSwitchedOn(route, settings));
  const answerRequest = createPipeline(server, offered, {
    checkAddress: createCheckAddress({ hosts: settings.hosts, origins: settings.origins }, refuse),
    identify: createIdentify(settings, refuse, report),
  });
  const answer = (head: RequestHead): Promise<HttpAnswer> => (wire === undefined ? answerRequest(head) : wire.listen(head, answerRequest));
  const closed = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;

  async function close(drainMs: number): Promise<void> {
    const until = performance.now() + drainMs;
    await inFlight.drain(drainMs);
    // Calls that were answered as pending go on; what is left of the time is theirs.
    const deferred = insideOf(toolbox).idle?.();
    if (deferred !== undefined) await withTimeLimit(deferred, { ms: Math.max(0, until - performance.now()), onLate: () => undefined });
    // A part that does not close must not keep the other one open, nor the process.
    for (const end of [mcp?.close, server.operator?.mcp.close, resources?.close])
      await withTimeLimit(Promise.resolve(end?.()), { ms: closeMs, onLate: () => undefined }).catch(() => undefined);
  }

  function closeOnce({ drainMs = 10_000 }: { readonly drainMs?: number } = {}): Promise<void> {
    closing ??= close(drainMs).finally(closed.resolve);
    return closing;
  }

  return {
    async fetch(request, _env, platform) {
      const response = toResponse(await answer(toRequestHead(request)), request.method);
      const deferred = typeof platform?.waitUntil === 'function' ? insideOf(toolbox).idle?.() : undefined;
      if (deferred !== undefined) platform?.waitUntil?.(deferred);
      return response;
    },
    answer,
    close: closeOnce,
    closed: closed.promise,
    hasAuth: settings.authenticators.length > 0,
    hosts: settings.hosts,
  };
}

/** Returns the options of a server that the preset of its toolbox states. */
function presetOf(toolbox: ServedToolbox): ServerOptions {
  const { dialect, server } = insideOf(toolbox).preset ?? {};
  return { ...(dialect !== undefined && { dialect: dialect as ServedDialect }), ...server };
}

function isSwitchedOn({ option }: Route, settings: ServerSettings): boolean {
  if (option === 'inspector') return settings.inspector?.files !== undefined;
  if (option === 'operator') return settings.operator !== undefined && settings.operator !== false;
  return option === undefined || settings[option] !== false;
}

function createMcp(toolbox: ServedToolbox, { mcp, telemetry }: ServerSettings, report: ReportProblem): McpEndpoint | undefined {
  return mcp === false ? undefined : createMcpEndpoint(toolbox, checkMcpSettings(mcp ?? {}, toolbox), report, telemetry);
}
