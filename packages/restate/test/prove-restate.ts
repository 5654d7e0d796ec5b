// Kills workers of Restate at every moment around each of five steps, and compares outcomes with a ledger outside.
// Usage: node scripts/run.mjs proof restate [--kills 200]
import '../../../scripts/resolve-source.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { kills: { type: 'string' } } });
const { runKills } = await import('./run-kills.ts');
const { startTestRestate } = await import('./with-restate.ts');
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-restate-'));
try {
  await proveKills(Number(values.kills));
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

function report(line: string, broken: readonly string[]): void {
  console.log(`${line}, ${broken.length} broken promises`);
  for (const sentence of broken) console.error(`  ${sentence}`);
  if (broken.length > 0) process.exitCode = 1;
}
