import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { sourceEntries } from '../../scripts/source-entries.ts';

const peers = fileURLToPath(new URL('../peers/node_modules', import.meta.url));

/**
 * Makes one file of a program that is killed: reading its sources anew would take most of each life. With `storeMs` its guards wait for a store
 * for so long: what a test expects then does not depend on how fast the machine is.
 */
export async function bundleProgram(folder: string, source: URL, storeMs?: number): Promise<string> {
  const file = join(folder, `${basename(source.pathname, '.ts')}-${storeMs ?? 'as-it-is'}.mjs`);
  const bundle = await rolldown({
    input: fileURLToPath(source),
    platform: 'node',
    resolve: { modules: ['node_modules', peers] },
    plugins: [fromSource, ...(storeMs === undefined ? [] : [waitsForStore(storeMs)])],
    // Optional packages that `pg` tries to load are missing.
    onLog: () => undefined,
  });
  await bundle.write({ file, codeSplitting: false });
  return file;
}

const fromSource: Plugin = { name: 'from-source', resolveId: (specifier) => sourceEntries.get(specifier) ?? null };

function waitsForStore(ms: number): Plugin {
  const inSource = 'const storeTimeoutMs = 2000;';
  let isSet = false;
  return {
    name: 'waits-for-store',
    transform(code) {
      if (!code.includes(inSource)) return null;
      isSet = true;
      return code.replace(inSource, `const storeTimeoutMs = ${ms};`);
    },
    buildEnd() {
      if (!isSet) throw new Error(`No source says "${inSource}".`);
    },
  };
}
