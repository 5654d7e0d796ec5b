import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { link, packPackages, unpackInto } from '../fixtures/packed-packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders in which Toolpact is installed as npm would install it. */
export interface Installed {
  /** Makes a new folder as `npm init -y` does, with the packages of this installation. */
  readonly folder: () => string;
  readonly remove: () => void;
}

/**
 * Unpacks what npm would publish into a folder of packages. What the packages depend on, and the frameworks that readers install, are links to
 * what is installed here, so that nothing is downloaded.
 */
export function installPacked(): Installed {
  const base = mkdtempSync(join(tmpdir(), 'toolpact-docs-'));
  const packages = join(base, 'node_modules');
  const packed = packPackages();
  unpackInto(packages, packed.packages);
  packed.remove();
  for (const name of ['zod', '@types/node', 'typescript', 'undici-types', 'vitest'])
    link(join(root, 'node_modules', name), join(packages, name));
  const peers = join(root, 'proofs/peers/node_modules');
  for (const name of readdirSync(peers).filter((name) => !name.startsWith('.'))) {
    const names = name.startsWith('@') ? readdirSync(join(peers, name)).map((part) => `${name}/${part}`) : [name];
    for (const part of names) link(join(peers, part), join(packages, part));
  }
  mkdirSync(join(packages, '.bin'));
  symlinkSync('../toolpact/bin/toolpact.js', join(packages, '.bin/toolpact'));
  symlinkSync('../vitest/vitest.mjs', join(packages, '.bin/vitest'));
  chmodSync(join(packages, 'toolpact/bin/toolpact.js'), 0o755);
  const { npm_config_local_prefix: _, ...env } = process.env;
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
