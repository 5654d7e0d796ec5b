import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isRecord } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import type { ModuleLoader } from './module-loader.ts';

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `toolpact.config.${extension}`);

/** A configuration file that was read. */
export interface ConfigFile {
  /** As it is shown: from the working folder on. */
  readonly path: string;
  readonly file: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Reads the configuration file that was named, or the one in the folder; undefined when there is none. */
export async function loadConfig(loader: ModuleLoader, cwd: string, named: string | undefined): Promise<ConfigFile | undefined> {
  const file = named === undefined ? names.map((name) => resolve(cwd, name)).find((path) => existsSync(path)) : resolve(cwd, named);
  if (file === undefined) return undefined;
  const path = relative(cwd, file) || file;
  if (!existsSync(file)) {
    throw new CliError(`There is no configuration file ${path}.`, { fix: 'Correct the path, or leave --config out to go without one.' });
  }
  const exported = (await loader.load(file)).default;
  if (!isRecord(exported)) {
    throw new CliError(`${path} does not export a configuration.`, {
      fix: "Write: import { defineConfig } from '@toolpact/cli/config'; export default defineConfig({ … });",
    });
  }
  return { path, file, config: exported as Record<string, unknown> };
}
