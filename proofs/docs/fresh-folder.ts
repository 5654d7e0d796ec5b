import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packages, pathOf } from '../house/own-packages.ts';

/** Folders in which our packages are installed. */
export interface Installed {
  /** Creates a new folder as `npm init -y` does, with the packages of this installation. */
  readonly folder: () => string;
  readonly remove: () => void;
}

/** Links our built packages, the frameworks that readers install and a few tools into a folder of packages, so that nothing is downloaded. */
export function installPackages(): Installed {
  const base = mkdtempSync(join(tmpdir(), 'toolpact-docs-'));
  const installed = join(base, 'node_modules');
  for (const [folder, { name }] of Object.entries(packages)) link(pathOf(`packages/${folder}`), join(installed, name));
  for (const name of ['zod', '@types/node', 'typescript', 'undici-types', 'vitest'])
    link(pathOf(`node_modules/${name}`), join(installed, name));
  const peers = pathOf('proofs/peers/node_modules');
  for (const name of readdirSync(peers).filter((name) => !name.startsWith('.'))) {
    const names = name.startsWith('@') ? readdirSync(join(peers, name)).map((part) => `${name}/${part}`) : [name];
    for (const part of names) link(join(peers, part), join(installed, part));
  }
  mkdirSync(join(installed, '.bin'));
  symlinkSync('../toolpact/bin/toolpact.js', join(installed, '.bin/toolpact'));
  symlinkSync('../vitest/vitest.mjs', join(installed, '.bin/vitest'));
  // Once for all folders: npm takes half a second.
  const { npm_config_local_prefix: _, ...env } = process.env;
  for (const words of [
    ['init', '-y'],
    ['pkg', 'set', 'type=module'],
  ])
    execFileSync('npm', words, { cwd: base, env, stdio: 'ignore' });
  let count = 0;
  return {
    folder() {
      count += 1;
      const folder = join(base, `project-${count}`);
      mkdirSync(folder);
      symlinkSync(installed, join(folder, 'node_modules'));
      copyFileSync(join(base, 'package.json'), join(folder, 'package.json'));
      return folder;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function link(target: string, path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
