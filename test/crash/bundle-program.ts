import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const peers = fileURLToPath(new URL('../peers/node_modules', import.meta.url));

/** Makes one file of a program that is killed, named by its path from here: reading its sources anew would take most of each life. */
export async function bundleProgram(folder: string, path = './live-once.ts'): Promise<string> {
  const file = join(folder, `${basename(path, '.ts')}.mjs`);
  const bundle = await rolldown({
    input: fileURLToPath(new URL(path, import.meta.url)),
    platform: 'node',
    resolve: { modules: ['node_modules', peers] },
    // What `pg` tries to load and can do without is not there.
    onLog: () => undefined,
  });
  await bundle.write({ file, codeSplitting: false });
  return file;
}
