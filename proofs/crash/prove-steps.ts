// Kills processes at every moment around each of five steps, on SQLite and PostgreSQL, lets a worker take their orders over, and compares what
// was done with a ledger outside of the store. Usage: node scripts/run.mjs proof steps [--orders 200] [--store sqlite|postgres]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { proveOnStores } from './prove-on-stores.ts';

const { values } = parseArgs({ options: { orders: { type: 'string' }, store: { type: 'string' } } });

await proveOnStores(values.store, async ({ name, store, folder }) => {
  const program = await bundleProgram(folder, new URL('step-worker.ts', import.meta.url));
  // Bundled too: the driver of PostgreSQL is found that way.
  const lane = pathToFileURL(await bundleProgram(folder, new URL('run-step-crashes.ts', import.meta.url))).href;
  const { places, runStepCrashes }: typeof import('./run-step-crashes.ts') = await import(lane);
  const kills = Math.ceil(Number(values.orders) / places.length);
  const onKill = (done: number): void => console.log(`${name}: ${done} of ${kills} processes killed, their orders taken over`);
  const broken = await runStepCrashes({ name, program, store, folder, kills, onKill });
  console.log(`${name}: ${kills * places.length} orders killed in ${kills} processes, ${broken.length} broken promises`);
  return broken;
});
