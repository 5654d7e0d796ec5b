// Compiles every test, those in sub-folders of test/ too, and the stories of adapters, as one program: to read the frameworks takes most of
// the work. They use packages of proofs/peers, which TypeScript only finds in a folder above the importing file; so the sources are copied to a
// folder where it does. A link in test/ itself would change what the tests import.
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, runCaptured, toolArguments } from './run-step.mjs';

const copied = ['src', 'test', 'scripts', 'bench', 'examples', 'package.json', 'tsconfig.json'];

/** Resolves to an exit code and what the compiler said. */
export async function checkTestTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-types-'));
  try {
    for (const name of copied) {
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        filter: (file) => !/(?:^|\/)node_modules(?:\/|$)/.test(relative(root, file)),
      });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    symlinkSync(join(root, 'dist'), join(folder, 'dist'));
    symlinkSync(join(root, 'test/peers/node_modules'), join(folder, 'test/node_modules'));
    symlinkSync(join(root, 'test/peers/node_modules'), join(folder, 'examples/adapters/node_modules'));
    const config = { extends: './tsconfig.json', include: ['test/*/**/*.ts', 'examples/adapters/*.ts'], exclude: ['test/node_modules'] };
    writeFileSync(join(folder, 'tsconfig.tests.json'), JSON.stringify(config));
    return await runCaptured(process.execPath, toolArguments('typescript', 'tsc', '-p', join(folder, 'tsconfig.tests.json')), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { code, output } = await checkTestTypes();
  console.log(output);
  process.exitCode = code;
}
