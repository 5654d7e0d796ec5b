// Stores, and idempotent calls on them, next to the same work by hand; alone: node bench/guards.ts [--only <word>] [--rounds <n>] [--keys <n>] [--bounded <calls>]
import '../scripts/resolve-peers.ts';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import type { StoreAddress } from '../packages/toolpact/test/stores/open-store.ts';
import { type Postgres, startPostgres } from '../proofs/fixtures/start-postgres.ts';
import type { Contestant } from './contestant.ts';
import type { Finding } from './finding.ts';
import { countWinners, makeCalls } from './four-processes.ts';
import { idempotentCalls, type Ledger, postgresByHand, type RawPool, sqliteByHand, storeAlone } from './ledgers.ts';
import { timeRounds } from './time-rounds.ts';
import { toTable } from './to-table.ts';
import { watchSize } from './watch-size.ts';

const inFlight = 64;
const poolSize = 8;
/** A store reaches four fifths of what can be done by hand, an idempotent call three fifths. */
const most = { store: 1 / 0.8, calls: 1 / 0.6 };
/** Fifty thousand replays a second. */
const maxReplayUs = 20;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '8' },
    keys: { type: 'string', default: '20000' },
    bounded: { type: 'string' },
    claimer: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'toolpact-guards-'));
try {
  if (options.claimer !== undefined) await makeCalls(JSON.parse(options.claimer), Number(options.keys));
  else if (options.bounded !== undefined) await watchSize(join(folder, 'bounded.db'), Number(options.bounded));
  else await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function compare(): Promise<void> {
  const server = 'postgres pg processes'.includes(options.only) ? await startPostgres({ settings: [] }) : undefined;
  try {
    const all = [...localLedgers(), ...(server ? await remoteLedgers(server) : [])];
    const chosen = all.filter(({ name, base }) => `${name} ${base ?? ''}`.includes(options.only));
    const known = Array.from({ length: inFlight }, (_, index) => `known-${index}`);
    for (const { write } of chosen) await Promise.all(known.map((key) => write(key)));

    await time('Claim and complete, one at a time', chosen, ({ write }) => write());
    await time(`Claim and complete, ${inFlight} at once`, chosen, (ledger) => {
      const keys = Array.from({ length: inFlight }, () => randomUUID());
      return ledger.writeMany?.(keys) ?? Promise.all(keys.map((key) => ledger.write(key)));
    });
    await time('Read or replay, one at a time', chosen, ({ read }) => read('known-0'), maxReplayUs);
    await time(`Read or replay, ${inFlight} at once`, chosen, ({ read }) => Promise.all(known.map(read)), maxReplayUs * inFlight);

    const addresses: [string, StoreAddress][] = [['sqlite', { path: join(folder, 'claims.db') }]];
    if (server) addresses.push(['postgres', { connectionString: server.connectionString, schema: 'claims' }]);
    const findings: Finding[] = [];
    for (const [name, address] of addresses.filter(([name]) => `${name} processes`.includes(options.only)))
      findings.push(await countWinners(name, fileURLToPath(import.meta.url), address, Number(options.keys)));
    if (findings.length > 0) console.log(toTable([{ title: 'Four processes, the same keys', findings }]));
  } finally {
    await server?.remove();
  }
}

function localLedgers(): Ledger[] {
  const sqlite = (['full', 'normal'] as const).flatMap((durability) => {
    const base = `node:sqlite, ${durability}`;
    const open = (name: string) => sqliteStore({ path: join(folder, `${name}-${durability}.db`), durability });
    return [sqliteByHand(base, join(folder, `raw-${durability}.db`), durability), ...onBoth(`sqlite, ${durability}`, open, base)];
  });
  return [...onBoth('memory', () => memoryStore({ maxRecords: 10_000_000, maxCharacters: 1e10 })), ...sqlite];
}

async function remoteLedgers(server: Postgres): Promise<Ledger[]> {
  const packageName = 'pg';
  const { default: pg } = (await import(packageName)) as { default: { Pool: new (config: object) => RawPool } };
  const newPool = () => new pg.Pool({ ...server.address, max: poolSize }).on('error', () => undefined);
  return [
    await postgresByHand('pg', newPool()),
    ...onBoth('postgres', (schema) => postgresStore({ pool: newPool() as never, schema }), 'pg'),
  ];
}

/** A store alone, and calls that are made once by means of it. */
function onBoth(name: string, open: (name: 'store' | 'calls') => Store, base?: string): Ledger[] {
  const ledgers = { store: storeAlone(`${name}: store`, open('store')), calls: idempotentCalls(`${name}: calls`, open('calls')) };
  return (['store', 'calls'] as const).map((part) => ({ ...ledgers[part], ...(base !== undefined && { base, most: most[part] }) }));
}

/** Times one part of all ledgers side by side. With `us`, calls are judged by their time instead of by what they take more than by hand. */
async function time(title: string, ledgers: readonly Ledger[], part: (ledger: Ledger) => unknown, us?: number): Promise<void> {
  const contestants = ledgers.map(({ name, ...rest }): Contestant => {
    return { name, call: () => part({ name, ...rest }), isRight: (value) => value !== undefined };
  });
  const timings = await timeRounds(contestants, { rounds: Number(options.rounds), roundMs: 50, warmUpMs: 200 }, () => undefined);
  const findings = ledgers.map(({ name, base, most }): Finding => {
    const { best = Number.NaN, median = Number.NaN } = timings.get(name) ?? {};
    const bare = base === undefined ? undefined : timings.get(base);
    const ratios = bare && { ratio: best / bare.best, medianRatio: median / bare.median };
    if (us !== undefined && name.endsWith(': calls') && !name.startsWith('postgres'))
      return { name, best, median, ...ratios, target: `≤ ${us} µs`, met: best <= us * 1000 };
    if (us !== undefined || ratios === undefined || most === undefined) return { name, best, median, ...ratios };
    return { name, best, median, ...ratios, target: `≤ ${most.toFixed(2)} ×`, met: ratios.medianRatio <= most };
  });
  if (findings.length > 0) console.log(`${toTable([{ title, findings }])}\n`);
}
