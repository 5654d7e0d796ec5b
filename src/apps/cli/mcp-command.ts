import { serveStdio } from '../../edges/server/stdio.ts';
import type { Given } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { toolSource } from './load-given-tools.ts';
import { flushTelemetry, loadTelemetry } from './load-telemetry.ts';
import { openStore } from './open-store.ts';
import { packageVersion } from './package-version.ts';
import { closeToolbox, wireToolbox } from './wire-toolbox.ts';

/** Serves tools to the MCP client that started this process, until it closes stdin. */
export async function runMcp(given: Given): Promise<number> {
  const { terminal, words, settings } = given;
  const loaded = await toolSource(given, words).load();
  const store = await openStore(settings.store, terminal.cwd);
  try {
    const telemetry = await loadTelemetry(settings);
    const toolbox = wireToolbox(loaded, settings, store, { telemetry });
    const { stdin, stdout } = terminal;
    await serveStdio(toolbox, { name: 'toolpact', version: packageVersion(), stdin, stdout, ...(telemetry && { telemetry }) }).closed;
    await closeToolbox(toolbox);
    await flushTelemetry(telemetry);
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
