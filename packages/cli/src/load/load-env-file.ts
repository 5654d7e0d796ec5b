import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError } from '../cli-error.ts';
import type { Terminal } from '../print/terminal.ts';

/** A file of variables that was read. */
export interface EnvFile {
  readonly file: string;
  /** The variables that have their value from this file, because the environment did not set them. */
  readonly names: readonly string[];
}

/** Sets the variables of the file that was named, or of `.env` where that is the default. What the environment has already stays. */
export function loadEnvFile({ cwd, env }: Terminal, named: string | undefined, byDefault: boolean): EnvFile | undefined {
  const file = resolve(cwd, named ?? '.env');
  if (!existsSync(file)) {
    if (named === undefined) return undefined;
    throw new CliError(`There is no file ${relative(cwd, file) || file}.`, { fix: 'Correct the path after --env-file.' });
  }
  if (named === undefined && !byDefault) return undefined;
  const names: string[] = [];
  for (const [name, value] of Object.entries(parseEnv(readFileSync(file, 'utf8')))) {
    // Node reads the file too, before this program runs, when it sees the flag.
    if (value === undefined || (env[name] !== undefined && env[name] !== value)) continue;
    env[name] = value;
    names.push(name);
  }
  return { file, names };
}
