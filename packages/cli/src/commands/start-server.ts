import { createServer, type ServedToolbox, type ServerOptions, type ToolServer } from '@toolpact/server';
import { type Listening, listen } from '@toolpact/server/node';
import type { FailureReport, ListedTool, Outcome, ToolboxOptions, ToolpactEvent } from 'toolpact';
import { insideOf, type Store } from 'toolpact/extend';
import { withTimeLimit } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { originOptions } from '../dialects.ts';
import { type InspectedStart, toInspector } from '../inspect/to-inspector.ts';
import { flushTelemetry, loadTelemetry } from '../load/load-telemetry.ts';
import { ownLines } from '../load/own-frames.ts';
import { presetOf } from '../load/preset-of.ts';
import { projectInfo } from '../load/project-info.ts';
import { listened, toolboxOptions, wireToolbox } from '../load/wire-toolbox.ts';
import type { CallLog } from '../print/call-log.ts';
import { createHowToApprove, type OpenServer } from '../print/how-to-approve.ts';
import { readAuth } from '../settings/read-auth.ts';
import { variableOf } from '../settings/settings.ts';
import { startServeWorker } from './serve-worker.ts';

/** The parts that a server is started with. */
export interface ServerStart extends InspectedStart {
  readonly store: Store;
  readonly log: CallLog;
  /** Returns the tools of other servers, in the place of those that were loaded. */
  readonly openGateway?: ((options: ToolboxOptions) => Promise<OpenedGateway>) | undefined;
}

/** The tools of other servers, and what their server needs besides. */
export interface OpenedGateway {
  readonly toolbox: ServedToolbox;
  readonly options: Pick<ServerOptions, 'mcp' | 'routes'>;
}

/** A server that listens. */
export interface RunningServer extends Pick<Listening, 'url' | 'port' | 'close' | 'closed'> {
  readonly hasAuth: boolean;
  readonly tools: readonly ListedTool[];
  readonly hasInspector: boolean;
  readonly hasOperator: boolean;
  readonly toolbox: ServedToolbox;
  /** Says how a person approves a call that waits. */
  readonly howToApprove: ReturnType<typeof createHowToApprove>;
  /** Where calls are recorded: in the store of the settings, in one that the toolbox has itself, or nowhere. */
  readonly records: 'store' | 'own' | 'nowhere';
}

/** Starts to serve tools. What cannot be kept (a public address without credentials, a port that is taken) is said before anything listens. */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const { settings, isDev } = start;
  const { host, port } = settings;
  const isPublic = !/^(localhost|127(\.\d+){3}|::1)$/i.test(host);
  // Whoever puts a gateway in front of servers has no other place to look at them.
  const inspector = toInspector({ ...start, ...(start.openGateway && { hasPage: !isPublic }) });
  // On a public address it is served only where it was asked for.
  const operator = settings.setBy.has('operator') ? settings.operator : isDev && !isPublic;
  const options = { ...toServerOptions(start), inspector, operator };
  if (isPublic && options.auth === undefined) {
    throw new CliError(`${host} can be reached by others, so callers need credentials.`, {
      fix: `Create a key (toolpact key my-tenant) and set ${variableOf('apiKeys')}, or listen on 127.0.0.1.`,
    });
  }
  if (isPublic && options.hosts === undefined) {
    throw new CliError(`${host} can be reached under other host names, which must be allowed.`, {
      fix: `Name them with --hosts, for example --hosts tools.example.com; * for any.`,
    });
  }
  const telemetry = await loadTelemetry(settings);
  const places = new Map<string, () => void>();
  const listeners = {
    onEvent: (event: ToolpactEvent): void => {
      if (event.type === 'call-end') {
        start.log.call(event.outcome);
        sayPlace(event.outcome, places);
      }
      if (event.type === 'denied') start.log.denied(event);
      if (event.type === 'problem') start.log.problem(event);
    },
    onFailure: reporter(start, places),
    telemetry,
  };
  let open: OpenServer | undefined;
  const howToApprove = createHowToApprove({ settings, server: () => open });
  const place = { isPublic, isDev, howToApprove };
  const gateway = await start.openGateway?.(toolboxOptions(settings, start.store, listeners, place));
  const toolbox =
    gateway === undefined ? wireToolbox(start.loaded, settings, start.store, listeners, place) : listened(gateway.toolbox, listeners);
  const records = recordsOf(start, toolbox);
  if (records === 'nowhere') start.log.note('warn', 'store', noStore(), { store: false });
  const server = create(() => createServer(toolbox, { ...withGateway(options, gateway), ...(telemetry && { telemetry }) }));
  try {
    const { url, port: taken, close: stop, closed } = await listen(server, { port, hostname: host, nextFreePort: isDev });
    if (!server.hasAuth) open = { url, hasInspector: inspector !== false };
    if (isPublic) warnOfText(start);
    // Send notices that an earlier process left behind: not every server has a worker.
    insideOf(toolbox)
      .calls?.sendNotices()
      .catch(() => undefined);
    const worker = settings.worker ? startServeWorker(toolbox, start.log) : undefined;
    const close: Listening['close'] = async (how) => {
      const idle = worker?.stop();
      await stop(how);
      // Its calls may take as long as others; the next worker takes over those that are cut off.
      if (idle !== undefined) await withTimeLimit(idle, { ms: how?.drainMs ?? 0, onLate: () => undefined });
      await flushTelemetry(telemetry);
    };
    return {
      url,
      port: taken,
      close,
      closed,
      hasAuth: server.hasAuth,
      tools: toolbox.list(),
      hasInspector: inspector !== false,
      hasOperator: operator,
      toolbox,
      records,
      howToApprove,
    };
  } catch (error) {
    throw explain(error, host, port);
  }
}

/** A gateway is served under the names of what is behind it. */
function withGateway(options: ServerOptions, gateway: OpenedGateway | undefined): ServerOptions {
  if (gateway === undefined) return options;
  const { mcp, routes } = gateway.options;
  return {
    ...options,
    ...(routes && { routes: [...(options.routes ?? []), ...routes] }),
    mcp: options.mcp === false || mcp === false ? false : { ...options.mcp, ...mcp },
  };
}

function recordsOf({ loaded }: ServerStart, { calls }: ServedToolbox): RunningServer['records'] {
  if (calls === undefined) return 'nowhere';
  return loaded.toolbox?.calls === undefined ? 'store' : 'own';
}

function noStore(): string {
  return 'calls are not recorded: the toolbox that your file exports has no store (createToolbox(tools, { store }))';
}

/** A stated `expose` counts on a public address too, where strangers read more of an error than they would by default. */
function warnOfText({ settings: { expose, host }, log }: ServerStart): void {
  if (expose === undefined || expose === 'authored') return;
  const message = `expose is ${expose}, and ${host} can be reached by others: callers see the text of unexpected errors`;
  log.note('warn', 'expose', message, { expose, host });
}

/** Returns what the contract of the stated dialect needs of the server, whatever the toolbox was made with. */
function serverPreset(settings: ServerStart['settings']): ServerOptions {
  const { dialect, server } = presetOf(settings) ?? {};
  return { ...(dialect !== undefined && { dialect }), ...server };
}

function toServerOptions({ settings, store, isDev, terminal }: ServerStart): ServerOptions {
  const { hosts, origins, maxBodyBytes, maxDepth, maxBatch, maxTimeoutMs, keyLimit, tenantLimit, mcp, mcpLogs, openapi } = settings;
  const auth = readAuth(settings);
  return {
    ...originOptions,
    ...serverPreset(settings),
    maxBodyBytes,
    maxDepth,
    maxBatch,
    maxTimeoutMs,
    openapi,
    mcp: mcp ? { ...projectInfo(terminal.cwd), logs: settings.setBy.has('mcpLogs') ? mcpLogs : isDev } : false,
    auditLog: false,
    ...(auth && { auth }),
    ...(hosts && { hosts }),
    ...(origins && { origins }),
    ...((keyLimit !== undefined || tenantLimit !== undefined) && {
      limits: {
        store,
        ...(keyLimit !== undefined && { perKey: { limit: keyLimit } }),
        ...(tenantLimit !== undefined && { perTenant: { limit: tenantLimit } }),
      },
    }),
  };
}

/** A failure is reported before its call ends; where it happened is read below the line of the call. */
function sayPlace(outcome: Outcome, places: Map<string, () => void>): void {
  const { debugId = '' } = outcome.status === 'error' ? outcome.error : {};
  places.get(debugId)?.();
  places.delete(debugId);
}

/** The line of the call says what went wrong. The whole stack is for those who ask; a bug, or an error that could not be read, shows its own lines to its author anyway. */
function reporter(
  { log, isDev, terminal: { verbose, cwd } }: ServerStart,
  places: Map<string, () => void>,
): (record: FailureReport) => void {
  return ({ debugId, tool, error, failure }) => {
    if (error?.stack === undefined) return;
    if (verbose) log.note('error', 'failure', error.stack, { debugId, tool });
    else if (isDev && (failure.kind === 'internal' || failure.kind === 'failed')) {
      const lines = ownLines(error.stack, cwd);
      places.set(debugId, () => {
        for (const line of lines) log.note('error', 'failure', line, { debugId, tool });
      });
    }
  };
}

function create(make: () => ToolServer): ToolServer {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(`The server cannot be started: ${error.message}.`, { cause: error });
    throw error;
  }
}

function explain(error: unknown, host: string, port: number): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new CliError(`Port ${port} is taken.`, {
      fix: 'Stop the program that uses it, or choose another port with --port.',
      cause: error,
    });
  if (code === 'EACCES')
    return new CliError(`Port ${port} is reserved for the system.`, { fix: 'Name one above 1023 with --port.', cause: error });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliError(`This machine has no address ${host}.`, { fix: 'Use 127.0.0.1, or 0.0.0.0 for all addresses.', cause: error });
  }
  return error instanceof TypeError ? new CliError(`The server cannot listen: ${error.message}.`, { cause: error }) : error;
}
