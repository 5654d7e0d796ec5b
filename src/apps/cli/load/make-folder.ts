import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Makes a folder for files of ours; the one that the command makes by itself stays out of version control. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const ignore = join(folder, '.gitignore');
  if (basename(folder) === '.toolpact' && !existsSync(ignore)) writeFileSync(ignore, '*\n');
}
