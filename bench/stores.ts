// Stores next to the same work by hand; alone: node bench/stores.ts [--only <word>] [--rounds <n>] [--bounded <calls>]
import './resolve-peers.ts';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import type { Store } from '../src/core/runtime/index.ts';
import { memoryStore } from '../src/parts/stores/memory.ts';
import type { PgPool } from '../src/parts/stores/pg-pool.ts';
import { postgresStore } from '../src/parts/stores/postgres.ts';
import { sqliteStore } from '../src/parts/stores/sqlite.ts';
import { startPostgres } from '../test/start-postgres.ts';
import type { Contestant } from './contestant.ts';
import type { Finding } from './finding.ts';
import { timeRounds } from './time-rounds.ts';
import { toTable } from './to-table.ts';

const inFlight = 64;
const poolSize = 8;
const hour = 3_600_000;
/** Four fifths of what can be done by hand. */
const most = { ratio: 1.25 };

const started = { v: 1, state: 'running', fingerprint: 'f'.repeat(64), owner: 'a1b2c3' };
const finished = {
  ...started,
  state: 'done',
  outcome: { status: 'ok', data: { answer: 'Hi there!' }, meta: { tookMs: 41.7, attempts: 1 } },
};
const [startedText, finishedText] = [JSON.stringify(started), JSON.stringify(finished)];

/** Claims a key and completes it, one at a time or many at once, and reads it. */
interface Ledger {
  readonly name: string;
  readonly base?: string;
  readonly one: () => unknown;
  readonly many: () => unknown;
  readonly read: () => unknown;
  readonly readMany: () => unknown;
}

type Part = 'one' | 'many' | 'read' | 'readMany';
const parts: readonly (readonly [title: string, part: Part])[] = [
  ['Claim and complete, one at a time', 'one'],
  [`Claim and complete, ${inFlight} at once`, 'many'],
  ['Read, one at a time', 'read'],
  [`Read, ${inFlight} at once`, 'readMany'],
];

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '8' }, bounded: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'toolpact-stores-'));
try {
  if (options.bounded === undefined) await compare();
  else await watchSize(Number(options.bounded));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

async function compare(): Promise<void> {
  const server = 'postgres'.includes(options.only) ? await startPostgres({ settings: [] }) : undefined;
  try {
    const ledgers: Ledger[] = [ledgerOf('memory', memoryStore({ maxRecords: 10_000_000, maxCharacters: 1e10 }))];
    for (const durability of ['full', 'normal'] as const) {
      const base = `node:sqlite, ${durability}`;
      ledgers.push(rawSqlite(base, durability));
      ledgers.push({ ...ledgerOf(`sqlite, ${durability}`, sqliteStore({ path: join(folder, `${durability}.db`), durability })), base });
    }
    if (server) {
      const packageName = 'pg';
      const { default: pg } = (await import(packageName)) as { default: { Pool: new (config: object) => RawPool } };
      const newPool = () => new pg.Pool({ ...server.address, max: poolSize }).on('error', () => undefined);
      ledgers.push(await rawPostgres('pg', newPool()));
      ledgers.push({ ...ledgerOf('postgres', postgresStore({ pool: newPool() as unknown as PgPool })), base: 'pg' });
    }
    const chosen = ledgers.filter(({ name, base }) => `${name} ${base ?? ''}`.includes(options.only));
    for (const [title, part] of parts)
      await time(
        title,
        chosen.map((ledger) => toContestant(ledger, part)),
      );
  } finally {
    await server?.remove();
  }
}

function toContestant(ledger: Ledger, part: Part): Contestant {
  const { name, base } = ledger;
  return { name, call: ledger[part], isRight: (value) => value !== undefined, ...(base && { base, atMost: most }) };
}

async function time(title: string, contestants: readonly Contestant[]): Promise<void> {
  const rounds = Number(options.rounds);
  const timings = await timeRounds(contestants, { rounds, roundMs: 50, warmUpMs: 200 }, () => undefined);
  const findings = contestants.map(({ name, base, atMost }): Finding => {
    const { best = Number.NaN, median = Number.NaN } = timings.get(name) ?? {};
    const bare = base === undefined ? undefined : timings.get(base);
    if (bare === undefined || atMost === undefined) return { name, best, median };
    const medianRatio = median / bare.median;
    return { name, best, median, ratio: best / bare.best, medianRatio, target: `≤ ${most.ratio} ×`, met: medianRatio <= most.ratio };
  });
  console.log(`${toTable([{ title, findings }])}\n`);
}

/** One store through its port. */
function ledgerOf(name: string, store: Store): Ledger {
  const at = (key: string) => ({ space: 'claim', tenant: 'acme', key });
  const one = async (key: string = randomUUID()) => {
    await store.put({ ...at(key), value: started, expiresAt: Date.now() + hour }, 0);
    const result = await store.put({ ...at(key), value: finished, expiresAt: Date.now() + hour }, 1);
    return result.ok ? result : undefined;
  };
  const known = one('known');
  const read = async () => (await known) && store.get(at('known'));
  return {
    name,
    one: () => one(),
    many: () => Promise.all(Array.from({ length: inFlight }, () => one())),
    read,
    readMany: () => Promise.all(Array.from({ length: inFlight }, read)),
  };
}

/** The least that does the same: one table, two statements; many at once share a transaction. */
function rawSqlite(name: string, durability: 'full' | 'normal'): Ledger {
  const db = new DatabaseSync(join(folder, `raw-${durability}.db`));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}`);
  db.exec('CREATE TABLE claims (key TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, expires_at INTEGER)');
  const insert = db.prepare('INSERT INTO claims VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const update = db.prepare('UPDATE claims SET value = ?, version = 2, expires_at = ? WHERE key = ? AND version = 1');
  const select = db.prepare('SELECT value, version FROM claims WHERE key = ? AND expires_at > ?');
  const claim = (key: string) => insert.run(key, JSON.stringify(started), Date.now() + hour);
  const complete = (key: string) => update.run(JSON.stringify(finished), Date.now() + hour, key).changes;
  claim('known');
  complete('known');
  const read = () => JSON.parse(String(select.get('known', Date.now())?.value));
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
    read,
    readMany: () => Array.from({ length: inFlight }, read),
  };
}

interface RawPool extends Omit<PgPool, 'query'> {
  readonly on: (event: 'error', listener: () => void) => RawPool;
  readonly query: (query: {
    text: string;
    name?: string;
    values?: unknown[];
  }) => Promise<{ rows: readonly { value: string }[]; rowCount: number }>;
}

/** The same by hand: prepared statements, one round trip each, as many at once as there are connections. */
async function rawPostgres(name: string, pool: RawPool): Promise<Ledger> {
  await pool.query({
    text: 'CREATE TABLE claims (key text PRIMARY KEY, value text NOT NULL, version integer NOT NULL, expires_at float8)',
  });
  const insert = 'INSERT INTO claims VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING';
  const update = 'UPDATE claims SET value = $1, version = 2, expires_at = $2 WHERE key = $3 AND version = 1';
  const select = 'SELECT value, version FROM claims WHERE key = $1 AND expires_at > $2';
  const one = async (key: string = randomUUID()) => {
    await pool.query({ name: 'insert', text: insert, values: [key, startedText, Date.now() + hour] });
    return (await pool.query({ name: 'update', text: update, values: [finishedText, Date.now() + hour, key] })).rowCount;
  };
  await one('known');
  const read = async () =>
    JSON.parse((await pool.query({ name: 'select', text: select, values: ['known', Date.now()] })).rows[0]?.value ?? 'null');
  return {
    name,
    one: () => one(),
    many: () => Promise.all(Array.from({ length: inFlight }, () => one())),
    read,
    readMany: () => Promise.all(Array.from({ length: inFlight }, read)),
  };
}

/** Makes an hour's worth of calls whose records live for a minute of it, and tells how large the file is meanwhile. */
async function watchSize(calls: number): Promise<void> {
  const path = join(folder, 'bounded.db');
  let now = 1_800_000_000_000;
  const store = sqliteStore({ path, durability: 'normal', now: () => now });
  const [stepMs, startedAt] = [(inFlight * hour) / calls, performance.now()];
  const megabytes = () => ((statSync(path).size + statSync(`${path}-wal`).size) / 1e6).toFixed(1);
  for (let done = 0, told = 0; done < calls; done += inFlight) {
    const keys = Array.from({ length: inFlight }, () => ({ space: 'claim', tenant: 'acme', key: randomUUID(), expiresAt: now + 60_000 }));
    await Promise.all(keys.map((at) => store.put({ ...at, value: started }, 0)));
    await Promise.all(keys.map((at) => store.put({ ...at, value: finished }, 1)));
    now += stepMs;
    if (done < told) continue;
    told += calls / 20;
    console.log(`${done.toLocaleString('en').padStart(10)} calls: ${megabytes()} MB`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${calls.toLocaleString('en').padStart(10)} calls: ${megabytes()} MB, ${Math.round(calls / seconds).toLocaleString('en')} calls/s`,
  );
  now += 60_000;
  await store.sweep();
  console.log(`after the last has expired and a sweep: ${megabytes()} MB`);
  await store.close();
}
