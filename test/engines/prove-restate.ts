// Kills workers of Restate at every moment around each of five steps, and then each member of a fleet of three nodes and three workers, and compares
// outcomes with a ledger outside. Usage: node scripts/run.mjs proof restate [--kills 200] [--calls 50] [--only kills|fleet]
import '../../bench/resolve-peers.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, calls: { type: 'string', default: '50' }, only: { type: 'string' } },
});
const { runKills } = await import('./run-kills.ts');
const { runFleet } = await import('../fleet/run-restate-fleet.ts');
const { startTestRestate } = await import('./with-restate.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-restate-'));
try {
  if (values.only !== 'fleet') await proveKills(Number(values.kills));
  if (values.only !== 'kills') await proveFleet(Number(values.calls));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function proveKills(kills: number): Promise<void> {
  const restate = await startTestRestate();
  let done = 0;
  const onKill = (): void => {
    done += 1;
    if (done % 25 === 0) console.log(`restate: ${done} of ${kills} kills`);
  };
  try {
    const findings = await runKills({ restate, folder, name: 'kills', kills, onKill });
    report(`restate: ${findings.kills} kills, ends ${JSON.stringify(findings.ends)}`, findings.broken);
  } finally {
    await restate.remove();
  }
}

async function proveFleet(calls: number): Promise<void> {
  const findings = await runFleet({ folder, calls, pauseMs: 200, say: (line) => console.log(`fleet: ${line}`) });
  report(
    `fleet: ${findings.calls} calls, ends ${JSON.stringify(findings.ends)}, longest ${Math.round(findings.longestMs)} ms`,
    findings.broken,
  );
}

function report(line: string, broken: readonly string[]): void {
  console.log(`${line}, ${broken.length} broken promises`);
  for (const sentence of broken) console.error(`  ${sentence}`);
  if (broken.length > 0) process.exitCode = 1;
}
