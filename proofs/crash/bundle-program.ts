import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const peers = fileURLToPath(new URL('../peers/node_modules', import.meta.url));

/**
 * Makes one file of a program that is killed, named by its path from here: reading its sources anew would take most of each life. With `storeMs`
 * its guards wait for a store for so long: what a test expects then does not depend on how fast the machine is.
 */
export async function bundleProgram(folder: string, path = './live-once.ts', storeMs?: number): Promise<string> {
  const file = join(folder, `${basename(path, '.ts')}-${storeMs ?? 'as-it-is'}.mjs`);
  const bundle = await rolldown({
    input: fileURLToPath(new URL(path, import.meta.url)),
    platform: 'node',
    resolve: { modules: ['node_modules', peers] },
    plugins: storeMs === undefined ? [] : [waitsForStore(storeMs)],
    // What `pg` tries to load and can do without is not there.
    onLog: () => undefined,
  });
  await bundle.write({ file, codeSplitting: false });
  return file;
}

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
