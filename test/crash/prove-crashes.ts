// Kills processes again and again, on SQLite and PostgreSQL, and compares what they did with a ledger outside of the store.
// Usage: node scripts/run.mjs proof crashes [--kills 200] [--store sqlite|postgres]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startPostgres } from '../start-postgres.ts';
import type { StoreAddress } from '../stores/open-store.ts';
import { checkHistory } from './check-history.ts';
import { bundleProgram, runLane } from './run-lane.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' }, store: { type: 'string' } } });
const kills = Number(values.kills);
const folder = mkdtempSync(join(tmpdir(), 'toolpact-proof-'));
const server = await startPostgres();
try {
  const program = await bundleProgram(folder);
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
  const lanes = [1, 2].map((seed) => runLane({ name: `${name}-${seed}`, program, store, folder, seed, kills: Math.ceil(kills / 2) }));
  const histories = await Promise.all(lanes);
  const killed = histories.flatMap(({ lives }) => lives.filter(({ end }) => end !== 'by itself'));
  const broken = histories.flatMap(checkHistory);
  console.log(
    `${name}: ${killed.length} kills, ${histories.flatMap(({ ledger }) => ledger).length} effects, ${broken.length} broken promises`,
  );
  for (const sentence of broken) console.error(`  ${sentence}`);
  if (broken.length > 0) process.exitCode = 1;
}
