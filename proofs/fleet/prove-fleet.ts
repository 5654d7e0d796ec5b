// Kills the members of a fleet in turn, stops PostgreSQL for a while, restarts all members in order, always with calls in flight, and compares outcomes
// with a ledger outside. Usage: node scripts/run.mjs proof fleet [--calls 50] [--only postgres|restate] [--away 20]
import '../../scripts/resolve-source.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { calls: { type: 'string' }, away: { type: 'string' }, only: { type: 'string' } },
});
const { runPostgresFleet } = await import('./run-postgres-fleet.ts');
const { runRestateFleet } = await import('./run-restate-fleet.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-fleet-'));
const common = { folder, calls: Number(values.calls), pauseMs: 200, say: (line: string) => console.log(`  ${line}`) };
const fleets = {
  postgres: () => runPostgresFleet({ ...common, leaseMs: 10_000, awayMs: Number(values.away) * 1000 }),
  restate: () => runRestateFleet({ ...common, leaseMs: 3_000 }),
};
try {
  for (const [name, run] of Object.entries(fleets)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`a fleet on ${name}`);
    const { broken, calls, ends, longestMs } = await run();
    console.log(
      `${name}: ${calls} calls, ends ${JSON.stringify(ends)}, longest ${Math.round(longestMs)} ms, ${broken.length} broken promises`,
    );
    for (const sentence of broken) console.error(`  ${sentence}`);
    if (broken.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
