import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import tsconfig from '../../tsconfig.json' with { type: 'json' };

const entry = `
export { createToolbox, createWorker, defineTool, fail } from 'toolpact';
export { defineGuard } from 'toolpact/extend';
export { defineNotifier } from 'toolpact/notify';
export { memoryStore } from 'toolpact/stores/memory';
`;
const entryId = 'simulated-library';

/** Writes the library, from its source, as one CommonJS text. Each module begins with a comment that names its file. */
export async function bundleLibrary(): Promise<string> {
  const paths: Readonly<Record<string, readonly string[]>> = tsconfig.compilerOptions.paths;
  const bundle = await rolldown({
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    input: entryId,
    platform: 'node',
    external: [/^node:/],
    plugins: [
      {
        name: 'own-entries',
        resolveId(source) {
          if (source === entryId) return source;
          const file = paths[source]?.[0];
          return file === undefined ? null : fileURLToPath(new URL(`../../${file}`, import.meta.url));
        },
        load: (id) => (id === entryId ? entry : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'cjs', minify: false, codeSplitting: false });
  await bundle.close();
  if (output.length !== 1) throw new Error(`the library has become ${output.length} files`);
  return output[0].code;
}
