import type { Client, Transport } from '@modelcontextprotocol/client';
import { ToolFailure } from 'toolpact';
import { type Clock, systemClock, whyUnreachable } from 'toolpact/internal';
import { createProcessTransport, overlongCode } from './process-transport.ts';
import { callAsTask, createTaskChanges } from './upstream-task.ts';

/** How a server behind the gateway is reached: as a program that is started, at an address, or by a transport of one's own. */
export type GatewayTarget =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      /** Added to the few variables that every program gets. @default none */
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly era?: GatewayEra;
    }
  | { readonly url: string | URL; readonly headers?: Readonly<Record<string, string>>; readonly era?: GatewayEra }
  | { readonly connect: () => Transport | Promise<Transport>; readonly era?: GatewayEra };

/**
 * The era of the protocol in which a server is spoken to: by default the older one, and the newer one if it knows no other. In the newer one it
 * cannot ask or log while a call runs, but is told what the client behind each call can do.
 */
export type GatewayEra = 'legacy' | 'modern';

/** The state of a server behind the gateway. */
export interface UpstreamState {
  readonly name: string;
  readonly status: 'starting' | 'running' | 'down' | 'closed';
  /** Its own name and version. */
  readonly info?: { readonly name: string; readonly version: string };
  readonly era?: 'legacy' | 'modern';
  /** How often it was started. */
  readonly starts: number;
  /** Why it is down, or was last. */
  readonly problem?: string;
  /** When it is started again. */
  readonly nextStartAt?: string;
  readonly pid?: number;
  /** The last lines of its standard error. */
  readonly lastLines: readonly string[];
}

/** How a request to a server is made. */
export interface UpstreamRequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: never) => void;
}

/** A server behind the gateway: it is started, watched, and started again when it ends. */
export interface Upstream {
  readonly name: string;
  readonly state: () => UpstreamState;
  /** Resolves when it runs, rejects when it could not be started for the first time. */
  readonly started: Promise<void>;
  /** Tries a server that could not be started again, after a pause, and says so. */
  readonly startLater: () => void;
  readonly client: () => Client | undefined;
  /** Sends a request and gives the result as it came. A server that ends meanwhile is told as `interrupted`; one that does not run, as `not_ready`. */
  readonly request: (method: string, params: object, options?: UpstreamRequestOptions) => Promise<unknown>;
  /** Makes a call: in the newer era the definition of the tool says which arguments go into headers. */
  readonly call: (params: { readonly name: string }, definition: object, options: UpstreamRequestOptions) => Promise<unknown>;
  /** Makes a call as a task of the server, and waits for its result. */
  readonly callAsTask: (params: { readonly name: string }, options: UpstreamRequestOptions) => Promise<unknown>;
  /** The server says that one of its tasks has changed. */
  readonly taskChanged: (taskId: unknown) => void;
  readonly close: () => Promise<void>;
}

/** Listener for changes of a server. */
export interface UpstreamListener {
  /** Prepares a client before it connects: handlers for what the server asks. */
  readonly onClient: (client: Client) => void;
  /** The server runs, for the first time or again. */
  readonly onRunning: () => void;
  readonly onToolsChanged: () => void;
  /** The server is down, wrote to its standard error, or did something that is not MCP. */
  readonly onLine: (line: string) => void;
}

/** The first pause before a server is started again; each further one is twice as long. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A server that ran for so long ended by chance, and is started again soon. */
const steadyMs = 60_000;
const startMs = 30_000;
/** So long a server that let a call run out of time may take for a sign of life. */
const pingMs = 30_000;
const maxLines = 20;
const longestLine = 500;
/** Capabilities offered to servers. Whether the client behind a call has them is known only when it is asked. */
const capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { context: {}, tools: {} },
  roots: { listChanged: true },
};

type Sdk = typeof import('@modelcontextprotocol/client');
type ConnectMode = 'legacy' | { readonly pin: string };

const modern: ConnectMode = { pin: '2026-07-28' };

/** Starts a server and keeps it running until it is closed. */
export function createUpstream(
  name: string,
  target: GatewayTarget,
  sdk: Sdk,
  listener: UpstreamListener,
  {
    clock = systemClock,
    info,
    hide,
  }: {
    readonly clock?: Clock;
    readonly info: { readonly name: string; readonly version: string };
    /** Hides secrets in what a server writes or answers. */
    readonly hide: (text: string) => string;
  },
): Upstream {
  let status: UpstreamState['status'] = 'starting';
  let client: Client | undefined;
  let starts = 0;
  let failures = 0;
  let runningSince = 0;
  let problem: string | undefined;
  let nextStartAt: number | undefined;
  let stopTimer: (() => void) | undefined;
  let starting: Promise<void> | undefined;
  /** The connection to a server that has not answered yet. */
  let opening: Transport | undefined;
  let closing: Promise<void> | undefined;
  let pinging = false;
  let lastLines: readonly string[] = [];

  function note(given: string): void {
    const line = hide(given);
    const short = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    lastLines = [...lastLines, short].slice(-maxLines);
    listener.onLine(short);
  }

  async function connect(mode: ConnectMode): Promise<Client> {
    const { Client: SdkClient } = sdk;
    const made = new SdkClient(info, {
      capabilities,
      versionNegotiation: { mode },
      // Changes are gathered by the listener; a pause here would be put off by each further one.
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => listener.onToolsChanged() } },
      // Answers are checked by the tools that they are for.
      jsonSchemaValidator: { getValidator: () => (value: unknown) => ({ valid: true, data: value as never, errorMessage: undefined }) },
    });
    listener.onClient(made);
    const reported = { count: 0 };
    made.onerror = (error) => {
      const isGarbage = error instanceof SyntaxError || error.name === 'ZodError';
      // Why a server did not start is told by the start, and what fails while it closes concerns nobody.
      if (!isGarbage && (status === 'starting' || isClosed())) return;
      // A server that floods its output with garbage must not flood ours.
      reported.count += 1;
      if (reported.count <= 10)
        note(`(${name}${isGarbage ? ' sent something that is not MCP' : ''}: ${hide(error.message).slice(0, 200)})`);
    };
    const transport = await openTransport(target, sdk, note);
    if (isClosed()) throw new Error('it was closed');
    opening = transport;
    try {
      await made.connect(transport, { timeout: startMs });
      return made;
    } catch (error) {
      await made.close().catch(() => undefined);
      throw error;
    } finally {
      opening = undefined;
    }
  }

  async function start(): Promise<void> {
    status = 'starting';
    nextStartAt = undefined;
    starts += 1;
    try {
      const made = await connectInEra(target, connect);
      if (isClosed()) {
        await made.close();
        return;
      }
      client = made;
      status = 'running';
      runningSince = clock.monotonic();
      made.onclose = () => {
        if (client === made) onEnd('it ended');
      };
      listener.onRunning();
    } catch (error) {
      const why = hide(whyNotStarted(target, error));
      noteEnd(`it could not be started: ${why.slice(0, 300)}`);
      // Whether one that never ran is tried again is for the gateway to say, which may have no other.
      if (starts > 1) startLater();
      throw new Error(`The server "${name}" could not be started: ${why}${lastWords()}`, { cause: error });
    }
  }

  const lastWords = (): string => (lastLines.length === 0 ? '' : `\n${lastLines.slice(-5).join('\n')}`);
  const isClosed = (): boolean => status === 'closed';

  function noteEnd(why: string): void {
    client = undefined;
    if (isClosed()) return;
    if (clock.monotonic() - runningSince >= steadyMs && runningSince > 0) failures = 0;
    runningSince = 0;
    status = 'down';
    problem = why;
  }

  function startLater(): void {
    if (isClosed()) return;
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 16));
    failures += 1;
    nextStartAt = clock.now() + pause;
    listener.onLine(`(${name}: ${problem}; it is started again in ${Math.round(pause / 1000)} s)`);
    stopTimer = clock.after(pause, startAgain, { background: true });
  }

  function onEnd(why: string): void {
    noteEnd(why);
    startLater();
  }

  function startAgain(): void {
    stopTimer?.();
    if (starting !== undefined || isClosed()) return;
    starting = start()
      .catch(() => undefined)
      .finally(() => {
        starting = undefined;
      });
  }

  function notRunning(): ToolFailure {
    const wait = nextStartAt === undefined ? firstPauseMs : Math.max(0, nextStartAt - clock.now());
    const why = status === 'starting' ? 'it is being started' : (problem ?? 'it is down');
    return new ToolFailure('not_ready', `The server "${name}" is not running: ${why}.`, { effect: 'none', retryAfterMs: Math.ceil(wait) });
  }

  /** Does something with the client; what it throws because the server went away says so. */
  async function withClient<TResult>(run: (client: Client) => Promise<TResult>, signal: AbortSignal | undefined): Promise<TResult> {
    const used = client;
    if (used === undefined) throw notRunning();
    try {
      return await run(used);
    } catch (error) {
      const { code, status: httpStatus } = error as { readonly code?: unknown; readonly status?: unknown };
      // An HTTP server that was started again does not know the session: nothing ran, and a new one is opened.
      if (httpStatus === 404 && 'url' in target && client === used) void used.close().catch(() => undefined);
      if (code === 'REQUEST_TIMEOUT' || signal?.aborted === true) void checkLife(used);
      if (code === overlongCode) throw new ToolFailure('bad_response', (error as Error).message, { code: 'undecodable', cause: error });
      if (code !== 'CONNECTION_CLOSED') throw error;
      throw new ToolFailure('interrupted', `The server "${name}" ended while this call ran.`, { cause: error });
    }
  }

  /** Ends a server that gives no sign of life after a call ran out of time. */
  async function checkLife(used: Client): Promise<void> {
    if (pinging || client !== used || used.getProtocolEra() === 'modern' || 'url' in target) return;
    pinging = true;
    try {
      await used.ping({ timeout: pingMs });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'REQUEST_TIMEOUT' || client !== used) return;
      onEnd(`it gave no sign of life for ${pingMs / 1000} s`);
      await used.close().catch(() => undefined);
    } finally {
      pinging = false;
    }
  }

  async function close(): Promise<void> {
    status = 'closed';
    stopTimer?.();
    const used = client;
    client = undefined;
    await opening?.close().catch(() => undefined);
    await Promise.allSettled([started, starting]);
    await used?.close().catch(() => undefined);
  }

  const request: Upstream['request'] = (method, params, options = {}) =>
    withClient((used) => used.request({ method, params } as never, anything as never, options as never), options.signal);
  const changes = createTaskChanges();

  const started = start();
  started.catch(() => undefined);

  return {
    name,
    started,
    startLater,
    client: () => client,
    state() {
      const own = client?.getServerVersion();
      const pid = (client?.transport as { readonly pid?: number | null } | undefined)?.pid;
      const era = client?.getProtocolEra();
      return {
        name,
        status,
        starts,
        lastLines,
        ...(own && { info: { name: own.name, version: own.version } }),
        ...(era && { era }),
        ...(problem !== undefined && { problem }),
        ...(nextStartAt !== undefined && { nextStartAt: new Date(nextStartAt).toISOString() }),
        ...(typeof pid === 'number' && { pid }),
      };
    },
    request,
    call(params, definition, options) {
      if (client?.getProtocolEra() !== 'modern') return request('tools/call', params, options);
      const { outputSchema: _, ...toolDefinition } = definition as { readonly outputSchema?: unknown };
      return withClient((used) => used.callTool(params as never, { ...options, toolDefinition } as never), options.signal);
    },
    callAsTask: (params, options) => callAsTask(request, params, options, { clock, changes }),
    taskChanged: changes.tell,
    close() {
      // Whoever closes it a second time waits for the same end: a process that exits before that leaves its server behind.
      closing ??= close();
      return closing;
    },
  };
}

/** Says why a server could not be started, with the address or the command that was tried. */
function whyNotStarted(target: GatewayTarget, error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if ('url' in target) {
    const why = whyUnreachable(error);
    // Neither logins nor keys in the query belong into a message.
    const { origin, pathname } = new URL(target.url);
    return why === undefined && said !== 'fetch failed'
      ? said
      : `${origin}${pathname} could not be reached${why === undefined ? '' : `: ${why}`}`;
  }
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (code === 'REQUEST_TIMEOUT') return `it did not answer within ${startMs / 1000} s`;
  if (!('command' in target) || code !== 'ENOENT' || typeof syscall !== 'string' || !syscall.startsWith('spawn')) return said;
  // A folder that is not there fails with the same code.
  const { command, cwd } = target;
  return cwd === undefined ? `there is no command "${command}"` : `there is no command "${command}", or no folder ${cwd}`;
}

/** A schema that takes everything: results are read by those who asked. */
const anything = { '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }) } };

/**
 * Connects in the older era, which nearly all servers speak, and in which they can ask clients of either era while a call runs. One that refuses it
 * is greeted in the newer era.
 */
async function connectInEra(target: GatewayTarget, connect: (mode: ConnectMode) => Promise<Client>): Promise<Client> {
  if (target.era === 'modern') return connect(modern);
  try {
    return await connect('legacy');
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (target.era === 'legacy' || (code !== -32022 && code !== -32601)) throw error;
    return connect(modern);
  }
}

async function openTransport(target: GatewayTarget, sdk: Sdk, note: (line: string) => void): Promise<Transport> {
  if ('connect' in target) return target.connect();
  if ('url' in target) {
    const { url, headers = {} } = target;
    return new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...headers } } });
  }
  const [{ StdioClientTransport, getDefaultEnvironment }, { spawn }] = await Promise.all([loadStdio(), loadProcesses()]);
  const { command, args = [], env, cwd } = target;
  const program = { command, args: [...args], env: { ...getDefaultEnvironment(), ...env }, ...(cwd !== undefined && { cwd }) };
  if (process.platform !== 'win32') return createProcessTransport(program, spawn, sdk, (stderr) => readLines(stderr, note));
  // Only the SDK knows how the shell of Windows is told to start a program.
  const transport = new StdioClientTransport({ ...program, stderr: 'pipe' });
  readLines(transport.stderr, note);
  return transport;
}

/** Loads what starts processes, by a name that bundlers do not follow: it has no place in what they make for workers of edge platforms. */
function loadStdio(entry = '@modelcontextprotocol/client/stdio'): Promise<typeof import('@modelcontextprotocol/client/stdio')> {
  return import(entry);
}

function loadProcesses(entry = 'node:child_process'): Promise<typeof import('node:child_process')> {
  return import(entry);
}

/** Reads a stream line by line; of a line without end only the beginning is kept. */
function readLines(stream: unknown, note: (line: string) => void): void {
  const readable = stream as {
    readonly setEncoding?: (encoding: string) => void;
    readonly on?: (event: 'data', listener: (text: string) => void) => void;
  } | null;
  readable?.setEncoding?.('utf8');
  let rest = '';
  readable?.on?.('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine + 1);
    for (const line of lines) if (line.trim() !== '') note(line.trimEnd());
  });
}
