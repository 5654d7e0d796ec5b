import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const marker = 'toolpact-load';
const own = new URL('../../../', import.meta.url).href;
const loaded = new Set<string>();
let version = 0;
let hooked = false;

/** Whether this Node can load again what a tool file imports; otherwise only the tool file itself is loaded again. */
export const reloadsImports = typeof nodeModule.registerHooks === 'function';

/**
 * Makes all imports until the next call load anew, the user's own files only: Node keeps every module it has loaded by its address, so each
 * round of loading gets addresses of its own, which whatever they import inherits.
 */
export function beginRound(): void {
  version += 1;
  loaded.clear();
  if (hooked || !reloadsImports) return;
  hooked = true;
  nodeModule.registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      const round = context.parentURL === undefined ? null : roundOf(context.parentURL);
      if (round === null || context.conditions?.includes('require') || !isReloaded(resolved.url)) return resolved;
      loaded.add(fileURLToPath(resolved.url));
      return { ...resolved, url: withRound(resolved.url, round) };
    },
  });
}

/** Gives the address under which a file is loaded in this round, and counts it among the loaded ones. */
export function addressOf(url: string): string {
  loaded.add(fileURLToPath(url));
  return withRound(url, String(version));
}

/** The user's files that this round has loaded so far. */
export function loadedFiles(): ReadonlySet<string> {
  return loaded;
}

/** Tells whether an address is that of a file of the user's, and not of a package or of Toolpact itself. */
export function isReloaded(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(own);
}

function roundOf(url: string): string | null {
  return url.includes(marker) ? new URL(url).searchParams.get(marker) : null;
}

function withRound(url: string, round: string): string {
  const address = new URL(url);
  address.searchParams.set(marker, round);
  return address.href;
}
