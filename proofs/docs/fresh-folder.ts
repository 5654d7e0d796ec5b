import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packFiles } from '../fixtures/pack-files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders in which Toolpact is installed as npm would install it. */
export interface Installed {
  /** Makes a new folder as `npm init -y` does, with the packages of this installation. */
  readonly folder: () => string;
  readonly remove: () => void;
}

/**
 * Puts the files that npm would pack into a folder of packages. What Toolpact depends on, and the frameworks that readers install, are links to
 * what is installed here, so that nothing is downloaded.
 */
export function installPacked(): Installed {
  const base = mkdtempSync(join(tmpdir(), 'toolpact-docs-'));
  const packages = join(base, 'node_modules');
  const own = join(packages, 'toolpact');
  mkdirSync(own, { recursive: true });
  const { npm_config_local_prefix: _, ...env } = process.env;
  const { files, folder: packedIn } = packFiles();
  if (packedIn !== undefined) rmSync(packedIn, { recursive: true, force: true });
  // Maps and their sources are a half of the files, and no program reads them.
  for (const path of files.filter((file) => !/\.map$|^src\//.test(file))) copy(join(root, path), join(own, path));
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  for (const name of [...Object.keys(dependencies), 'zod', '@types/node', 'typescript', 'undici-types', 'vitest'])
    link(join(root, 'node_modules', name), join(packages, name));
  const peers = join(root, 'test/peers/node_modules');
  for (const name of readdirSync(peers).filter((name) => !name.startsWith('.'))) {
    const names = name.startsWith('@') ? readdirSync(join(peers, name)).map((part) => `${name}/${part}`) : [name];
    for (const part of names) link(join(peers, part), join(packages, part));
  }
  mkdirSync(join(packages, '.bin'));
  symlinkSync('../toolpact/dist/apps/cli/main.js', join(packages, '.bin/toolpact'));
  symlinkSync('../vitest/vitest.mjs', join(packages, '.bin/vitest'));
  chmodSync(join(own, 'dist/apps/cli/main.js'), 0o755);
  // Once for all folders: npm takes half a second.
  const packageFile = join(base, 'package.json');
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
      symlinkSync(packages, join(folder, 'node_modules'));
      copyFileSync(packageFile, join(folder, 'package.json'));
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

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
