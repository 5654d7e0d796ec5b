import { writeFileSync } from 'node:fs';
import { faults } from './faults.ts';
import type { RunSetup } from './host.ts';
import type { Measurement } from './measurement.ts';
import { hostFiles, inPairs, runFile } from './run-battery.ts';

/** Measures every host again: the framework alone into baseline.json, with Toolpact into results.json. Words choose one: `bare`, `toolpact`. */

const targets = { bare: 'baseline.json', toolpact: 'results.json' } as const;

const chosen = process.argv.slice(2);
for (const [mode, file] of Object.entries(targets) as [RunSetup['mode'], string][]) {
  if (chosen.length > 0 && !chosen.includes(mode)) continue;
  const columns = (await inPairs(hostFiles, (name) => runFile(name, mode))).flat();
  const measurement: Measurement = {
    date: new Date().toISOString().slice(0, 10),
    faults: faults.map(({ title }) => title),
    columns: columns.map(({ why: _why, findings: _findings, ...column }) => column),
  };
  writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(measurement, null, 2)}\n`);
  console.log(`wrote proofs/battery/${file}`);
  for (const { title, codes } of columns) console.log(`  ${title.padEnd(24)} ${codes}`);
}
