// Idempotent and recorded calls next to the same work by hand; alone: node bench/guards.ts [--only <word>] [--rounds <n>] [--keys <n>] [--bounded <calls>]
import './resolve-peers.ts';
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Store } from '../src/core/runtime/index.ts';
import { createToolbox, defineTool } from '../src/index.ts';
import { idempotency, journal } from '../src/parts/guards/index.ts';
import { memoryStore } from '../src/parts/stores/memory.ts';
import { postgresStore } from '../src/parts/stores/postgres.ts';
import { sqliteStore } from '../src/parts/stores/sqlite.ts';
import { startPostgres } from '../test/start-postgres.ts';
import { openStore, type StoreAddress } from '../test/stores/open-store.ts';
import type { Contestant } from './contestant.ts';
import type { Finding } from './finding.ts';
import { timeRounds } from './time-rounds.ts';
import { toTable } from './to-table.ts';

const inFlight = 64;
const poolSize = 8;
const hour = 3_600_000;
/** Three fifths of what can be done by hand. */
const most = { ratio: 1 / 0.6 };
/** Fifty thousand a second. */
const mostReplayUs = 20;

const input = z.object({ order: z.string(), amount: z.number() });
const claimed = {
  v: 1,
  state: 'running',
  owner: `${randomUUID()}/1`,
  leaseMs: 10_000,
  fields: { order: 'f'.repeat(32), amount: 'f'.repeat(32) },
};
const meta = { tool: 'pay', invocationId: randomUUID(), traceId: 'f'.repeat(32), tookMs: 0.25, attempts: 1 };
const outcome = { status: 'ok', data: { receipt: 'r-4711' }, meta };
const started = () => JSON.stringify({ ...claimed, writtenAt: Date.now() });
const finished = () => JSON.stringify({ ...claimed, state: 'done', writtenAt: Date.now(), outcome });

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
  if (options.claimer !== undefined) await claim(JSON.parse(options.claimer), Number(options.keys));
  else if (options.bounded !== undefined) await watchSize(Number(options.bounded));
  else await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** Something that makes calls of its own, one at a time or many at once, and repeats one that was made. */
interface Caller {
  readonly name: string;
  readonly base?: string;
  readonly one: () => unknown;
  readonly many: () => unknown;
  readonly again?: () => unknown;
  readonly againMany?: () => unknown;
}

async function compare(): Promise<void> {
  const server = 'postgres pg processes'.includes(options.only) ? await startPostgres({ settings: [] }) : undefined;
  try {
    const callers: Caller[] = [callerOf('memory', memoryStore({ maxRecords: 10_000_000, maxCharacters: 1e10 }))];
    for (const durability of ['full', 'normal'] as const) {
      const base = `node:sqlite, ${durability}`;
      callers.push(rawSqlite(base, durability));
      callers.push({ ...callerOf(`sqlite, ${durability}`, sqliteStore({ path: join(folder, `${durability}.db`), durability })), base });
    }
    if (server) {
      const packageName = 'pg';
      const { default: pg } = (await import(packageName)) as { default: { Pool: new (config: object) => RawPool } };
      const newPool = () => new pg.Pool({ ...server.address, max: poolSize }).on('error', () => undefined);
      callers.push(await rawPostgres('pg', newPool()));
      callers.push({ ...callerOf('postgres', postgresStore({ pool: newPool() as never })), base: 'pg' });
    }
    const chosen = callers.filter(({ name, base }) => `${name} ${base ?? ''}`.includes(options.only));
    await time('Idempotent call, one at a time', chosen, 'one', most);
    await time(`Idempotent call, ${inFlight} at once`, chosen, 'many', most);
    const local = chosen.filter(({ name }) => name !== 'postgres');
    await time('Replay, one at a time', local, 'again', { us: mostReplayUs });
    await time(`Replay, ${inFlight} at once`, local, 'againMany', { us: mostReplayUs * inFlight });
    const addresses: [string, StoreAddress][] = [['sqlite', { path: join(folder, 'claims.db') }]];
    if (server) addresses.push(['postgres', { connectionString: server.connectionString, schema: 'claims' }]);
    const named = addresses.filter(([name]) => `${name} processes`.includes(options.only));
    const findings = [];
    for (const [name, address] of named) findings.push(await countWinners(name, address, Number(options.keys)));
    if (findings.length > 0) console.log(toTable([{ title: 'Four processes, the same keys', findings }]));
  } finally {
    await server?.remove();
  }
}

async function time(
  title: string,
  callers: readonly Caller[],
  part: 'one' | 'many' | 'again' | 'againMany',
  limit: NonNullable<Contestant['atMost']>,
) {
  const contestants = callers.flatMap((caller): Contestant[] => {
    const { name, base, [part]: call } = caller;
    return call === undefined ? [] : [{ name, call, isRight: (value) => value !== undefined, ...(base && { base }) }];
  });
  if (contestants.length === 0) return;
  const timings = await timeRounds(contestants, { rounds: Number(options.rounds), roundMs: 50, warmUpMs: 200 }, () => undefined);
  const findings = contestants.map(({ name, base }): Finding => {
    const { best = Number.NaN, median = Number.NaN } = timings.get(name) ?? {};
    const bare = base === undefined ? undefined : timings.get(base);
    if ('us' in limit) return { name, best, median, target: `≤ ${limit.us} µs`, met: best <= limit.us * 1000 };
    if (bare === undefined) return { name, best, median };
    const medianRatio = median / bare.median;
    return {
      name,
      best,
      median,
      ratio: best / bare.best,
      medianRatio,
      target: `≤ ${limit.ratio.toFixed(2)} ×`,
      met: medianRatio <= limit.ratio,
    };
  });
  console.log(`${toTable([{ title, findings }])}\n`);
}

function boxOn(
  store: Store,
  run: (order: string) => unknown,
  options: { readonly ttlMs?: number; readonly leaseMs?: number; readonly now?: () => number } = {},
  isRecorded = false,
) {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    idempotency: { key: ({ order }) => order },
    run: ({ order }) => run(order) as { receipt: string },
  });
  const { now, ttlMs = hour } = options;
  const guards = [idempotency({ store, ...options }), ...(isRecorded ? [journal({ store, retentionMs: ttlMs, ...(now && { now }) })] : [])];
  return createToolbox([pay], { use: guards, report: () => undefined });
}

/** Calls through a toolbox. */
function callerOf(name: string, store: Store): Caller {
  const box = boxOn(store, () => ({ receipt: 'r-4711' }));
  const one = async (order: string = randomUUID()) => {
    const outcome = await box.call('pay', { order, amount: 42 });
    return outcome.status === 'ok' && outcome.meta.warnings === undefined ? outcome : undefined;
  };
  const known = Promise.all(Array.from({ length: inFlight }, (_, index) => one(`known-${index}`)));
  const again = async (order: string) => ((await one(order))?.meta.replayed === true ? true : undefined);
  let isKnown = false;
  const whenKnown = async () => {
    if (!isKnown) await known;
    isKnown = true;
  };
  return {
    name,
    one: () => one(),
    many: () => Promise.all(Array.from({ length: inFlight }, () => one())),
    again: async () => {
      if (!isKnown) await whenKnown();
      return again('known-0');
    },
    againMany: async () => {
      if (!isKnown) await whenKnown();
      return Promise.all(Array.from({ length: inFlight }, (_, index) => again(`known-${index}`)));
    },
  };
}

/** The least that does the same: one table, two statements; many at once share a transaction. */
function rawSqlite(name: string, durability: 'full' | 'normal'): Caller {
  const db = new DatabaseSync(join(folder, `raw-${durability}.db`));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}`);
  db.exec('CREATE TABLE claims (key TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, expires_at INTEGER)');
  const insert = db.prepare('INSERT INTO claims VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const update = db.prepare('UPDATE claims SET value = ?, version = 2, expires_at = ? WHERE key = ? AND version = 1');
  const claim = (key: string) => insert.run(key, started(), Date.now() + hour);
  const complete = (key: string) => update.run(finished(), Date.now() + hour, key).changes;
  return {
    name,
    one() {
      const key = randomUUID();
      claim(key);
      return complete(key);
    },
    many() {
      const keys = Array.from({ length: inFlight }, () => randomUUID());
      for (const step of [claim, complete]) {
        db.exec('BEGIN IMMEDIATE');
        keys.forEach(step);
        db.exec('COMMIT');
      }
      return keys;
    },
  };
}

interface RawPool {
  readonly on: (event: 'error', listener: () => void) => RawPool;
  readonly query: (query: { text: string; name?: string; values?: unknown[] }) => Promise<{ rowCount: number }>;
}

/** The same by hand: prepared statements, one round trip each, as many at once as there are connections. */
async function rawPostgres(name: string, pool: RawPool): Promise<Caller> {
  await pool.query({
    text: 'CREATE TABLE claims (key text PRIMARY KEY, value text NOT NULL, version integer NOT NULL, expires_at float8)',
  });
  const insert = 'INSERT INTO claims VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING';
  const update = 'UPDATE claims SET value = $1, version = 2, expires_at = $2 WHERE key = $3 AND version = 1';
  const one = async (key: string = randomUUID()) => {
    await pool.query({ name: 'insert', text: insert, values: [key, started(), Date.now() + hour] });
    return (await pool.query({ name: 'update', text: update, values: [finished(), Date.now() + hour, key] })).rowCount;
  };
  return { name, one: () => one(), many: () => Promise.all(Array.from({ length: inFlight }, () => one())) };
}

/** Lets four processes make the same calls at the same time and counts how often the tool ran. */
async function countWinners(name: string, address: StoreAddress, keys: number): Promise<Finding> {
  const words = ['--claimer', JSON.stringify(address), '--keys', `${keys}`];
  const children = Array.from({ length: 4 }, () => fork(fileURLToPath(import.meta.url), words));
  await Promise.all(children.map((child) => once(child, 'message')));
  const answers = children.map((child) => once(child, 'message'));
  const startedAt = performance.now();
  for (const child of children) child.send('go');
  const told = (await Promise.all(answers)).map(([answer]) => answer as { ran: number; answered: number });
  const seconds = (performance.now() - startedAt) / 1000;
  const ran = told.reduce((sum, answer) => sum + answer.ran, 0);
  const answered = told.reduce((sum, answer) => sum + answer.answered, 0);
  return {
    name: `${name}: ${keys.toLocaleString('en')} keys`,
    found: `${ran.toLocaleString('en')} runs, ${answered.toLocaleString('en')} answers in ${seconds.toFixed(1)} s (${told.map((answer) => answer.ran).join(' + ')})`,
    target: `${keys.toLocaleString('en')} runs, ${(4 * keys).toLocaleString('en')} answers`,
    met: ran === keys && answered === 4 * keys,
  };
}

/** One of the four. */
async function claim(address: StoreAddress, keys: number): Promise<void> {
  const store = openStore(address);
  await store.get({ space: 'claim', tenant: 't', key: 'none' });
  let ran = 0;
  const box = boxOn(store, () => {
    ran += 1;
    return { receipt: 'r' };
  });
  process.send?.('ready');
  await once(process, 'message');
  let answered = 0;
  for (let first = 0; first < keys; first += 500) {
    const size = Math.min(500, keys - first);
    const outcomes = await Promise.all(
      Array.from({ length: size }, (_, index) => box.call('pay', { order: `${first + index}`, amount: 1 })),
    );
    answered += outcomes.filter(({ status }) => status === 'ok').length;
  }
  await new Promise<void>((resolve) => process.send?.({ ran, answered }, () => resolve()));
  await store.close();
}

/** Makes an hour's worth of recorded calls with a key, which are remembered for a minute of it, and tells how large the file is meanwhile. */
async function watchSize(calls: number): Promise<void> {
  const path = join(folder, 'bounded.db');
  let time = 1_800_000_000_000;
  const now = () => time;
  const store = sqliteStore({ path, durability: 'normal', now });
  const box = boxOn(store, () => ({ receipt: 'r-4711' }), { now, ttlMs: 60_000 }, true);
  const [stepMs, startedAt] = [(inFlight * hour) / calls, performance.now()];
  const megabytes = () => (statSync(path).size + statSync(`${path}-wal`).size) / 1e6;
  const sizes: number[] = [];
  for (let done = 0, told = 0; done < calls; done += inFlight) {
    await Promise.all(
      Array.from({ length: inFlight }, (_, index) => box.call('pay', { order: `${done + index}`, amount: 42 }, { runId: `run-${done}` })),
    );
    time += stepMs;
    if (done < told) continue;
    told += calls / 20;
    sizes.push(megabytes());
    console.log(`${done.toLocaleString('en').padStart(10)} calls: ${megabytes().toFixed(1)} MB`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${calls.toLocaleString('en').padStart(10)} calls: ${megabytes().toFixed(1)} MB, ${Math.round(calls / seconds).toLocaleString('en')} calls/s`,
  );
  const [early, late] = [Math.max(...sizes.slice(2, 10)), Math.max(...sizes.slice(10))];
  console.log(
    `the second half is ${(late / early).toFixed(2)} × the first at most (target: ≤ 1.2 ×; ${late <= early * 1.2 ? 'met' : 'NOT met'})`,
  );
  time += 120_000 + 600_000;
  await store.sweep();
  console.log(`after the last has expired and a sweep: ${megabytes().toFixed(1)} MB`);
  await store.close();
}
