import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What npm would publish. */
export interface Packed {
  /** The file that npm made. */
  readonly archive: string;
  readonly files: readonly string[];
  /** The folder of the file, where this process made it. */
  readonly folder?: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));

/** Packs what was built, unless the whole test command has done so: npm takes ten seconds. */
export function packFiles(): Packed {
  const list = process.env.TEST_PACKED;
  if (list !== undefined) return JSON.parse(readFileSync(list, 'utf8')) as Packed;
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-packed-'));
  // A surrounding npm command tells its children which package they belong to.
  const { npm_config_local_prefix: _, ...env } = process.env;
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename, files }] = JSON.parse(execFileSync('npm', words, { cwd: root, env, encoding: 'utf8' })) as [
    { filename: string; files: { path: string }[] },
  ];
  return { archive: join(folder, filename), files: files.map(({ path }) => path), folder };
}
