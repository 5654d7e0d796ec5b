import { serveStdio } from '@toolpact/server/stdio';
import { exitCodes } from '../exit-codes.ts';
import { printMcpConfig, storeBase } from '../init/print-mcp-config.ts';
import { flushTelemetry, loadTelemetry } from '../load/load-telemetry.ts';
import { openStore } from '../load/open-store.ts';
import { projectInfo } from '../load/project-info.ts';
import { toolSource } from '../load/tool-source.ts';
import { closeToolbox, wireToolbox } from '../load/wire-toolbox.ts';
import { createHowToApprove } from '../print/how-to-approve.ts';
import type { Given } from './command.ts';

/** Serves tools to the MCP client that started this process, until it closes stdin. */
export async function runMcp(given: Given): Promise<number> {
  const { terminal, words, settings, flags } = given;
  const source = toolSource(given, words);
  const client = flags.get('print-config');
  if (typeof client === 'string') return printMcpConfig(given, source.files, client);
  const loaded = await source.load();
  const folder = storeBase(given, source.files);
  const store = await openStore(settings.store, folder);
  try {
    const telemetry = await loadTelemetry(settings);
    const toolbox = wireToolbox(loaded, settings, store, { telemetry }, { howToApprove: createHowToApprove({ settings, folder }) });
    const { stdin, stdout } = terminal;
    await serveStdio(toolbox, { ...projectInfo(folder), stdin, stdout, ...(telemetry && { telemetry }) }).closed;
    await closeToolbox(toolbox);
    await flushTelemetry(telemetry);
    return exitCodes.done;
  } finally {
    await store.close();
  }
}
