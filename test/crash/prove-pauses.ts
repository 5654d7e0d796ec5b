// Stops processes beyond their lease at random moments, on SQLite and PostgreSQL, and compares what they did with a ledger outside of the
// store. Usage: node scripts/run.mjs proof pauses [--pauses 500] [--store sqlite|postgres]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startPostgres } from '../start-postgres.ts';
import type { StoreAddress } from '../stores/open-store.ts';
import { bundleProgram } from './run-lane.ts';
import { runPauses } from './run-pauses.ts';

const { values } = parseArgs({ options: { pauses: { type: 'string', default: '500' }, store: { type: 'string' } } });
const pauses = Number(values.pauses);
/** Pairs of processes at a time: they sleep most of the time. */
const lanes = 5;
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-'));
const server = await startPostgres();
try {
  const program = await bundleProgram(folder, 'pause-worker');
  const stores: Readonly<Record<string, StoreAddress>> = {
    sqlite: { path: join(folder, 'proof.db') },
    postgres: { connectionString: server.connectionString, schema: 'proof' },
  };
  for (const [name, store] of Object.entries(stores)) {
    if (values.store !== undefined && values.store !== name) continue;
    await prove(name, store, program);
  }
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function prove(name: string, store: StoreAddress, program: string): Promise<void> {
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
  console.log(`${name}: tools that write outside of steps wrote twice ${sum('doubledOutside')} times (the limit in docs/guards.md)`);
  for (const sentence of broken) console.error(`  ${sentence}`);
  if (broken.length > 0) process.exitCode = 1;
}
