import { resolve } from 'node:path';
import type { InspectorOptions } from '@toolpact/server';
import { mcpClients, npxCommand } from '../init/mcp-clients.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import { projectName } from '../load/project-info.ts';
import type { Terminal } from '../print/terminal.ts';
import type { Settings } from '../settings/read-settings.ts';
import { createBench } from './create-bench.ts';
import { createReadSource } from './read-source.ts';

/** The facts about a server before it starts. */
export interface InspectedStart {
  readonly settings: Settings;
  readonly loaded: LoadedTools;
  /** The files of the tools; none for the samples. */
  readonly files: readonly string[];
  /** Every file that was loaded so far, also those that the tools import. */
  readonly loadedFiles: ReadonlySet<string>;
  readonly terminal: Terminal;
  readonly version: string;
  /** Whether it is a developer's: takes another port when its own is taken, and lets the inspector do more. */
  readonly isDev: boolean;
  /** Whether the page is served where the settings do not say. @default on a developer's server */
  readonly hasPage?: boolean;
}

/** Reads from the settings whether the inspector page is served and what it may do; on a developer's server it may do more. */
export function toInspector(start: InspectedStart): InspectorOptions | false {
  const { settings, isDev, hasPage = isDev, loaded, loadedFiles, version } = start;
  const { cwd } = start.terminal;
  const isOn = settings.setBy.has('inspector') ? settings.inspector : hasPage;
  if (!isOn) return false;
  const { traceUrl } = settings;
  const common = { version, causes: true, ...(traceUrl !== undefined && { traceUrl }), name: projectName(cwd) };
  if (!isDev) return common;
  return {
    ...common,
    wire: true,
    bench: createBench(loaded, settings, cwd),
    readSource: createReadSource(cwd, loadedFiles),
    mcpConfigs: stdioConfigs(start),
  };
}

/** Claude Desktop reaches no address, so it starts a server of its own, from any folder. */
function stdioConfigs({ files, terminal: { cwd } }: InspectedStart): NonNullable<InspectorOptions['mcpConfigs']> {
  const desktop = mcpClients['claude-desktop'];
  if (desktop === undefined) return [];
  const tools = files.length === 0 ? ['--sample'] : files.map((file) => resolve(cwd, file));
  const text = JSON.stringify(desktop.write(projectName(cwd), npxCommand(tools)), null, 2);
  return [{ client: desktop.name, file: desktop.file, text }];
}
