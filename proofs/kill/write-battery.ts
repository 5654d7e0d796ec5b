import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { KillHost } from './host.ts';
import { hostNames, loadHost, variantsOf } from './hosts.ts';
import type { Cell } from './judge.ts';
import { type MomentName, moments } from './moments.ts';
import { readResults, resultsFile } from './results.ts';
import { runCell } from './run-cell.ts';
import { startServers } from './servers.ts';

/** Usage: npm run battery:kill [-- --host NAME] [--moment MOMENT] [--variant VARIANT]. What is measured is written into results.json; without options that is the whole table. */
const { values } = parseArgs({ options: { host: { type: 'string' }, moment: { type: 'string' }, variant: { type: 'string' } } });

const chosen = choose('host', hostNames, values.host);
const chosenMoments = choose('moment', Object.keys(moments) as MomentName[], values.moment);
const chosenVariants = choose('variant', ['alone', 'key', 'toolpact', 'unsure'] as const, values.variant);

for (const name of chosen) {
  const host = await loadHost(name);
  const servers = await startServers(host.needs);
  const old = readResults().hosts[name]?.cells ?? {};
  const cells: Record<string, Record<string, Cell>> = {};
  for (const variant of variantsOf(host)) {
    const known = old[variant] ?? {};
    cells[variant] = {};
    for (const moment of Object.keys(moments) as MomentName[]) {
      const isChosen = chosenMoments.includes(moment) && chosenVariants.includes(variant);
      if ('asks' in moments[moment] && !host.asks) continue;
      if (!isChosen) {
        if (known[moment] !== undefined) cells[variant][moment] = known[moment];
        continue;
      }
      const cell = await runCell({ host: name, variant, moment, servers: await servers.forCell() });
      cells[variant][moment] = cell;
      console.log(`${name} ${variant} ${moment}: ${say(cell)}`);
    }
  }
  await servers.close();
  const { title, mode, documentation, key, asks } = host;
  // Read again: another command may have measured another host meanwhile.
  const results = readResults();
  const facts = { title, mode, documentation, ...(key !== undefined && { key }), asks };
  results.hosts[name] = { ...facts, versions: versionsOf(host), cells };
  results.date = new Date().toISOString().slice(0, 10);
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
}
process.exit(0);

function say({ paid, end, told, isTrue, processes, ms, words }: Cell): string {
  return `paid ${paid}, ${end}, told ${told}${isTrue ? '' : ' (not the truth)'}, ${processes} processes, ${ms} ms${words === undefined ? '' : `: ${words}`}`;
}

function choose<TName extends string>(what: string, known: readonly TName[], name: string | undefined): readonly TName[] {
  if (name === undefined) return known;
  const found = known.filter((one) => one === name);
  if (found.length > 0) return found;
  console.error(`There is no ${what} "${name}". Known: ${known.join(', ')}`);
  process.exit(1);
}

function versionsOf({ packages, folder = '.' }: KillHost): Record<string, string> {
  const folders = [folder, '.', '../peers'];
  return Object.fromEntries(packages.map((name) => [name, versionOf(name, folders)]));
}

function versionOf(name: string, folders: readonly string[]): string {
  for (const folder of folders) {
    try {
      const file = new URL(`${folder}/node_modules/${name}/package.json`, import.meta.url);
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
    } catch {}
  }
  throw new Error(`${name} is not installed`);
}
