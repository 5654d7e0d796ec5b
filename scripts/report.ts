// Numbers about the code that nobody has to keep to, beside those of the last release: npm run report [-- --files] [-- --save] [-- --starts 20]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { bundle, firstLoad } from './bundle-size.ts';
import { measureImports } from './import-time.ts';
import { countNames, type Figure, measurePackages, measureSources } from './package-figures.ts';
import { traceWalks } from './walks.ts';

interface LastRelease {
  readonly version: string;
  /** Its day, such as 2026-11-18. */
  readonly date: string;
  readonly figures: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const lastReleaseFile = new URL('last-release.json', import.meta.url);

const { values } = parseArgs({
  options: {
    files: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    starts: { type: 'string', default: '20' },
  },
});

const walks = await traceWalks();
const imports = measureImports(['toolpact', 'zod'], Number(values.starts));
const figures: readonly Figure[] = [
  ...measurePackages(),
  { name: 'import of toolpact, ms', value: Math.round(imports.toolpact) },
  { name: 'import of zod, ms', value: Math.round(imports.zod) },
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
    date: new Date().toISOString().slice(0, 10),
    figures: Object.fromEntries(figures.map(({ name, value }) => [name, value])),
  };
  writeFileSync(lastReleaseFile, `${JSON.stringify(release, null, 2)}\n`);
}

async function measureSizes(): Promise<Figure[]> {
  const main = await bundle(join(root, 'packages/toolpact/dist/index.js'));
  const client = await firstLoad(join(root, 'packages/server/dist/client.js'));
  return [
    { name: 'main entry, bytes minified', value: main.bytes },
    { name: 'main entry, bytes minified and gzipped', value: main.gzipBytes },
    { name: 'client, bytes loaded at once, minified', value: client.bytes },
    { name: 'client, bytes loaded at once, minified and gzipped', value: client.gzipBytes },
  ];
}

function signed(change: number): string {
  return change > 0 ? `+${withCommas(change)}` : change < 0 ? `-${withCommas(-change)}` : '0';
}

function withCommas(value: number): string {
  return value.toLocaleString('en-US');
}
