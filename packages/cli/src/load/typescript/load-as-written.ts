import { realpathSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { isOwnFile } from './is-own-file.ts';
import { readSource } from './read-source.ts';
import { resolveImport } from './resolve-import.ts';

/** Whether this Node lets a program change how files are found and read; otherwise only what Node loads by itself can be loaded. */
export const canHook = typeof nodeModule.registerHooks === 'function';

/** Notes about the user's files that were loaded. */
export interface LoadedAsWritten {
  readonly files: Set<string>;
  /** The files that need a compiler which the project does not have. */
  readonly uncompiled: Set<string>;
}

/**
 * Makes Node load the user's files as the tools that build TypeScript do, and notes which files were loaded, until the function that this
 * returns is called. Packages are left to Node.
 * Node's own hooks are used instead of the loader of tsx: they run in this thread, need no native compiler for files that only have types,
 * and keep every line and column.
 */
export function loadAsWritten({ files, uncompiled }: LoadedAsWritten): () => void {
  if (!canHook) return () => undefined;
  const hooks = nodeModule.registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = resolveImport({ specifier, parent: context.parentURL, isRequired: isRequired(context) }, (name) =>
        nextResolve(name, context),
      );
      if (isOwnFile(resolved.url)) files.add(trueName(fileURLToPath(resolved.url)));
      return resolved;
    },
    load(url, context, nextLoad) {
      if (!isOwnFile(url)) return nextLoad(url, context);
      const read = readSource(url, { isRequired: isRequired(context), hasAttribute: hasType(context.importAttributes) }, uncompiled);
      return read === undefined ? nextLoad(url, context) : { ...read, shortCircuit: true };
    },
  });
  return () => hooks.deregister();
}

/** Where folders ignore case, an import may spell a file in another way than the folder does, and so than those who watch it. */
function trueName(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

function isRequired({ conditions }: { readonly conditions: readonly string[] }): boolean {
  return conditions.includes('require');
}

/** `require` gives no attributes at all, whatever the type says. */
function hasType(attributes: NodeJS.Dict<string> | undefined): boolean {
  return attributes?.type !== undefined;
}
