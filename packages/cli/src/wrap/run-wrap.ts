import { dirname } from 'node:path';
import { createGateway, type Gateway, type GatewayOptions } from '@toolpact/server';
import { serveStdio } from '@toolpact/server/stdio';
import { type ToolboxOptions, ToolpactError } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { CliError, cannotWrite, usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { startServer } from '../commands/start-server.ts';
import { untilStopped } from '../commands/until-stopped.ts';
import { exitCodes } from '../exit-codes.ts';
import { flushTelemetry, loadTelemetry } from '../load/load-telemetry.ts';
import { makeFolder } from '../load/make-folder.ts';
import { openStore } from '../load/open-store.ts';
import { packageVersion } from '../load/package-version.ts';
import { readerFor, toolboxOptions } from '../load/wire-toolbox.ts';
import { createCallLog } from '../print/call-log.ts';
import { createHowToApprove } from '../print/how-to-approve.ts';
import { asSentence, plainLine } from '../print/terminal.ts';
import { runAccept } from './run-accept.ts';
import { runWriteConfig } from './run-write-config.ts';
import { suggestRules } from './suggest-rules.ts';
import { readWrappedServers, type WrappedServers } from './wrapped-servers.ts';

/** Puts MCP servers under the contract, and serves them to the client that started this process, or over HTTP. */
export async function runWrap(given: Given): Promise<number> {
  const { settings, flags } = given;
  if (flags.get('write-config') !== undefined) return runWriteConfig(given);
  if (flags.get('undo') === true || flags.get('client-file') !== undefined)
    throw usageError('--undo and --client-file belong to --write-config.', 'toolpact wrap --write-config claude-desktop --undo');
  const servers = await readWrappedServers(given);
  if (flags.get('suggest') === true) return printSuggestion(given, servers);
  if (flags.get('accept') === true) return accept(given, servers);
  const store = await openStore(settings.store, storeFolder(given, servers));
  try {
    return settings.setBy.has('port') || settings.setBy.has('host')
      ? await serveHttp(given, servers, store)
      : await serveClient(given, servers, store);
  } finally {
    await store.close();
  }
}

async function serveClient(given: Given, servers: WrappedServers, store: Store): Promise<number> {
  const { settings, terminal } = given;
  // The servers end with this process, also when it is stopped while they start.
  const stop = new AbortController();
  void untilStopped(terminal).then(() => stop.abort());
  const telemetry = await loadTelemetry(settings);
  const howToApprove = createHowToApprove({ settings, folder: storeFolder(given, servers) });
  const options = toolboxOptions(settings, store, { telemetry }, { howToApprove });
  const gateway = await open(given, servers, store, options, stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  if (gateway === undefined) return exitCodes.done;
  try {
    const { stdin, stdout } = terminal;
    await serveStdio(gateway.toolbox, { ...gateway.mcp, stdin, stdout, ...(telemetry && { telemetry }) }).closed;
  } finally {
    await gateway.close();
    await flushTelemetry(telemetry);
  }
  return exitCodes.done;
}

async function serveHttp(given: Given, servers: WrappedServers, store: Store): Promise<number> {
  const { settings, terminal } = given;
  const log = createCallLog(settings.log ?? 'pretty', terminal.say, terminal.paint);
  const stopped = untilStopped(terminal);
  let gateway: Gateway | undefined;
  try {
    const server = await startServer({
      settings,
      store,
      loaded: { tools: [] },
      files: [],
      log,
      loadedFiles: given.loader.files,
      terminal,
      version: packageVersion(),
      isDev: false,
      async openGateway(options) {
        gateway = await open(given, servers, store, options);
        return { toolbox: gateway.toolbox, options: { mcp: gateway.mcp } };
      },
    });
    log.note('info', 'listening', `MCP on ${server.url}/mcp`, { url: server.url, store: store.name });
    if (server.hasInspector) log.note('info', 'page', `page on ${server.url}/inspector/`, { url: `${server.url}/inspector/` });
    const signal = await Promise.race([stopped, server.closed.then(() => 'shutdown')]);
    log.note('info', 'stopping', `${signal}: refusing new calls, finishing running ones`, { signal, drainMs: settings.drainMs });
    await server.close({ drainMs: settings.drainMs });
    return exitCodes.done;
  } finally {
    await gateway?.close();
  }
}

/** A store that was named on the command line lies where the command runs; one by default beside the file of the servers. */
function storeFolder({ settings, terminal }: Given, { folder }: WrappedServers): string {
  return settings.setBy.has('store') ? terminal.cwd : folder;
}

/** Starts the servers; what they write to their standard error goes to ours. */
async function open(given: Given, wrapped: Opened, store: Store, options: ToolboxOptions, signal?: AbortSignal): Promise<Gateway> {
  const { servers, rules, explain, lock, search } = wrapped;
  const { terminal, settings, flags } = given;
  const drift = (flags.get('drift') as GatewayOptions['drift']) ?? wrapped.drift;
  const isOne = Object.keys(servers).length === 1;
  const log: GatewayOptions['log'] = (line, server, place) => {
    // What is about the file and not about a server stands at its line there.
    const about = isOne || server === '' ? '' : terminal.paint('dim', `${server}: `);
    terminal.say(`${about}${plainLine(place === undefined ? line : withPlace(line, place, explain))}\n`);
  };
  try {
    if (lock !== undefined) makeLockFolder(lock);
    return await createGateway({
      ...options,
      servers,
      ...(signal && { signal }),
      ...(rules && { rules }),
      ...(search && { search }),
      ...(lock !== undefined && { lock, ...(drift && { drift }) }),
      tools: readerFor([], settings, store),
      log,
    });
  } catch (error) {
    const explained = explain(error);
    if (explained instanceof CliError || !(explained instanceof Error)) throw explained;
    if (explained instanceof ToolpactError) throw new CliError(asSentence(explained.message), { cause: error });
    const alone = 'Try the command or the address by itself; it must speak MCP.';
    // The commonest reason why one that works at a terminal fails here.
    const variables = ' A command in a file gets the basic variables, such as PATH and HOME; name others in its env.';
    throw new CliError(explained.message, { fix: flags.get('config') === undefined ? alone : `${alone}${variables}`, cause: error });
  }
}

/** Puts the line of the file before what is wrong there. */
function withPlace(line: string, place: readonly (string | number)[], explain: Opened['explain']): string {
  const explained = explain(new ToolpactError('invalid_option', line.replace(/^\((.*)\)$/s, '$1'), { place: [...place] }));
  return explained instanceof CliError ? explained.message : line;
}

function makeLockFolder(lock: string): void {
  try {
    makeFolder(dirname(lock));
  } catch (error) {
    throw cannotWrite(lock, error);
  }
}

/** The opened gateway; without a lock file nothing is locked. */
type Opened = Omit<WrappedServers, 'lock'> & { readonly lock?: string };

async function accept(given: Given, servers: WrappedServers): Promise<number> {
  const store = await openStore('memory', given.terminal.cwd);
  const gateway = await open(given, servers, store, { store, report: () => undefined });
  try {
    return await runAccept(given, gateway);
  } finally {
    await gateway.close();
    await store.close();
  }
}

async function printSuggestion(given: Given, servers: WrappedServers): Promise<number> {
  const store = await openStore('memory', given.terminal.cwd);
  const { lock: _, drift: __, ...rest } = servers;
  const gateway = await open(given, { ...rest, rules: [] }, store, { store, report: () => undefined });
  try {
    await given.terminal.out(suggestRules(gateway, servers.servers));
    return exitCodes.done;
  } finally {
    await gateway.close();
    await store.close();
  }
}
