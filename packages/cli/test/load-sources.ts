import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { entries, pathOf } from '../../../proofs/house/own-packages.ts';

const addressOf = (file: string): string => pathToFileURL(pathOf(file)).href;

/** Gives the address of the file that is built of an entry, for programs of the tests to import. */
export function builtEntry(specifier: string): string {
  const entry = entries.find((one) => one.specifier === specifier);
  if (entry === undefined) throw new TypeError(`there is no entry ${specifier}`);
  return addressOf(entry.code);
}

/**
 * Lets Node load the sources of our packages in this process, whether an entry is imported by its name or by the file that is built of it. The
 * command line and the files with tools then share one library, as they do where it is installed. Returns the function that ends this.
 */
export function loadSources(): () => void {
  const sources = new Map(
    entries.flatMap(({ specifier, code, source }) => [specifier, addressOf(code)].map((name) => [name, addressOf(source)] as const)),
  );
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(sources.get(specifier) ?? specifier, context),
  });
  return () => hooks.deregister();
}
