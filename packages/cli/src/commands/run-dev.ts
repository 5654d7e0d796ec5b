import type { ServedToolbox } from '@toolpact/server';
import type { Outcome } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { noTenant } from 'toolpact/extend';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { runInit } from '../init/run-init.ts';
import { makePastCalls, withSampleLimits } from '../inspect/make-past-calls.ts';
import { hasToolFile, type LoadedTools } from '../load/load-tools.ts';
import { openStore } from '../load/open-store.ts';
import { packageVersion } from '../load/package-version.ts';
import { type ToolSource, toolSource } from '../load/tool-source.ts';
import { askYesNo } from '../print/ask-yes-no.ts';
import { type CallLog, createCallLog } from '../print/call-log.ts';
import { startBlock } from '../print/start-block.ts';
import type { Settings } from '../settings/read-settings.ts';
import { type Chaos, readChaos, withChaos } from './chaos.ts';
import type { Given } from './command.ts';
import { type DevRound, readRound, reportUp, untilTold } from './dev-worker.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { superviseDev } from './supervise-dev.ts';
import { untilStopped } from './until-stopped.ts';

/** How long the calls of a process may go on after another one has taken over. */
const lastMs = 60_000;

/** Serves tools while an author writes them. One process watches the files, another one serves. */
export async function runDev(given: Given): Promise<number> {
  const round = readRound(given.terminal);
  if (round === undefined && (await wantsFirstTool(given))) return runInit({ ...given, words: [], flags: new Map([['yes', true]]) });
  try {
    const source = toolSource(given, given.words);
    const chaos = readChaos(given.flags);
    if (round === undefined && source.files.length > 0) return await superviseDev(given, source.files);
    return await serve(given, chaos === undefined ? source : withChaos(source, chaos), chaos, round);
  } catch (error) {
    if (round === undefined) throw error;
    const { message, fix, exitCode } =
      error instanceof CliError ? error : { message: String(error), fix: undefined, exitCode: exitCodes.cannotRun };
    await reportUp(given.terminal, { is: 'failed', files: [...given.loader.files], message, fix, exitCode });
    return exitCode;
  }
}

/** Offers to create the first tool, where a person is there and no tools are. */
async function wantsFirstTool({ terminal, words, flags, settings }: Given): Promise<boolean> {
  const isNamed = words.length > 0 || flags.get('sample') === true || settings.tools !== undefined;
  if (isNamed || terminal.stdin.isTTY !== true || hasToolFile(terminal.cwd)) return false;
  return askYesNo(terminal, 'There are no tools here yet. Create a first one?');
}

async function serve(given: Given, source: ToolSource, chaos: Chaos | undefined, round: DevRound | undefined): Promise<number> {
  const { terminal } = given;
  // The samples begin with calls to look at, one that runs, and limits that count.
  const isShow = source.files.length === 0 && chaos === undefined;
  const settings = isShow ? withSampleLimits(given.settings) : given.settings;
  const loaded = await source.load();
  const log = createCallLog(settings.log ?? 'pretty', terminal.say, terminal.paint);
  const stopped = untilStopped(terminal);
  const store = await openStore(settings.store, terminal.cwd);
  try {
    let howToApprove: RunningServer['howToApprove'] | undefined;
    const call = (outcome: Outcome): void => {
      log.call(outcome);
      if (outcome.status !== 'pending' || outcome.pending.reason !== 'approval' || settings.log === 'json') return;
      const how = howToApprove?.({ handle: outcome.pending.handle, tenantId: outcome.meta.tenantId ?? noTenant });
      if (how !== undefined)
        terminal.say(`          ${terminal.paint('dim', `to allow it: ${how}\n          and then make the same call again`)}\n`);
    };
    const server = await startServer({
      settings: { ...settings, port: round?.port ?? settings.port },
      store,
      loaded,
      files: source.files,
      log: { ...log, call },
      loadedFiles: given.loader.files,
      terminal,
      version: packageVersion(),
      isDev: true,
    });
    howToApprove = server.howToApprove;
    const [retired, watching, asked] = [untilTold(terminal, 'retire'), untilTold(terminal, 'watching'), untilTold(terminal, 'stop')];
    if (round !== undefined) {
      const count = (loaded.toolbox ?? loaded).tools.length;
      await reportUp(terminal, { is: 'ready', files: [...given.loader.files], port: server.port, tools: count });
      // Wait until files are watched: a change right after the block is printed must be noticed.
      await watching;
    }
    if (round?.isFirst !== false) await announce(terminal, log, { settings, server, chaos, store, isShow, watches: round !== undefined });
    if (isShow && server.hasInspector) void showSamples(loaded, settings, store, server.toolbox);
    if ((await Promise.race([stopped, asked, retired])) === 'retire') {
      const closed = server.close({ drainMs: lastMs });
      await reportUp(terminal, { is: 'retired' });
      await closed;
      return exitCodes.done;
    }
    log.note('info', 'stopping', 'stopping');
    await server.close({ drainMs: settings.drainMs });
    return exitCodes.done;
  } finally {
    await store.close();
  }
}

/** Everything that is said when the server is up. */
interface Announcement {
  readonly settings: Settings;
  readonly server: Awaited<ReturnType<typeof startServer>>;
  readonly chaos: Chaos | undefined;
  readonly store: Store;
  /** Whether the page shows calls that were made up. */
  readonly isShow: boolean;
  readonly watches: boolean;
}

/** Prints where the server is, what it offers, and what may surprise. */
async function announce(
  terminal: Given['terminal'],
  log: CallLog,
  { settings, server, chaos, store, isShow, watches }: Announcement,
): Promise<void> {
  if (settings.port !== 0 && server.port !== settings.port) {
    log.note('warn', 'port', `port ${settings.port} is taken; using port ${server.port}`);
  }
  if (chaos !== undefined) {
    const share = Number((chaos.rate * 100).toFixed(2));
    log.note('warn', 'chaos', `chaos is on: ${share} % of runs get a fault (seed ${chaos.seed})`);
  }
  const records = server.records === 'store' ? storeText(settings.store, store.name) : recordTexts[server.records];
  const started = {
    url: server.url,
    tools: server.tools,
    // Otherwise a newcomer wonders who made the calls on the page.
    records: records && isShow && server.hasInspector ? `${records} (starts with calls of imaginary agents)` : records,
    hasMcp: settings.mcp,
    hasInspector: server.hasInspector,
    hasOperator: server.hasOperator,
    hasAuth: server.hasAuth,
    watches,
  };
  await terminal.out(startBlock(started, terminal.outPaint));
}

/** Not awaited: the server is ready, and the page shows calls as they come. */
async function showSamples(loaded: LoadedTools, settings: Settings, store: Store, toolbox: ServedToolbox): Promise<void> {
  try {
    await makePastCalls(loaded, settings, store);
    await toolbox.answer({ name: 'crawl_site', args: { pages: 25 } }, { runId: 'run_market', agentName: 'analyst' });
  } catch {
    // A store that cannot be read is reported by the calls that need it.
  }
}

const recordTexts = { own: 'in the store of the toolbox', nowhere: undefined } as const;

function storeText(where: string, name: string): string {
  if (where === 'memory') return 'in memory, lost when it stops';
  return name === 'postgres' ? 'PostgreSQL' : where;
}
