import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from '../cli-error.ts';
import { explainLoadError } from './explain-load-error.ts';
import { type LoadedAsWritten, loadAsWritten } from './typescript/load-as-written.ts';

/** Loads the user's files for one command. */
export interface ModuleLoader {
  /** Loads a file, TypeScript or JavaScript, and gives what it exports. Whatever goes wrong is said in a sentence with its place. */
  readonly load: (file: string) => Promise<Readonly<Record<string, unknown>>>;
  /** The user's files that were loaded so far, with those that they import. */
  readonly files: ReadonlySet<string>;
  /** Leaves loading to Node again. */
  readonly close: () => void;
}

/** Creates the loader of a command; files are named from its working folder on. */
export function createModuleLoader(cwd: string): ModuleLoader {
  const loaded: LoadedAsWritten = { files: new Set(), uncompiled: new Set() };
  let stop: (() => void) | undefined;
  return {
    files: loaded.files,
    async load(file) {
      if (/\.[mc]?tsx?$/.test(file) && !process.features.typescript) {
        throw new CliError(`Node ${process.versions.node} cannot load TypeScript by itself.`, {
          fix: 'Use Node 22.18 or newer, or run node --experimental-strip-types in front.',
        });
      }
      if (!/\.[mc]?[jt]sx?$/.test(file)) {
        throw new CliError(`${relative(cwd, file) || file} is not a module.`, { fix: 'Tools can be .ts, .mts, .js or .mjs files.' });
      }
      // Until the command ends: tools may import more files while they run.
      stop ??= loadAsWritten(loaded);
      try {
        return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      } catch (error) {
        throw explainLoadError(error, file, cwd, loaded);
      }
    },
    close: () => stop?.(),
  };
}
