// Compiles src into dist and bundles the inspector. Files are replaced in place, so that a run that reads dist meanwhile never finds it empty.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runInherited, toolArguments } from './run-step.mjs';

const src = join(root, 'src');
const dist = join(root, 'dist');

/** Its time is that of the last build without errors. */
const stamp = join(root, '.cache/built');

/** What `node` is given to compile src into dist. */
export const compile = () => toolArguments('typescript', 'tsc', '-p', 'tsconfig.build.json');

/** What `node` is given to bundle the inspector into dist/inspector. */
export const bundleInspector = () => [join(root, 'scripts/build-inspector.mjs')];

/** Compiles and returns the exit code. */
export function build() {
  const code = runInherited(compile()) || runInherited(bundleInspector());
  finishBuild(code);
  return code;
}

/** Deletes compiled files whose source is gone and notes a build without errors. */
export function finishBuild(code) {
  writeScope();
  for (const file of files(dist).filter(isLeftover)) rmSync(file);
  if (code !== 0) return rmSync(stamp, { force: true });
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(stamp, '');
}

/** Says whether a source file is newer than the last good build, or gone from under it. */
export function isStale() {
  if (!existsSync(stamp) || !existsSync(dist)) return true;
  const builtAt = statSync(stamp).mtimeMs;
  const configs = ['tsconfig.json', 'tsconfig.build.json', 'scripts/build-inspector.mjs'];
  const inputs = [...files(src), ...configs.map((file) => join(root, file))];
  return inputs.some((file) => statSync(file).mtimeMs > builtAt) || files(dist).some(isLeftover);
}

/** For every module Node reads the nearest package.json as a whole. This short one makes a start of the command line a fifth cheaper than the long one above dist. */
const scope = join(dist, 'package.json');
function writeScope() {
  const { type, sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(scope, `${JSON.stringify({ type, sideEffects })}\n`);
}

/** The bundler empties the inspector's own folder. */
function isLeftover(file) {
  if (file === scope || file.startsWith(join(dist, 'inspector/'))) return false;
  const source = join(src, file.slice(dist.length).replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts'));
  return !existsSync(source);
}

function files(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
