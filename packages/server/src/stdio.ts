import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import type { CallContext } from 'toolpact';
import type { McpTelemetry } from 'toolpact/extend';
import { refuseOptions, toSharedContext } from 'toolpact/internal';
import { checkTelemetry } from './check-options.ts';
import { createMcpApproval } from './mcp/approval.ts';
import { type McpCaller, rememberedBy } from './mcp/caller.ts';
import { checkMcpSettings } from './mcp/check-settings.ts';
import { createMcpServers } from './mcp/servers.ts';
import type { McpNotifier, McpSettings } from './mcp/settings.ts';
import { openStdioWire } from './mcp/stdio-wire.ts';
import { createStdioSubscriptions } from './mcp/tasks/stdio-subscriptions.ts';
import { toClient } from './request/client.ts';
import { createInFlight, type InFlight } from './request/in-flight.ts';
import { createReportProblem } from './request/report-problem.ts';
import type { ServedToolbox } from './server-options.ts';

export type { McpSettings } from './mcp/settings.ts';
export type { ServedToolbox } from './server-options.ts';

/** How a toolbox is served to the process that started this one. */
export interface StdioOptions
  extends Pick<McpSettings, 'name' | 'version' | 'server' | 'configure' | 'heartbeatMs' | 'strict' | 'approvals' | 'logs'> {
  /** The context of every call: the program that starts the process states for whom it acts. */
  readonly context?: CallContext;
  /** For so long calls may go on after the end of the input or a signal; then they are stopped, and still answered. @default 2_000 */
  readonly drainMs?: number;
  /** Signals that end the serving. @default ['SIGTERM', 'SIGINT'] */
  readonly signals?: readonly NodeJS.Signals[];
  /** Records what is asked: the `openTelemetry()` that the toolbox has, too. */
  readonly telemetry?: McpTelemetry;
  /** @default the process's own */
  readonly stdin?: Readable;
  /** @default the process's own */
  readonly stdout?: Writable;
}

/** A toolbox that is being served. */
type ServingStdio = {
  /** Resolves when nothing is served any more: the input ended, a signal came, or `close` was called. The process may exit then. */
  readonly closed: Promise<void>;
  /** Lets calls that run finish for `drainMs`, stops the rest, and ends. */
  readonly close: () => Promise<void>;
};

/** So long the answers of calls that were stopped may take to be written. */
const lastMs = 1_000;

/**
 * Serves a toolbox over standard input and output, to clients of every revision of MCP. Standard output carries messages and nothing else:
 * what tools write there goes to standard error.
 *
 * @example
 * await serveStdio(toolbox, { name: 'weather', version: '1.0.0' }).closed;
 */
export function serveStdio(toolbox: ServedToolbox, options: StdioOptions = {}): ServingStdio {
  refuseOptions<StdioOptions>('serveStdio', options, {
    context: true,
    drainMs: true,
    signals: true,
    telemetry: true,
    stdin: true,
    stdout: true,
    name: true,
    version: true,
    server: true,
    configure: true,
    heartbeatMs: true,
    strict: true,
    approvals: true,
    logs: true,
  });
  const { context = {}, drainMs = 2_000, signals = ['SIGTERM', 'SIGINT'], telemetry, stdin, stdout, ...settings } = options;
  checkMcpSettings(settings, toolbox);
  checkTelemetry(telemetry);
  const inFlight = createInFlight();
  const servers = createMcpServers(toolbox, createMcpApproval(settings), { logs: true, ...settings }, { telemetry, transport: 'stdio' });
  const caller = toCaller(toolbox, context, inFlight);
  const made = new Set<McpServer>();
  const report = createReportProblem(toolbox);
  const notify = notifyAll(made);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= end();
    return closing;
  };
  const onSignal = (): void => void close();
  const { watchTask, info } = servers;
  const wire = openStdioWire(
    stdin ?? process.stdin,
    stdout ?? process.stdout,
    onSignal,
    ({ send }) => watchTask && createStdioSubscriptions(watchTask, caller, info, send),
  );
  const sdk = serveSdk(
    async ({ era }) => {
      try {
        const server = await servers.create({ era, notify, tenantId: context.tenantId }, caller);
        made.add(server);
        return server;
      } catch (error) {
        report('mcp.configure', error);
        throw error;
      }
    },
    { transport: wire.transport },
  );
  wire.watch();
  for (const signal of signals) process.once(signal, onSignal);
  let finish: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    finish = resolve;
  });

  async function end(): Promise<void> {
    await wire.answered(drainMs);
    wire.hangUp();
    for (const signal of signals) process.off(signal, onSignal);
    await inFlight.drain(0);
    await wire.answered(lastMs);
    await sdk.close();
    wire.release();
    finish();
  }

  return { closed, close };
}

function toCaller(toolbox: ServedToolbox, own: CallContext, inFlight: InFlight): McpCaller {
  const { tenantId } = own;
  const bound = tenantId === undefined ? toolbox : toolbox.with({ tenantId });
  // The process serves the one client that started it.
  const client = {};
  return {
    key: 'stdio',
    tenantId,
    tasksOf: own.userId,
    // Whoever started the process may decide for its user.
    mayDecide: true,
    mayCall: () => true,
    remembered: rememberedBy(bound),
    // The context that the application states wins over the context that the client sends.
    async call(call, { signal, ...given }) {
      const stoppable = toClient(signal);
      const context = { ...given, client, ...toSharedContext(own), adapter: 'mcp', signal: stoppable.signal } as CallContext<never>;
      return inFlight.run(stoppable, () => toolbox.answer(call, context)).finally(stoppable.release);
    },
  };
}

function notifyAll(servers: ReadonlySet<McpServer>): McpNotifier {
  const tell = (say: (server: McpServer) => unknown): void => {
    for (const server of servers) {
      // A server without a connection has no client to notify.
      if (server.isConnected()) Promise.resolve(say(server)).catch(() => undefined);
    }
  };
  return {
    toolsChanged: () => tell((server) => server.sendToolListChanged()),
    promptsChanged: () => tell((server) => server.sendPromptListChanged()),
    resourcesChanged: () => tell((server) => server.sendResourceListChanged()),
    resourceUpdated: (uri) => tell(({ server }) => server.sendResourceUpdated({ uri })),
  };
}
