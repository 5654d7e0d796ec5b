import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldServer } from './field-servers.ts';

/** Installs the servers, each at its own version, without running anything of theirs. */
export function installServers(cache: string, servers: readonly FieldServer[]): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const wanted = servers.map(({ name, version }) => `${name}@${version}`);
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', ...wanted];
  const { status } = spawnSync('npm', words, { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(', ')}`);
}
