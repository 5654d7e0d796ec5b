import { serveStdio } from '../../edges/server/stdio.ts';
import type { Given } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { toolSource } from './load-given-tools.ts';
import { openStore } from './open-store.ts';
import { packageVersion } from './package-version.ts';
import { closeToolbox, wireToolbox } from './wire-toolbox.ts';

/** Serves tools to the MCP client that started this process, until it closes stdin. */
export async function runMcp(given: Given): Promise<number> {
  const { terminal, words, settings } = given;
  const loaded = await toolSource(given, words).load();
  const store = await openStore(settings.store, terminal.cwd);
  try {
    const toolbox = wireToolbox(loaded, settings, store);
    await serveStdio(toolbox, { name: 'toolpact', version: packageVersion(), stdin: terminal.stdin, stdout: terminal.stdout }).closed;
    await closeToolbox(toolbox);
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
