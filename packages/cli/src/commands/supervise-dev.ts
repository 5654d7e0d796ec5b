import cluster, { type Worker } from 'node:cluster';
import { relative } from 'node:path';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CallLog, createCallLog } from '../print/call-log.ts';
import type { Given } from './command.ts';
import { type DevReport, toEnvironment } from './dev-worker.ts';
import { untilStopped } from './until-stopped.ts';
import { watchFiles } from './watch-files.ts';

/** How a process that was started to serve began: it listens, or it ended before it did. */
type Begun = Exclude<DevReport, { is: 'retired' }> | { readonly is: 'ended'; readonly exitCode: number };

/**
 * Serves tools in a process of their own and starts another one whenever one of their files changes. The one before goes on until the new one
 * listens on the same port, and then finishes the calls it has begun; when the new one cannot begin, it stays.
 */
export async function superviseDev({ terminal, settings, config, envFile }: Given, files: readonly string[]): Promise<number> {
  const log = createCallLog(settings.log ?? 'pretty', terminal.say, terminal.paint);
  const followed = new Set([...files, ...(config === undefined ? [] : [config.file]), ...(envFile === undefined ? [] : [envFile.file])]);
  // Each process reads the file again, so it must not inherit what the file said before.
  const unset = Object.fromEntries((envFile?.names ?? []).map((name) => [name, undefined]));
  const ready = new Set<Worker>();
  let serving: Worker | undefined;
  let port: number | undefined;
  let isStopping = false;

  const begin = async (isFirst: boolean): Promise<Begun> => {
    const worker = cluster.fork({ ...unset, ...toEnvironment({ port, isFirst }) });
    const start = await untilBegun(worker);
    if ('files' in start) for (const file of start.files) followed.add(file);
    watched.follow(followed);
    if (start.is !== 'ready') return start;
    ready.add(worker);
    const before = serving;
    [serving, port] = [worker, settings.port === 0 ? 0 : start.port];
    worker.on('exit', () => {
      if (serving !== worker || isStopping) return;
      serving = undefined;
      log.note('error', 'ended', 'the server process exited; save a file to restart it');
    });
    if (before !== undefined) await retire(before);
    worker.send('watching', () => undefined);
    return start;
  };

  const reload = async (changed: readonly string[]): Promise<void> => {
    const names = changed.map((file) => relative(terminal.cwd, file)).join(', ');
    if (config !== undefined && changed.includes(config.file)) {
      log.note('warn', 'reload', `${config.path} has changed; restart to use it`);
      if (changed.length === 1) return;
    }
    if (!isStopping) noteReload(log, names, await begin(false), serving !== undefined);
  };

  // Changes while the first process begins count too.
  let turn: Promise<unknown> = Promise.resolve();
  const watched = watchFiles((changed) => {
    turn = turn.then(() => reload(changed));
  });
  watched.follow(followed);
  const stopped = untilStopped(terminal);
  const beginning = begin(true);
  turn = beginning;
  const first = await beginning;
  if (first.is !== 'ready') watched.close();
  if (first.is === 'failed') throw new CliError(first.message, { fix: first.fix, exitCode: first.exitCode });
  if (first.is === 'ended') return first.exitCode;

  const signal = await stopped;
  isStopping = true;
  watched.close();
  await Promise.all(
    Object.values(cluster.workers ?? {}).map(async (worker) => worker && (await stop(worker, ready.has(worker) ? undefined : signal))),
  );
  return exitCodes.done;
}

function noteReload(log: CallLog, names: string, begun: Begun, isServing: boolean): void {
  if (begun.is === 'ready') {
    log.note('info', 'reload', `${names} changed: ${begun.tools} ${begun.tools === 1 ? 'tool' : 'tools'} loaded`);
    return;
  }
  const { message, fix } =
    begun.is === 'failed' ? begun : { message: 'The new process exited before it could serve; its output is above.', fix: undefined };
  const consequence = isServing ? 'and the last working tools stay' : 'and there are no tools to serve';
  log.note('error', 'reload', `${names} changed, ${consequence}. ${message}${fix === undefined ? '' : `\n  fix: ${fix}`}`);
}

function untilBegun(worker: Worker): Promise<Begun> {
  return new Promise((resolve) => {
    worker.on('message', (report: DevReport) => report.is !== 'retired' && resolve(report));
    worker.once('exit', (code) => resolve({ is: 'ended', exitCode: code ?? exitCodes.cannotRun }));
  });
}

/** Resolves when a process takes no more calls; it ends by itself when those it has begun are over. */
function retire(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.on('message', (report: DevReport) => report.is === 'retired' && resolve());
    worker.once('exit', () => resolve());
    worker.send('retire', () => undefined);
  });
}

/** Asks a process by a message to stop: on Windows a signal would end it in the middle of its calls. One that does not listen yet gets the signal. */
function stop(worker: Worker, signal: NodeJS.Signals | undefined): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve());
    if (signal === undefined) worker.send('stop', () => undefined);
    else worker.process.kill(signal);
  });
}
