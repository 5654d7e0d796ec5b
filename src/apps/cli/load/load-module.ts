import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from '../cli-error.ts';
import { explainLoadError } from './explain-load-error.ts';
import { loadAsWritten } from './typescript/load-as-written.ts';

/** Loads a file of the user's, TypeScript or JavaScript, and gives what it exports. Whatever goes wrong is said in a sentence with its place. */
export async function loadModule(file: string, cwd: string): Promise<Readonly<Record<string, unknown>>> {
  if (/\.[mc]?tsx?$/.test(file) && !process.features.typescript) {
    throw new CliError(`Node ${process.versions.node} cannot load TypeScript by itself.`, {
      fix: 'Use Node 22.18 or newer, or run node --experimental-strip-types in front.',
    });
  }
  if (!/\.[mc]?[jt]sx?$/.test(file)) {
    throw new CliError(`${relative(cwd, file) || file} is not a module.`, { fix: 'Tools can be .ts, .mts, .js or .mjs files.' });
  }
  loadAsWritten();
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw explainLoadError(error, file, cwd);
  }
}
