import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Creates a folder for files of ours; the one that the command makes by itself stays out of version control. */
export function makeFolder(folder: string): void {
  // Only its owner may look into it: it holds the results of calls.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = join(folder, '.gitignore');
  if (basename(folder) === '.toolpact' && !existsSync(ignore)) writeFileSync(ignore, '*\n');
}
