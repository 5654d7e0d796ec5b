// Packs every public package as npm would publish it, from what was built last: node scripts/pack.mjs <folder>. Beside the archives it leaves
// packed.json, which lists them in the order in which they can be published.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publicPackages } from './public-packages.mjs';
import { childEnv, root } from './run-step.mjs';

/** Packs into a folder and returns for each package its name, its archive in that folder, the paths of its files and their size. */
export function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const folders = publicPackages().map((one) => `./${one.folder}`);
  const words = ['pack', ...folders, '--json', '--ignore-scripts', '--silent', '--pack-destination', resolve(folder)];
  // A warning of Node would stand among the JSON.
  const env = { ...childEnv(), NODE_NO_WARNINGS: '1' };
  const results = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8', env, maxBuffer: 2 ** 26 }));
  const packed = results.map(({ name, filename, files, size, unpackedSize }) => ({
    name,
    archive: filename,
    files: files.map(({ path }) => path),
    bytes: unpackedSize,
    archiveBytes: size,
  }));
  writeFileSync(join(folder, 'packed.json'), `${JSON.stringify(packed, null, 2)}\n`);
  return packed;
}

if (process.argv[1] === import.meta.filename) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Usage: node scripts/pack.mjs <folder>');
  for (const { name, archive } of pack(folder)) console.log(`${name}: ${archive}`);
}
