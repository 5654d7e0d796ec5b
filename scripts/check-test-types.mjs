// Compiles the tests of packages, the proofs, the benchmarks and the stories of adapters as one program: to read the frameworks takes most of the
// work. They use packages of proofs/peers, which TypeScript only finds in a folder above the importing file; so the sources are copied to a folder
// where it does. A link in the repository itself would change what the tests import.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { peers, root, runCaptured, toolArguments } from './run-step.mjs';

const copied = ['packages', 'proofs', 'scripts', 'bench', 'examples', 'package.json', 'tsconfig.json'];
const leftOut = /(?:^|\/)(?:node_modules|dist)(?:\/|$)/;

/** Resolves to an exit code and what the compiler said. */
export async function checkTestTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-types-'));
  try {
    for (const name of copied)
      cpSync(join(root, name), join(folder, name), { recursive: true, filter: (file) => !leftOut.test(relative(root, file)) });
    const tests = readdirSync(join(folder, 'packages'))
      .map((name) => `packages/${name}/test`)
      .filter((path) => existsSync(join(folder, path)));
    const checked = [...tests, 'proofs', 'bench', 'examples/adapters'];
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const path of checked) symlinkSync(join(peers, 'node_modules'), join(folder, path, 'node_modules'));
    const config = { extends: './tsconfig.json', include: checked.map((path) => `${path}/**/*.ts`), exclude: ['**/node_modules'] };
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
