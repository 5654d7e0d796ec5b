import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Given } from '../commands/command.ts';
import { exitCodes } from '../exit-codes.ts';
import { projectName } from '../load/project-info.ts';
import { mcpClients, npxCommand } from './mcp-clients.ts';

/** Prints what a client of MCP needs to start this server from any folder: absolute paths, the store beside the project. */
export async function printMcpConfig(given: Given, files: readonly string[], client: string): Promise<number> {
  const { terminal, settings, config, envFile } = given;
  const base = storeBase(given, files);
  // By default the store lies beside the tools, wherever the client starts. The address of a database may hold a password, so it is not copied.
  const isFile = settings.setBy.get('store') === 'flag' && settings.store !== 'memory' && !settings.store.includes('://');
  // A client starts its servers with few variables, so those of the project are named.
  const variables = envFile?.file ?? (files.length === 0 ? undefined : join(base, '.env'));
  const command = npxCommand([
    ...(files.length === 0 ? ['--sample'] : files),
    ...(config === undefined ? [] : ['--config', config.file]),
    ...(variables !== undefined && existsSync(variables) ? ['--env-file', variables] : []),
    ...(isFile ? ['--store', resolve(base, settings.store)] : []),
  ]);
  const { name, file, write } = mcpClients[client] as (typeof mcpClients)[string];
  await terminal.out(`${JSON.stringify(write(projectName(base), command), null, 2)}\n`);
  terminal.say(`\nFor ${name}: put this into ${file}.\n`);
  return exitCodes.done;
}

/** Returns the folder from which the path of the store is taken: where it was written, or else the project of the tools. A client starts its servers anywhere. */
export function storeBase({ terminal, settings }: Given, files: readonly string[]): string {
  const [first] = files;
  if (first === undefined || settings.setBy.has('store')) return terminal.cwd;
  for (let folder = dirname(first); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(first);
  }
}
