import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages } from '../proofs/fixtures/packed-packages.ts';

/** A number of the report. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The source of the number, if it is a largest one. */
  readonly of?: string;
}

interface PackageFile {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const folders: readonly string[] = readdirSync(join(root, 'packages'));

/** Counts what npm installs for whoever wants the library, and what each package holds. */
export function measurePackages(): Figure[] {
  const packed = packPackages();
  packed.remove();
  const sizes = new Map(packed.packages.map(({ name, files, bytes }) => [name, { files: files.length, bytes }]));
  const installed = installedWith('toolpact');
  const brought = installed.map((name) => sizes.get(name) ?? sizeOf(join(root, 'node_modules', name)));
  return [
    { name: 'npm install toolpact, packages', value: installed.length },
    { name: 'npm install toolpact, files', value: sum(brought, ({ files }) => files) },
    { name: 'npm install toolpact, bytes', value: sum(brought, ({ bytes }) => bytes) },
    ...[...sizes].flatMap(([name, { files, bytes }]) => [
      { name: `${name}, files`, value: files },
      { name: `${name}, bytes`, value: bytes },
    ]),
  ];
}

/** Lists a package and all that it depends on. */
function installedWith(name: string, found: readonly string[] = []): readonly string[] {
  if (found.includes(name)) return found;
  const { dependencies = {} } = readPackage(join(root, 'node_modules', name));
  return Object.keys(dependencies).reduce<readonly string[]>((names, one) => installedWith(one, names), [...found, name]);
}

function sizeOf(folder: string): { readonly files: number; readonly bytes: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return { files: files.length, bytes: sum(files, ({ parentPath, name }) => statSync(join(parentPath, name)).size) };
}

/** Counts the entries and the names that they export; nobody is promised what `toolpact/internal` exports. */
export function countNames(): Figure[] {
  const entries = folders.flatMap((folder) => {
    const { name, exports = {} } = readPackage(join(root, 'packages', folder));
    return Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [{ entry: posix.join(name, path), names: namesIn(join(root, 'packages', folder, target.types)) }],
    );
  });
  const open = entries.filter(({ entry }) => entry !== 'toolpact/internal');
  const forUsers = open.filter(({ entry }) => entry !== 'toolpact/extend');
  const distinct = (some: typeof entries): number => new Set(some.flatMap(({ names }) => [...names])).size;
  return [
    { name: 'public entries of toolpact', value: open.filter(({ entry }) => !entry.startsWith('@')).length },
    { name: 'public entries, all packages', value: open.length },
    { name: 'public names, values and types, without toolpact/extend', value: distinct(forUsers) },
    { name: 'public names, values and types, all entries', value: distinct(open) },
    ...entries.map(({ entry, names }) => ({ name: `names of ${entry}`, value: names.size })),
  ];
}

/** The names that a declaration file exports, those of files that it passes on as a whole included. */
function namesIn(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const names = new Set<string>();
  for (const [, list = ''] of text.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)) {
    for (const part of list.split(',')) {
      const name = part.trim().split(/\s+/).at(-1);
      if (name) names.add(name);
    }
  }
  for (const [, name = ''] of text.matchAll(/export\s+(?:declare\s+)?(?:const|function|class|interface|type)\s+(\w+)/g)) names.add(name);
  for (const [, from = ''] of text.matchAll(/export\s+\*\s+from\s+["']([^"']+)["']/g))
    for (const name of namesIn(join(dirname(file), from.replace(/\.js$/, '.d.ts')))) names.add(name);
  return names;
}

/** Counts the files and lines of the source, without tests. */
export function measureSources(): Figure[] {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file));
  const lines = files.map((file) => ({ of: file, value: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }));
  const inside = [...Map.groupBy(files, (file) => posix.dirname(file))].map(([of, some]) => ({ of, value: some.length }));
  return [
    { name: 'source files', value: files.length },
    { name: 'lines of all source files', value: sum(lines, ({ value }) => value) },
    ...folders
      .map((folder) => ({ folder, own: lines.filter(({ of }) => of.startsWith(`packages/${folder}/`)) }))
      .filter(({ own }) => own.length > 0)
      .map(({ folder, own }) => ({ name: `lines of packages/${folder}`, value: sum(own, ({ value }) => value) })),
    { name: 'lines of the longest source file', ...largest(lines) },
    { name: 'source files of the largest folder', ...largest(inside) },
  ];
}

function largest(measured: readonly { readonly of: string; readonly value: number }[]): { readonly of: string; readonly value: number } {
  return measured.reduce((most, each) => (each.value > most.value ? each : most), { of: '', value: 0 });
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}

function sum<TItem>(items: readonly TItem[], of: (item: TItem) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
