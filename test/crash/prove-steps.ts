// Kills processes at every moment around each of five steps, on SQLite and PostgreSQL, lets a worker take their orders over, and compares what
// was done with a ledger outside of the store. Usage: node scripts/run.mjs proof steps [--orders 200] [--store sqlite|postgres]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../start-postgres.ts';
import type { StoreAddress } from '../stores/open-store.ts';
import { bundleProgram } from './run-lane.ts';

const { values } = parseArgs({ options: { orders: { type: 'string', default: '200' }, store: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-'));
const server = await startPostgres();
try {
  const program = await bundleProgram(folder, 'step-worker');
  // Bundled too: the driver of PostgreSQL is found that way.
  const lane = pathToFileURL(await bundleProgram(folder, 'run-step-crashes')).href;
  const { places, runStepCrashes }: typeof import('./run-step-crashes.ts') = await import(lane);
  const kills = Math.ceil(Number(values.orders) / places.length);
  const stores: Readonly<Record<string, StoreAddress>> = {
    sqlite: { path: join(folder, 'proof.db') },
    postgres: { connectionString: server.connectionString, schema: 'proof' },
  };
  for (const [name, store] of Object.entries(stores)) {
    if (values.store !== undefined && values.store !== name) continue;
    const broken = await runStepCrashes({ name, program, store, folder, kills });
    console.log(`${name}: ${kills * places.length} orders killed in ${kills} processes, ${broken.length} broken promises`);
    for (const sentence of broken) console.error(`  ${sentence}`);
    if (broken.length > 0) process.exitCode = 1;
  }
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
