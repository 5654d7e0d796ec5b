import type { ToolpactEvent } from '../../../core/events/index.ts';
import type { ListedTool, Store } from '../../../core/runtime/index.ts';
import { createServer, type ServedToolbox, type ServerOptions, type ToolServer } from '../../../edges/server/index.ts';
import { type Listening, listen } from '../../../edges/server/listen.ts';
import { CliError } from '../cli-error.ts';
import { flushTelemetry, loadTelemetry } from '../load/load-telemetry.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import type { CallLog } from '../print/call-log.ts';
import { readAuth } from '../settings/read-auth.ts';
import type { Settings } from '../settings/read-settings.ts';
import { variableOf } from '../settings/settings.ts';
import { createServerSwitch } from './server-switch.ts';

/** What a server is started with. */
export interface ServerStart {
  readonly settings: Settings;
  readonly store: Store;
  readonly loaded: LoadedTools;
  readonly log: CallLog;
  readonly verbose: boolean;
  readonly version: string;
  /** Whether it is a developer's: takes another port when its own is taken, and other tools while it runs. */
  readonly isDev: boolean;
}

/** A server that listens, whose tools can be exchanged. */
export interface RunningServer extends Pick<Listening, 'url' | 'port' | 'close'> {
  readonly hasAuth: boolean;
  /** The tools it began with. */
  readonly tools: readonly ListedTool[];
  /** Serves other tools from now on; throws when they do not fit together, and goes on with those it has. */
  readonly exchange: (loaded: LoadedTools) => void;
}

/** Starts to serve tools. What cannot be kept (a public address without credentials, a port that is taken) is said before anything listens. */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const { settings, isDev } = start;
  const { host, port } = settings;
  const options = toServerOptions(start);
  const isPublic = !/^(localhost|127(\.\d+){3}|::1)$/i.test(host);
  if (isPublic && options.auth === undefined) {
    throw new CliError(`${host} can be reached by others, so callers have to say who they are.`, {
      fix: `Make a key (toolpact key my-tenant) and set ${variableOf('apiKeys')}, or listen on 127.0.0.1.`,
    });
  }
  if (isPublic && options.hosts === undefined) {
    throw new CliError(`${host} can be reached under other names, and they have to be known.`, {
      fix: `Say which with --hosts, for example --hosts tools.example.com; * for any.`,
    });
  }
  const telemetry = await loadTelemetry(settings);
  const listeners = {
    onEvent: (event: ToolpactEvent) => event.type === 'call-end' && start.log.call(event.outcome),
    onFailure: reporter(start),
    telemetry,
  };
  const wire = (loaded: LoadedTools): ServedToolbox => wireToolbox(loaded, settings, start.store, listeners, isPublic);
  const make = (toolbox: ServedToolbox): ToolServer => create(() => createServer(toolbox, { ...options, ...(telemetry && { telemetry }) }));
  const toolbox = wire(start.loaded);
  const { server, use } = createServerSwitch(make(toolbox));
  try {
    const { url, port: taken, close: stop } = await listen(server, { port, hostname: host, nextFreePort: isDev });
    const close: Listening['close'] = async (how) => {
      await stop(how);
      await flushTelemetry(telemetry);
    };
    return { url, port: taken, close, hasAuth: server.hasAuth, tools: toolbox.list(), exchange: (loaded) => use(make(wire(loaded))) };
  } catch (error) {
    throw explain(error, host, port);
  }
}

function toServerOptions({ settings, store, log, version }: ServerStart): ServerOptions {
  const { hosts, origins, maxBodyBytes, maxDepth, maxBatch, keyLimit, tenantLimit, mcp, openapi } = settings;
  const auth = readAuth(settings);
  return {
    maxBodyBytes,
    maxDepth,
    maxBatch,
    openapi,
    mcp: mcp ? { version } : false,
    onDenied: log.denied,
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

/** The line of the call says what went wrong; where in the code is only for those who ask. */
function reporter({
  log,
  verbose,
}: ServerStart): (record: { debugId: string; tool: string; error: { stack?: string } | undefined }) => void {
  return ({ debugId, tool, error }) => {
    if (verbose && error?.stack !== undefined) log.note('error', 'failure', error.stack, { debugId, tool });
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
    return new CliError(`Port ${port} is taken.`, { fix: 'Stop whoever has it, or name another one with --port.', cause: error });
  if (code === 'EACCES')
    return new CliError(`Port ${port} is reserved for the system.`, { fix: 'Name one above 1023 with --port.', cause: error });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliError(`This machine has no address ${host}.`, { fix: 'Use 127.0.0.1, or 0.0.0.0 for all addresses.', cause: error });
  }
  return error instanceof TypeError ? new CliError(`The server cannot listen: ${error.message}.`, { cause: error }) : error;
}
