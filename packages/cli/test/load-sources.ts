import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { posix } from 'node:path';
import tsconfig from '../../../tsconfig.json' with { type: 'json' };

const root = new URL('../../../', import.meta.url);
const sources: Readonly<Record<string, readonly string[]>> = tsconfig.compilerOptions.paths;

/** The entries of our packages: their names, and the addresses of the files that are built of them and of their sources. */
const entries = readdirSync(new URL('packages/', root)).flatMap((folder) => {
  const home = new URL(`packages/${folder}/`, root);
  const { name, exports = {} } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8')) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(exports).flatMap(([key, target]) => {
    const specifier = posix.join(name, key);
    const [source] = sources[specifier] ?? [];
    return typeof target === 'string' || source === undefined
      ? []
      : [{ specifier, built: new URL(target.default, home).href, source: new URL(source, root).href }];
  });
});

/** Gives the address of the file that is built of an entry, for programs of the tests to import. */
export function builtEntry(specifier: string): string {
  const entry = entries.find((one) => one.specifier === specifier);
  if (entry === undefined) throw new TypeError(`there is no entry ${specifier}`);
  return entry.built;
}

/**
 * Lets Node load the sources of our packages in this process, whether an entry is imported by its name or by the file that is built of it. The
 * command line and the files with tools then share one library, as they do where it is installed. Returns the function that ends this.
 */
export function loadSources(): () => void {
  const sourceOf = new Map(entries.flatMap(({ specifier, built, source }) => [specifier, built].map((name) => [name, source] as const)));
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      return nextResolve(sourceOf.get(specifier) ?? specifier, context);
    },
  });
  return () => hooks.deregister();
}
