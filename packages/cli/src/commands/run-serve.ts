import { exitCodes } from '../exit-codes.ts';
import { openStore } from '../load/open-store.ts';
import { packageVersion } from '../load/package-version.ts';
import { toolSource } from '../load/tool-source.ts';
import { createCallLog } from '../print/call-log.ts';
import type { Given } from './command.ts';
import { startServer } from './start-server.ts';
import { untilStopped } from './until-stopped.ts';

/** Serves tools until a signal stops it; then lets running calls finish. */
export async function runServe(given: Given): Promise<number> {
  const { terminal, words, settings } = given;
  const source = toolSource(given, words);
  const loaded = await source.load();
  const log = createCallLog(settings.log ?? 'json', terminal.say, terminal.paint);
  const stopped = untilStopped(terminal);
  const store = await openStore(settings.store, terminal.cwd);
  try {
    const server = await startServer({
      settings,
      store,
      loaded,
      files: source.files,
      log,
      loadedFiles: given.loader.files,
      terminal,
      version: packageVersion(),
      isDev: false,
    });
    log.note('info', 'listening', `listening on ${server.url}`, { url: server.url, store: store.name });
    const signal = await Promise.race([stopped, server.closed.then(() => 'shutdown')]);
    log.note('info', 'stopping', `${signal}: refusing new calls, finishing running ones`, { signal, drainMs: settings.drainMs });
    await server.close({ drainMs: settings.drainMs });
    log.note('info', 'stopped', 'stopped');
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
