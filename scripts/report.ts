// Numbers about the code that nobody has to keep to, beside those of the last release: npm run report [-- --files] [-- --save]
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { bundle, firstLoad } from './bundle-size.ts';
import { traceWalks } from './walks.ts';

interface Figure {
  readonly name: string;
  readonly value: number;
  /** What the number was taken from, where it is a largest one. */
  readonly of?: string;
}

interface LastRelease {
  readonly version: string;
  readonly figures: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const lastReleaseFile = new URL('last-release.json', import.meta.url);

const { values } = parseArgs({ options: { files: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } } });

const walks = await traceWalks();
const figures: readonly Figure[] = [
  ...(await measureSizes()),
  ...walks.map(({ name, files }) => ({ name: `files that one call runs through, ${name}`, value: files.length })),
  ...countNames(),
  { name: 'words of the README', value: readFileSync(join(root, 'README.md'), 'utf8').split(/\s+/).length },
  ...measureSources(),
];

if (values.save) saveAsLastRelease();
else printTable();
if (values.files) for (const { name, files } of walks) console.log([`\n${name}`, ...files.map((file) => `  ${file}`)].join('\n'));
// The servers of the walks listen until the end.
process.exit(0);

function printTable(): void {
  const last = JSON.parse(readFileSync(lastReleaseFile, 'utf8')) as LastRelease;
  const rows = figures.map(({ name, value, of = '' }) => {
    const before = last.figures[name];
    const change = before === undefined ? '' : signed(value - before);
    return [name, withCommas(value), before === undefined ? '' : withCommas(before), change, of];
  });
  const table = [['', 'now', last.version, 'change', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const [name = '', ...cells] of table) {
    const numbers = cells.slice(0, 3).map((cell, column) => cell.padStart(widths[column + 1] ?? 0));
    console.log([name.padEnd(widths[0] ?? 0), ...numbers, cells[3]].join('  ').trimEnd());
  }
}

/** For whoever makes a release: later reports compare with these. */
function saveAsLastRelease(): void {
  const release: LastRelease = {
    version: packageJson.version,
    figures: Object.fromEntries(figures.map(({ name, value }) => [name, value])),
  };
  writeFileSync(lastReleaseFile, `${JSON.stringify(release, null, 2)}\n`);
}

async function measureSizes(): Promise<Figure[]> {
  const main = await bundle(join(root, 'dist/index.js'));
  const client = await firstLoad(join(root, 'dist/edges/client/index.js'));
  return [
    { name: 'main entry, bytes minified', value: main.bytes },
    { name: 'main entry, bytes minified and gzipped', value: main.gzipBytes },
    { name: 'client, bytes loaded at once, minified', value: client.bytes },
    { name: 'client, bytes loaded at once, minified and gzipped', value: client.gzipBytes },
  ];
}

function countNames(): Figure[] {
  const entries = Object.entries(packageJson.exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [{ path, names: namesIn(join(root, target.types)) }],
  );
  const forUsers = new Set(entries.flatMap(({ path, names }) => (path === './extend' ? [] : [...names])));
  const all = new Set(entries.flatMap(({ names }) => [...names]));
  return [
    { name: 'public names, values and types, without toolpact/extend', value: forUsers.size },
    { name: 'public names, values and types, all entries', value: all.size },
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
  for (const [, from = ''] of text.matchAll(/export\s+\*\s+from\s+'([^']+)'/g))
    for (const name of namesIn(join(dirname(file), from.replace(/\.js$/, '.d.ts')))) names.add(name);
  return names;
}

function measureSources(): Figure[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test(-d)?\.tsx?$/.test(file));
  const lines = files.map((file) => ({ of: file, value: readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length }));
  const folders = [...Map.groupBy(files, (file) => posix.dirname(file))].map(([of, inside]) => ({ of, value: inside.length }));
  return [
    { name: 'source files', value: files.length },
    { name: 'lines of all source files', value: lines.reduce((sum, { value }) => sum + value, 0) },
    { name: 'lines of the longest source file', ...largest(lines) },
    { name: 'source files of the largest folder', ...largest(folders) },
  ];
}

function largest(measured: readonly { readonly of: string; readonly value: number }[]): { readonly of: string; readonly value: number } {
  return measured.reduce((most, each) => (each.value > most.value ? each : most), { of: '', value: 0 });
}

function signed(change: number): string {
  return change > 0 ? `+${withCommas(change)}` : change < 0 ? `-${withCommas(-change)}` : '0';
}

function withCommas(value: number): string {
  return value.toLocaleString('en-US');
}
