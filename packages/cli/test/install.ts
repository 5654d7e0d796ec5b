import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Installs packages of this repository, and those that it depends on, in a folder: as links, like npm does it for workspaces. */
export function install(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(installed, name), path);
  }
}
