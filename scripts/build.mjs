// Builds every package into its dist: one JavaScript file and one file of types per entry, and the parts that several entries share. Each dist
// is written elsewhere first and swapped in whole, so that a run that starts meanwhile never finds half of one.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { build as vite } from 'vite';
import { root, runCaptured, runInherited, toolArguments } from './run-step.mjs';

const cache = join(root, '.cache');
const types = join(cache, 'types');

/** Its time is that of the last build without errors. */
const stamp = join(cache, 'built');

/**
 * Files that look for others by their own address, or that threads are started with, by package. They stay files of their own, as deep below dist as
 * they lie below src, so that one relative path leads to the same place from both.
 */
const located = {
  cli: { 'load/is-own-file': 'load/is-own-file.ts', 'load/package-version': 'load/package-version.ts' },
  origins: { 'coded/tools/visit/extract-article': 'coded/tools/visit/extract-article.ts' },
  server: { 'files/inspector-files': 'inspector/inspector-files.ts' },
};

/**
 * Files whose imports become parts of their own, apart from what other entries need besides. Without this one the few helpers that the client of a
 * server needs at once would share a part with `classify`, and a browser would load 50 kB more before the first call.
 */
const apart = { toolpact: { 'parts/client-base': 'client-base.ts' } };

/** The packages that are published from a dist, by folder. */
function packages() {
  const sources = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions.paths;
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const { name, exports = {}, bin = {} } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
    const entries = Object.entries(exports).flatMap(([key, target]) =>
      target.default === undefined ? [] : [[outputName(target.default), join(root, sources[join(name, key)][0])]],
    );
    const programs = Object.values(bin)
      .filter((file) => file.startsWith('dist/'))
      .map((file) => [outputName(file), join(root, 'packages', folder, file.replace('dist/', 'src/').replace(/\.js$/, '.ts'))]);
    return entries.length === 0 ? [] : [{ folder, entries, programs }];
  });
}

const outputName = (file) => file.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '');
const isForeign = (id) => !id.startsWith('.') && !isAbsolute(id);

/** Builds in this process; resolves to the exit code. A type error stops nothing: dist is written all the same, so that tests can say more. */
export async function build() {
  const code = runInherited(declarations());
  rmSync(stamp, { force: true });
  await bundle();
  if (code === 0) writeFileSync(stamp, '');
  return code;
}

/** Builds where a source is newer than what was built; resolves to the exit code. */
export async function buildIfStale() {
  return isStale() ? build() : 0;
}

/** Builds in a process of its own; resolves to its exit code and all it printed. */
export function buildQuietly() {
  return runCaptured(process.execPath, [import.meta.filename]);
}

/** Arguments of `node` to write the types of all files into the cache. */
const declarations = () => toolArguments('typescript', 'tsc', '-p', 'tsconfig.build.json');

async function bundle() {
  for (const { folder, entries, programs } of packages()) {
    const src = join(root, 'packages', folder, 'src');
    const out = join(cache, 'build', folder);
    rmSync(out, { recursive: true, force: true });
    const others = Object.entries({ ...located[folder], ...apart[folder] }).map(([name, file]) => [name, join(src, file)]);
    await write(Object.fromEntries([...entries, ...programs, ...others]), out, [], '[name].js', 'parts/[name].js');
    const declared = entries.map(([name, file]) => [
      name,
      join(types, folder, 'src', file.slice(src.length + 1).replace(/\.ts$/, '.d.ts')),
    ]);
    await write(Object.fromEntries(declared), out, [dts({ dtsInput: true, tsconfig: false })], '[name].ts', 'parts/[name].d.ts');
    if (folder === 'server') {
      const page = await bundleInspector(join(out, 'inspector'));
      writeFileSync(join(out, 'third-party-licenses.txt'), licensesOf(page.output));
    }
    swap(out, join(root, 'packages', folder, 'dist'));
  }
}

async function write(input, dir, plugins, entryFileNames, chunkFileNames) {
  const bundle = await rolldown({ input, external: isForeign, platform: 'node', plugins, checks: { pluginTimings: false } });
  // What a symbol is for is read in the types, where editors look.
  const comments = { jsdoc: entryFileNames.endsWith('.ts') };
  await bundle.write({ dir, format: 'esm', entryFileNames, chunkFileNames, comments });
  await bundle.close();
}

/** Bundles the page: its HTML, script, style and icon, all with relative addresses, because it also works below a path prefix. */
function bundleInspector(outDir) {
  return vite({
    configFile: false,
    logLevel: 'warn',
    root: join(root, 'packages/inspector'),
    base: './',
    resolve: { alias: sourceAliases() },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      // Data addresses would need an exception in the policy of the page.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

/** The licences of the packages that were bundled: their terms want them beside every copy. */
function licensesOf(chunks) {
  const modules = chunks.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name}, which the page is bundled with, brings no licence.`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `The page in the folder inspector contains parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The page is bundled from the sources of the library: its dist may be older. */
function sourceAliases() {
  const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
  return Object.entries(paths).map(([find, [file]]) => ({ find: new RegExp(`^${find}$`), replacement: join(root, file) }));
}

function swap(from, to) {
  const old = `${from}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

/** Says whether a source file is newer than the last good build. */
export function isStale() {
  const built = packages().map(({ folder }) => join(root, 'packages', folder, 'dist'));
  if (!existsSync(stamp) || !built.every((dist) => existsSync(dist))) return true;
  const builtAt = statSync(stamp).mtimeMs;
  const configs = ['tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'].map((file) => join(root, file));
  const folders = readdirSync(join(root, 'packages')).map((folder) => join(root, 'packages', folder));
  const inputs = folders.flatMap((folder) => [...entriesOf(join(folder, 'src')), join(folder, 'package.json')]);
  return [...configs, ...inputs].some((file) => statSync(file).mtimeMs > builtAt);
}

/** The files below a folder, and its folders: their times tell of files that are gone. */
function entriesOf(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
}

if (process.argv[1] === import.meta.filename) process.exitCode = await build();
