import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../cli-error.ts';
import { explainLoadError } from './explain-load-error.ts';
import { importFile } from './import-file.ts';
import { isOwnFile } from './is-own-file.ts';

/** Loads the user's files for one command. */
export interface ModuleLoader {
  /** Loads a file, TypeScript or JavaScript, and gives what it exports. Whatever goes wrong is said in a sentence with its place. */
  readonly load: (file: string) => Promise<Readonly<Record<string, unknown>>>;
  /** The user's files that were loaded so far, with those that they import. */
  readonly files: ReadonlySet<string>;
  /** Notes no more files. */
  readonly close: () => void;
}

/** Creates the loader of a command; files are named from its working folder on. */
export function createModuleLoader(cwd: string): ModuleLoader {
  const files = new Set<string>();
  const note = (url: string): void => {
    if (isOwnFile(url)) files.add(trueName(fileURLToPath(url)));
  };
  let hooks: ReturnType<typeof registerHooks> | undefined;
  return {
    files,
    async load(file) {
      if (!/\.[mc]?[jt]sx?$/.test(file)) {
        throw new CliError(`${relative(cwd, file) || file} is not a module.`, { fix: 'Tools can be .ts, .mts, .js or .mjs files.' });
      }
      // Until the command ends: tools may import more files while they run.
      hooks ??= registerHooks({
        resolve(specifier, context, nextResolve) {
          const resolved = nextResolve(specifier, context);
          note(resolved.url);
          return resolved;
        },
      });
      try {
        return await importFile(file, { cwd, note });
      } catch (error) {
        throw explainLoadError(error, file, cwd);
      }
    },
    close: () => hooks?.deregister(),
  };
}

/** Where folders ignore case, an import may spell a file in another way than the folder does, and so than those who watch it. */
function trueName(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}
