import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders in which Toolpact is installed as npm would install it. */
export interface Installed {
  /** Makes a new folder as `npm init -y` does, with the packages of this installation. */
  readonly folder: () => string;
  readonly remove: () => void;
}

/**
 * Packs Toolpact and unpacks it into a folder of packages. What it depends on, and the frameworks that readers install, are links to what is
 * installed here, so that nothing is downloaded.
 */
export function installPacked(): Installed {
  const base = mkdtempSync(join(tmpdir(), 'toolpact-docs-'));
  const packages = join(base, 'node_modules');
  const own = join(packages, 'toolpact');
  mkdirSync(own, { recursive: true });
  const { npm_config_local_prefix: _, ...env } = process.env;
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', base], { cwd: root, env, encoding: 'utf8' }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(base, filename), '-C', own, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  for (const name of [...Object.keys(dependencies), 'zod', '@types/node', 'typescript', 'undici-types'])
    link(join(root, 'node_modules', name), join(packages, name));
  const peers = join(root, 'test/peers/node_modules');
  for (const name of readdirSync(peers).filter((name) => !name.startsWith('.'))) {
    const names = name.startsWith('@') ? readdirSync(join(peers, name)).map((part) => `${name}/${part}`) : [name];
    for (const part of names) link(join(peers, part), join(packages, part));
  }
  mkdirSync(join(packages, '.bin'));
  symlinkSync('../toolpact/dist/apps/cli/main.js', join(packages, '.bin/toolpact'));
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
