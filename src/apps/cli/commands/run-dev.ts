import { relative } from 'node:path';
import type { Outcome } from '../../../core/outcome/index.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadedFiles, reloadsImports } from '../load/module-versions.ts';
import { openStore } from '../load/open-store.ts';
import { packageVersion } from '../load/package-version.ts';
import { type ToolSource, toolSource } from '../load/tool-source.ts';
import { type CallLog, createCallLog } from '../print/call-log.ts';
import { approvalLine, startBlock } from '../print/start-block.ts';
import { readChaos, withChaos } from './chaos.ts';
import type { Given } from './command.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { untilStopped } from './until-stopped.ts';
import { type FileWatch, watchFiles } from './watch-files.ts';

/** Serves tools while somebody writes them: loads changed files anew, and keeps the last good tools when that fails. */
export async function runDev(given: Given): Promise<number> {
  const { terminal, words, settings } = given;
  const chaos = readChaos(given.flags);
  const source = chaos === undefined ? toolSource(given, words) : withChaos(toolSource(given, words), chaos);
  const loaded = await source.load();
  const log = createCallLog(settings.log ?? 'pretty', terminal.say, terminal.paint);
  const store = await openStore(settings.store, terminal.cwd);
  try {
    let address: string | undefined;
    const call = (outcome: Outcome): void => {
      log.call(outcome);
      const line = address === undefined || settings.log === 'json' ? undefined : approvalLine(address, outcome);
      if (line !== undefined)
        terminal.say(`          ${terminal.paint('dim', `to allow it: ${line}\n          and then make the same call again`)}\n`);
    };
    const server = await startServer({
      settings,
      store,
      loaded,
      log: { ...log, call },
      verbose: terminal.verbose,
      version: packageVersion(),
      isDev: true,
    });
    if (!server.hasAuth) address = server.url;
    if (settings.port !== 0 && server.port !== settings.port) {
      log.note('warn', 'port', `port ${settings.port} is taken, so this is port ${server.port}`);
    }
    if (chaos !== undefined) {
      log.note(
        'warn',
        'chaos',
        `chaos is on: ${Number((chaos.rate * 100).toFixed(2))} % of all runs go wrong on purpose (seed ${chaos.seed})`,
      );
    }
    const watched = watchSource(given, source, server, log);
    const started = {
      url: server.url,
      tools: server.tools,
      store: settings.store === 'memory' ? 'in memory, gone when it stops' : store.name === 'postgres' ? 'PostgreSQL' : settings.store,
      hasMcp: settings.mcp,
      hasDocs: settings.openapi,
      hasAuth: server.hasAuth,
      watches: watched !== undefined,
    };
    await terminal.out(startBlock(started, terminal.outPaint));
    await untilStopped();
    watched?.close();
    log.note('info', 'stopping', 'stopping');
    await server.close({ drainMs: settings.drainMs });
    return exitCodes.done;
  } finally {
    await store.close();
  }
}

/** Loads the tools anew whenever one of their files changes, one time after the other. */
function watchSource({ terminal, config }: Given, source: ToolSource, server: RunningServer, log: CallLog): FileWatch | undefined {
  if (source.files.length === 0) return undefined;
  let turn: Promise<void> = Promise.resolve();
  const followed = new Set<string>();
  const files = watchFiles((changed) => {
    turn = turn.then(() => reload(changed));
  });
  const follow = (): void => {
    for (const file of [...source.files, ...loadedFiles(), ...(config === undefined ? [] : [config.file])]) followed.add(file);
    files.follow(followed);
  };
  follow();
  if (!reloadsImports)
    log.note('warn', 'reload', `Node ${process.versions.node} reloads the tool files alone, not what they import; 22.15 does`);
  return files;

  async function reload(changed: readonly string[]): Promise<void> {
    const names = changed.map((file) => relative(terminal.cwd, file)).join(', ');
    if (config !== undefined && changed.includes(config.file)) {
      log.note('warn', 'reload', `${config.path} has changed; start again to use it`);
      if (changed.length === 1) return;
    }
    try {
      const loaded = await source.load();
      server.exchange(loaded);
      const count = (loaded.toolbox ?? loaded).tools.length;
      log.note('info', 'reload', `${names} changed: ${count} ${count === 1 ? 'tool' : 'tools'} loaded`);
    } catch (error) {
      const { message, fix } = error instanceof CliError ? error : { message: String(error), fix: undefined };
      log.note(
        'error',
        'reload',
        `${names} changed, and the last good tools stay. ${message}${fix === undefined ? '' : `\n  fix: ${fix}`}`,
      );
    }
    follow();
  }
}
