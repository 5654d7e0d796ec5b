import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createToolbox, defineTool } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { z } from 'zod';

/** Something that claims a key and completes it, and reads one that is complete, alone or many at once. */
export interface Ledger {
  readonly name: string;
  /** Does the same work by hand. */
  readonly base?: string;
  /** The most it may take of what its base takes. */
  readonly most?: number;
  /** Makes a claim of its own and completes it. */
  readonly write: (key?: string) => unknown;
  /** The same for many keys at once, where that is not just all of them started together. */
  readonly writeMany?: (keys: readonly string[]) => unknown;
  readonly read: (key: string) => unknown;
}

/** The part of a pool of the `pg` package that is used here. */
export interface RawPool {
  readonly on: (event: 'error', listener: () => void) => RawPool;
  readonly query: (query: {
    text: string;
    name?: string;
    values?: unknown[];
  }) => Promise<{ readonly rows: readonly { value: string }[]; readonly rowCount: number }>;
}

const hour = 3_600_000;
const input = z.object({ order: z.string(), amount: z.number() });

// The rows of a guarded call, so that all write the same.
const claimed = {
  v: 1,
  state: 'running',
  owner: `${randomUUID()}/1`,
  leaseMs: 10_000,
  fields: { order: 'f'.repeat(32), amount: 'f'.repeat(32) },
};
const meta = { tool: 'pay', invocationId: randomUUID(), traceId: 'f'.repeat(32), tookMs: 0.25, attempts: 1 };
const started = () => ({ ...claimed, writtenAt: Date.now() });
const finished = () => ({ ...started(), state: 'done', outcome: { status: 'ok', data: { receipt: 'r-4711' }, meta } });
const [startedText, finishedText] = [() => JSON.stringify(started()), () => JSON.stringify(finished())];

/** The least that does the same in SQLite: one table, two statements; many at once share a transaction. */
export function sqliteByHand(name: string, path: string, durability: 'full' | 'normal'): Ledger {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}`);
  db.exec('CREATE TABLE claims (key TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, expires_at INTEGER)');
  const insert = db.prepare('INSERT INTO claims VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING');
  const update = db.prepare('UPDATE claims SET value = ?, version = 2, expires_at = ? WHERE key = ? AND version = 1');
  const select = db.prepare('SELECT value, version FROM claims WHERE key = ? AND expires_at > ?');
  const claim = (key: string) => insert.run(key, startedText(), Date.now() + hour);
  const complete = (key: string) => update.run(finishedText(), Date.now() + hour, key).changes;
  return {
    name,
    write(key = randomUUID()) {
      claim(key);
      return complete(key);
    },
    writeMany(keys) {
      for (const step of [claim, complete]) {
        db.exec('BEGIN IMMEDIATE');
        keys.forEach(step);
        db.exec('COMMIT');
      }
      return keys;
    },
    read: (key) => JSON.parse(String(select.get(key, Date.now())?.value)),
  };
}

/** The same in PostgreSQL: prepared statements, one round trip each, as many at once as there are connections. */
export async function postgresByHand(name: string, pool: RawPool): Promise<Ledger> {
  await pool.query({
    text: 'CREATE TABLE claims (key text PRIMARY KEY, value text NOT NULL, version integer NOT NULL, expires_at float8)',
  });
  const insert = 'INSERT INTO claims VALUES ($1, $2, 1, $3) ON CONFLICT DO NOTHING';
  const update = 'UPDATE claims SET value = $1, version = 2, expires_at = $2 WHERE key = $3 AND version = 1';
  const select = 'SELECT value, version FROM claims WHERE key = $1 AND expires_at > $2';
  return {
    name,
    async write(key = randomUUID()) {
      await pool.query({ name: 'insert', text: insert, values: [key, startedText(), Date.now() + hour] });
      return (await pool.query({ name: 'update', text: update, values: [finishedText(), Date.now() + hour, key] })).rowCount;
    },
    read: async (key) => JSON.parse((await pool.query({ name: 'select', text: select, values: [key, Date.now()] })).rows[0]?.value ?? ''),
  };
}

/** A store through its port. */
export function storeAlone(name: string, store: Store): Ledger {
  const at = (key: string) => ({ space: 'claim', tenant: 'acme', key });
  return {
    name,
    async write(key = randomUUID()) {
      await store.put({ ...at(key), value: started(), keepMs: hour }, 0);
      const result = await store.put({ ...at(key), value: finished(), keepMs: hour }, 1);
      return result.ok ? result : undefined;
    },
    read: (key) => store.get(at(key)),
  };
}

/** Calls of a tool with a key; reading is calling again. */
export function idempotentCalls(name: string, store: Store): Ledger {
  const box = payingBox(store, () => undefined);
  const call = async (order: string) => {
    const outcome = await box.call('pay', { order, amount: 42 });
    return outcome.status === 'ok' && outcome.meta.warnings === undefined ? outcome : undefined;
  };
  return {
    name,
    write: (key = randomUUID()) => call(key),
    read: async (key) => ((await call(key))?.meta.replayed === true ? true : undefined),
  };
}

/** How calls are remembered. */
export interface PayingBoxOptions {
  readonly ttlMs?: number;
  /** Whether calls are listed. */
  readonly isListed?: boolean;
}

/** A toolbox with one tool that pays each order once. */
export function payingBox(store: Store, onRun: () => void, { ttlMs = hour, isListed = true }: PayingBoxOptions = {}) {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    idempotency: { key: ({ order }) => order },
    run: () => {
      onRun();
      return { receipt: 'r-4711' };
    },
  });
  return createToolbox([pay], { store, calls: { keepMs: ttlMs, list: isListed }, report: () => undefined });
}
