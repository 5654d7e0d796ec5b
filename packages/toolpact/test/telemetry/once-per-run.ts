import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a text that several test files need, or takes the one that another has made: the whole test command gives all files of a run a folder
 * to share. Two that begin at the same time both make it.
 */
export async function oncePerRun(name: string, make: () => Promise<string>): Promise<string> {
  const folder = process.env.TEST_SHARED;
  if (folder === undefined) return make();
  const file = join(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const text = await make();
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
  return text;
}
