// Stops processes beyond their lease at random moments, on SQLite and PostgreSQL, and compares what they did with a ledger outside of the
// store. Usage: node scripts/run.mjs proof pauses [--pauses 500] [--store sqlite|postgres]
import { parseArgs } from 'node:util';
import { bundleProgram } from './bundle-program.ts';
import { proveOnStores } from './prove-on-stores.ts';
import { runPauses } from './run-pauses.ts';

const { values } = parseArgs({ options: { pauses: { type: 'string' }, store: { type: 'string' } } });
const pauses = Number(values.pauses);
/** Pairs of processes at a time: they sleep most of the time. */
const lanes = 5;

await proveOnStores(values.store, async ({ name, store, folder }) => {
  const program = await bundleProgram(folder, new URL('pause-worker.ts', import.meta.url));
  const startedAt = performance.now();
  let done = 0;
  const onPause = (): void => {
    done += 1;
    if (done % 25 === 0) console.log(`${name}: ${done} of ${pauses} pauses, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  };
  const share = (lane: number): number => Math.floor(pauses / lanes) + (lane < pauses % lanes ? 1 : 0);
  const findings = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      runPauses({ name: `${name}-${lane}`, program, store, folder, pauses: share(lane), onPause }),
    ),
  );
  const broken = findings.flatMap((finding) => finding.broken);
  const sum = (of: 'pauses' | 'calls' | 'doubledOutside') => findings.reduce((total, finding) => total + finding[of], 0);
  console.log(`${name}: ${sum('pauses')} pauses, ${sum('calls')} calls, ${broken.length} broken promises of tools with steps`);
  console.log(
    `${name}: tools that write outside of steps wrote twice ${sum('doubledOutside')} times (the limit in docs/remembering-calls.md)`,
  );
  return broken;
});
