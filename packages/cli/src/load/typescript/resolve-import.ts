import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isOwnFile } from './is-own-file.ts';
import { pathsOf } from './tsconfig.ts';

/** What stands in an import for which file, in the order of TypeScript. */
const written: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx', '.json'];

/** An import, as it is written. */
export interface Import {
  readonly specifier: string;
  /** The address of the file in which it stands. */
  readonly parent: string | undefined;
  readonly isRequired: boolean;
}

/**
 * Resolves an import of a user's file as the tools that build TypeScript do: `./x.js` stands for `x.ts`, extensions may be left out, a folder
 * stands for its index, and `paths` of tsconfig.json count. Apart from `paths`, only what Node does not find is looked for.
 */
export function resolveImport<TResolved>({ specifier, parent, isRequired }: Import, next: (name: string) => TResolved): TResolved {
  // `require` takes no addresses.
  const nameOf = (file: string): string => (isRequired ? file : pathToFileURL(file).href);
  if (parent === undefined || !isOwnFile(parent)) return next(specifier);
  const from = fileURLToPath(parent);
  const isPath = /^(\.{1,2}(\/|$)|\/|file:)/.test(specifier);
  const mapped = isPath || specifier.startsWith('node:') ? undefined : firstFile(pathsOf(from)(specifier));
  if (mapped !== undefined) return next(nameOf(mapped));
  try {
    return next(specifier);
  } catch (error) {
    const found = specifier.startsWith('.')
      ? firstFile([resolve(dirname(from), specifier)])
      : isPath
        ? undefined
        : asRequired(specifier, from);
    if (found === undefined) throw error;
    return next(nameOf(found));
  }
}

function firstFile(paths: readonly string[]): string | undefined {
  return paths.flatMap(candidates).find(isFile);
}

function candidates(path: string): string[] {
  const extension = /\.[mc]?jsx?$/.exec(path)?.[0] ?? '';
  const instead = (written[extension] ?? []).map((end) => `${path.slice(0, -extension.length)}${end}`);
  return [path, ...instead, ...extensions.map((end) => `${path}${end}`), ...extensions.map((end) => resolve(path, `index${end}`))];
}

/** Finds a file of a package as `require` does, which adds extensions: compilers that write CommonJS accept `lodash/fp`. */
function asRequired(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
