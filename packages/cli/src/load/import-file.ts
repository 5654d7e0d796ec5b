import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Exports = Readonly<Record<string, unknown>>;

/** The command that a file is loaded for. */
interface Loading {
  readonly cwd: string;
  /** Is told the address of each file that jiti loads. */
  readonly note: (url: string) => void;
}

/**
 * Imports a file by Node itself, which takes types away. If Node cannot link the file with all that it imports (an enum, a decorator, JSX, an
 * import without extension, `paths` of tsconfig.json), nothing of it has run yet, and jiti loads it. Files of CommonJS packages are left to
 * jiti from the start: Node would find out in the middle of running them.
 */
export async function importFile(file: string, loading: Loading): Promise<Exports> {
  if (isOfCommonJs(file)) return importWithJiti(file, loading);
  const url = pathToFileURL(file).href;
  const name = `toolpact:linked:${randomUUID()}`;
  let isLinked = false;
  const setLinked = (): void => {
    isLinked = true;
  };
  process.once(name, setLinked);
  try {
    // Modules run in the order of their imports, once all are linked.
    const signal = toDataUrl(`process.emit(${JSON.stringify(name)});`);
    const { loaded } = await import(toDataUrl(`import ${JSON.stringify(signal)}; export * as loaded from ${JSON.stringify(url)};`));
    return loaded;
  } catch (error) {
    if (isLinked || !canJitiHelp(error)) throw error;
    return await importInstead(file, loading, error);
  } finally {
    process.off(name, setLinked);
  }
}

function toDataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** TypeScript of packages that say they are CommonJS. Where a package says nothing, Node looks into the file. */
function isOfCommonJs(file: string): boolean {
  if (!/\.c?tsx?$/.test(file)) return false;
  if (file.endsWith('.cts')) return true;
  const packageFile = findPackageJSON(pathToFileURL(file));
  return packageFile !== undefined && /"type"\s*:\s*"commonjs"/.test(readFileSync(packageFile, 'utf8'));
}

/** A mistake that both find is better explained by Node. */
function canJitiHelp(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX';
}

async function importInstead(file: string, loading: Loading, refusal: unknown): Promise<Exports> {
  try {
    return await importWithJiti(file, loading);
  } catch (error) {
    if (!(refusal instanceof SyntaxError)) throw error;
    // jiti loads what is not exported as undefined.
    if (/does not provide an export named/.test(refusal.message)) throw refusal;
    if (!(error instanceof SyntaxError) || 'code' in refusal) throw error;
    // Node does not say where a mistake in JavaScript is.
    refusal.stack = error.stack ?? '';
    throw refusal;
  }
}

async function importWithJiti(file: string, { cwd, note }: Loading): Promise<Exports> {
  const { createJiti } = await import('jiti');
  const modules = join(cwd, 'node_modules');
  const jiti = createJiti(file, {
    tsconfigPaths: true,
    jsx: { runtime: 'automatic' },
    // Not in the folder for temporary files, where others could write.
    fsCache: existsSync(modules) && join(modules, '.cache/jiti'),
  });
  const before = new Set(Object.keys(jiti.cache));
  try {
    return await jiti.import<Exports>(file);
  } catch (error) {
    throw withPlace(error);
  } finally {
    for (const path of Object.keys(jiti.cache)) if (!before.has(path)) note(pathToFileURL(path).href);
  }
}

/** Writes the errors of jiti as Node does. */
function withPlace(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [, what, place] = /^ParseError: ([\s\S]*?)\s+(\S.*:\d+:\d+)$/.exec(error.message) ?? [];
  if (what !== undefined) {
    const mistake = new SyntaxError(what);
    mistake.stack = `${place}\n\nSyntaxError: ${what}`;
    return mistake;
  }
  const { requireStack } = error as { readonly requireStack?: readonly string[] };
  const [, name] = /^Cannot find module '([^']+)'\nRequire stack/.exec(error.message) ?? [];
  if (name === undefined) return error;
  const missing = new Error(`Cannot find ${/^[./]/.test(name) ? 'module' : 'package'} '${name}' imported from ${requireStack?.[0]}`);
  return Object.assign(missing, { code: 'ERR_MODULE_NOT_FOUND' });
}
