import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/openapi', import.meta.url));

/** Downloads a package, once, and gives the folder of its content. */
export function unpackPackage(spec: string): string {
  const folder = join(cache, spec.replace(/[^\w.-]+/g, '_'));
  if (!existsSync(folder)) {
    const unfinished = `${folder}.part`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    const [file] = execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', unfinished], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .slice(-1);
    execFileSync('tar', ['xzf', join(unfinished, file ?? ''), '-C', unfinished]);
    renameSync(unfinished, folder);
  }
  return join(folder, 'package');
}
