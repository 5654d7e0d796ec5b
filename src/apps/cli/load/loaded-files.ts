import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('../../../', import.meta.url).href;
const loaded = new Set<string>();
let isNoting = false;

/** Whether this Node says what a tool file imports; otherwise only the tool file itself is known. */
export const knowsImports = typeof nodeModule.registerHooks === 'function';

/** Begins to note which of the user's files are loaded. */
export function noteLoadedFiles(): void {
  if (isNoting || !knowsImports) return;
  isNoting = true;
  nodeModule.registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = resolveAsBuilt(specifier, context.parentURL, (name) => nextResolve(name, context));
      if (isOwnFile(resolved.url)) loaded.add(fileURLToPath(resolved.url));
      return resolved;
    },
  });
}

/**
 * Resolves an import as the tools that build TypeScript do: `./x.js` stands for `x.ts`, extensions may be left out, a folder stands for its
 * index. Only what Node does not find is looked for, and only beside files of the user's.
 */
function resolveAsBuilt<TResolved>(specifier: string, parent: string | undefined, next: (name: string) => TResolved): TResolved {
  try {
    return next(specifier);
  } catch (error) {
    if (parent === undefined || !isOwnFile(parent) || !/^\.{1,2}\//.test(specifier)) throw error;
    for (const name of candidates(specifier)) {
      try {
        return next(name);
      } catch {
        // The next one.
      }
    }
    throw error;
  }
}

function candidates(specifier: string): string[] {
  const written = /^(.*)\.([mc]?)js(x?)$/.exec(specifier);
  if (written !== null) return [`${written[1]}.${written[2]}ts${written[3]}`];
  return ['.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js'].map((end) => `${specifier.replace(/\/$/, '')}${end}`);
}

/** Gives the user's files that were loaded so far. */
export function loadedFiles(): ReadonlySet<string> {
  return loaded;
}

/** Checks whether an address is that of a file of the user's, and not of a package or of Toolpact itself. */
export function isOwnFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(own);
}
