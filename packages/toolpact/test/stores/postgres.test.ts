import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import { checkStore } from '../../../testing/src/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { postgresSchemaVersion } from '../../src/stores/postgres/postgres-schema.ts';
import { type PostgresStoreOptions, postgresStore } from '../../src/stores/postgres.ts';

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres({ settings: ['fsync=off', 'deadlock_timeout=50ms'] });
  pool = newPool();
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});
afterEach(() => void vi.useRealTimers());

const newPool = (config: pg.PoolConfig & { readonly options?: string } = {}) =>
  new pg.Pool({ ...server.address, max: 8, ...config }).on('error', () => {});
const newSchema = () => `s_${randomUUID()}`;
const at = (key: string) => ({ space: 'test', tenant: 't', key });
const record = (key: string, rest: object = {}) => ({ ...at(key), value: { v: 1 }, ...rest });
const keysIn = async (schema: string) =>
  (await pool.query(`SELECT key FROM "${schema}".toolpact_records ORDER BY key`)).rows.map(({ key }) => key);
const open = (options: Omit<PostgresStoreOptions, 'pool'> = {}) => postgresStore({ pool, schema: newSchema(), ...options });

describe('keeps every promise of a store', () => {
  const ways: readonly (readonly [title: string, open: () => () => ReturnType<typeof postgresStore>])[] = [
    [
      'with a pool of the caller',
      () => {
        const schema = newSchema();
        return () => postgresStore({ pool, schema });
      },
    ],
    [
      'with a pool of its own',
      () => {
        const schema = newSchema();
        return () => postgresStore({ connectionString: server.connectionString, schema });
      },
    ],
    [
      'under hostile names',
      () => {
        const names = { schema: `o'x"; DROP ${randomUUID()}`, prefix: `$1 '"` };
        return () => postgresStore({ pool, ...names });
      },
    ],
    [
      'where every transaction is serializable',
      () => {
        const schema = newSchema();
        const strict = newPool({ options: '-c default_transaction_isolation=serializable' });
        return () => postgresStore({ pool: strict, schema });
      },
    ],
    [
      'over a single connection',
      () => {
        const schema = newSchema();
        const narrow = newPool({ max: 1 });
        return () => postgresStore({ pool: narrow, schema });
      },
    ],
  ];
  test.each(ways)('%s', async (_, prepare) => {
    expect(await checkStore(prepare())).toEqual([]);
  });
});

test('needs a pool or a connection string, and not both', () => {
  expect(() => postgresStore({})).toThrow('postgresStore needs the URL of a server, or a pool.');
  expect(() => postgresStore({ pool, prefix: 'p'.repeat(41) })).toThrow('A schema has at most 63 bytes, a prefix at most 40.');
  expect(() => postgresStore({ pool, connectionString: server.connectionString })).toThrow(TypeError);
});

test('does not touch a record that is there already for a writer that would create it, alone or among others', async () => {
  const schema = newSchema();
  const store = open({ schema });
  const keys = ['a', 'b', 'c', 'd'];
  for (const key of keys.slice(0, 3)) await store.put(record(key), 0);
  expect(await store.put(record('a'), 0)).toMatchObject({ ok: false, current: { key: 'a', version: 1, value: { v: 1 } } });
  expect((await Promise.all(keys.map(async (key) => store.put(record(key), 0)))).map(({ ok }) => ok)).toEqual([false, false, false, true]);
  // Whoever locks a row or writes it leaves a mark.
  const { rows } = await pool.query(`SELECT key, xmax::text AS touched FROM "${schema}".toolpact_records ORDER BY key`);
  expect(rows).toEqual(keys.map((key) => ({ key, touched: '0' })));
  await store.close();
});

test('leaves a pool of the caller open and ends its own', async () => {
  await open().close();
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  const own = postgresStore({ connectionString: `${server.connectionString}?application_name=own`, schema: newSchema() });
  await own.put(record('a'));
  const connections = async () => (await pool.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'own'")).rows.length;
  expect(await connections()).toBeGreaterThan(0);
  await own.close();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
});

test('says what is missing where the package pg is not there', async () => {
  const store = fileURLToPath(new URL('../../src/stores/postgres.ts', import.meta.url));
  const code = `import { postgresStore } from ${JSON.stringify(store)};
    const store = postgresStore({ connectionString: 'postgres://127.0.0.1/none' });
    await store.get({ space: 's', tenant: 't', key: 'k' }).catch((error) => console.log(error.message));
    await store.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout).toBe('postgresStore needs the package pg: npm install pg\n');
});

describe('the schema', () => {
  const version = async (schema: string) =>
    (await pool.query(`SELECT value FROM "${schema}".toolpact_meta WHERE name = 'schema_version'`)).rows;

  test('is made once by eight that start at the same time', async () => {
    const pools = Array.from({ length: 8 }, () => newPool({ max: 2 }));
    // Once more with connections that are there already, because those come closer to each other.
    for (const schema of [newSchema(), newSchema(), newSchema()]) {
      const stores = pools.map((each) => postgresStore({ pool: each, schema }));
      const results = await Promise.all(stores.map(async (store) => store.put(record('a'), 0)));
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await version(schema)).toEqual([{ value: postgresSchemaVersion }]);
    }
    await Promise.all(pools.map((each) => each.end()));
  });

  test.each([
    ['an older', -1, 'and calls cannot be carried over. Give the store a new file or schema, or move the old one away.'],
    ['a newer', 1, 'Update toolpact.'],
  ])('of %s version is refused and stays as it is', async (which, distance, advice) => {
    const [schema, known] = [newSchema(), postgresSchemaVersion];
    await pool.query(`
      CREATE SCHEMA "${schema}"; CREATE TABLE "${schema}".toolpact_meta (name text PRIMARY KEY, value integer NOT NULL);
      INSERT INTO "${schema}".toolpact_meta VALUES ('schema_version', ${known + distance})`);
    await expect(postgresStore({ pool, schema }).get(at('a'))).rejects.toThrow(
      new RegExp(
        `^This database was written by ${which} version of toolpact: its schema is ${known + distance}, this version of toolpact needs ${known}[,.] ${advice} Nothing`,
      ),
    );
    expect(await version(schema)).toEqual([{ value: known + distance }]);
    const { rows } = await pool.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema]);
    expect(rows).toEqual([{ tablename: 'toolpact_meta' }]);
  });

  test('may be one that is there, by a user that may not make any', async () => {
    const schema = newSchema();
    await pool.query(`CREATE ROLE "${schema}" LOGIN PASSWORD 'guest'; CREATE SCHEMA "${schema}" AUTHORIZATION "${schema}"`);
    const guest = newPool({ user: schema, password: 'guest' });
    expect(await postgresStore({ pool: guest, schema }).put(record('a'), 0)).toEqual({ ok: true, version: 1 });
    await guest.end();
  });
});

describe('writes at the same time', () => {
  test('succeed without the one that fails', async () => {
    const schema = newSchema();
    const store = postgresStore({ pool, schema });
    await store.put(record('first'));
    await pool.query(`
      CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.key = 'bad' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON "${schema}".toolpact_records FOR EACH ROW EXECUTE FUNCTION "${schema}".refuse()`);
    const keys = ['a', 'b', 'bad', 'c', 'first'];
    const results = await Promise.allSettled(keys.map(async (key) => store.put(record(key))));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason.message)))).toEqual([
      { ok: true, version: 1 },
      { ok: true, version: 1 },
      'not this one',
      { ok: true, version: 1 },
      { ok: true, version: 2 },
    ]);
    expect(await keysIn(schema)).toEqual(['a', 'b', 'c', 'first']);
  });

  test('on the same records in opposite order wait for each other', async () => {
    const schema = newSchema();
    const [left, right] = [postgresStore({ pool, schema }), postgresStore({ pool: newPool(), schema })];
    const keys = Array.from({ length: 200 }, (_, index) => `${index}`);
    await Promise.all(keys.map(async (key) => left.put(record(key))));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([...keys.map(async (key) => left.put(record(key))), ...keys.toReversed().map((key) => right.put(record(key)))]);
    }
    const records = await Promise.all(keys.map((key) => left.get(at(key))));
    expect(records.map((each) => each?.version)).toEqual(keys.map(() => 21));
  });

  test('find the records that they remove by an index, also where the table was empty when they began', async () => {
    const schema = newSchema();
    const ownPool = newPool({ max: 1 });
    const store = postgresStore({ pool: ownPool, schema });
    for (let round = 0; round < 30; round += 1) {
      const keys = Array.from({ length: 200 }, (_, n) => `${round} ${n}`);
      await Promise.all(keys.map(async (key) => store.put(record(key))));
      await Promise.all(keys.slice(0, 2).map(async (key) => store.remove(at(key))));
    }
    await store.close();
    // A connection that ends hands in its counts.
    await ownPool.end();
    const { rows } = await pool.query('SELECT seq_tup_read::int AS seen FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = $2', [
      schema,
      'toolpact_records',
    ]);
    // Reading all of a small table is right; 30 times all of this one would be 90,000 rows.
    expect(rows[0].seen).toBeLessThan(30_000);
  });
});

test("the database's clock decides what has expired, not this machine's", async () => {
  const store = open();
  await store.put(record('a', { keepMs: 60_000 }));
  await store.add(at('n'), 1, 60_000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect(await store.get(at('a'))).toMatchObject({ version: 1 });
  expect(await store.put(record('a'), 0)).toMatchObject({ ok: false });
  expect(await store.add(at('n'), 1, 60_000)).toMatchObject({ count: 2 });
});

test('keeps no record longer than its retention', async () => {
  const store = open({ retentionMs: 60_000 });
  await store.put(record('stays'), 0);
  await store.put(record('short', { keepMs: 50_000 }));
  await store.put(record('stays'), 1);
  const [stays, short] = [await store.get(at('stays')), await store.get(at('short'))];
  expect(stays?.leftMs).toBeGreaterThan(50_000);
  expect(stays?.leftMs).toBeLessThanOrEqual(60_000);
  expect(short?.leftMs).toBeLessThanOrEqual(50_000);
});

test.each([
  ['alone', 0],
  ['among others', 5],
])('keeps the secret of the store for good, also where it is written %s', async (_, others) => {
  const store = open({ retentionMs: 60_000 });
  const secret = { ...at('s'), space: 'secret' };
  await Promise.all([
    ...Array.from({ length: others }, async (__, index) => store.put(record(`${index}`), 0)),
    store.put({ ...secret, value: 1 }, 0),
  ]);
  expect(await store.get(secret)).toEqual({ ...secret, value: 1, version: 1 });
});

test('finds what a query asks for by an index, never by looking at everything', async () => {
  const schema = newSchema();
  const store = postgresStore({ pool, schema });
  await Promise.all(
    Array.from({ length: 2000 }, async (_, index) =>
      store.put({
        space: `${index % 50}`,
        tenant: 't',
        key: `${index}`,
        value: 1,
        keepMs: 1e6 + index,
      }),
    ),
  );
  await pool.query(`ANALYZE "${schema}".toolpact_records`);
  const plan = async (text: string) => JSON.stringify((await pool.query(`EXPLAIN ${text}`)).rows);
  const records = `"${schema}".toolpact_records`;
  expect(await plan(`SELECT * FROM ${records} WHERE id = sha256('a')`)).toMatch(/toolpact_records_pkey/);
  expect(await plan(`SELECT * FROM ${records} WHERE expires_at <= 5`)).toMatch(/toolpact_records_expiry/);
});

test('lists calls of several tools and statuses in order of time, page by page', async () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'Works or fails.',
      input: z.object({ n: z.number() }),
      effects: 'none',
      run: ({ n }) => n % 2 === 1 || Promise.reject(new TypeError('odd')),
    });
  const box = createToolbox([tool('a'), tool('b'), tool('c')], { store: open(), report: () => undefined });
  // Of calls of one millisecond their ids decide.
  const idOf = (n: number) => `call ${String(n).padStart(2, '0')}`;
  for (let n = 0; n < 12; n += 1) await box.call('abc'[n % 3] ?? 'a', { n }, { invocationId: idOf(n) });
  // Nobody waits for the rows of calls to which nothing was promised.
  await expect.poll(async () => (await box.calls.list({ status: ['ok', 'error'], limit: 20 })).calls).toHaveLength(12);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await box.calls.list({ tool: ['a', 'c'], status: ['ok', 'error'], limit: 3, cursor });
    seen.push(...page.calls.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(seen).toEqual([11, 9, 8, 6, 5, 3, 2, 0].map(idOf));
});

test('goes on after the server was restarted, and loses nothing that was acknowledged', async () => {
  const schema = newSchema();
  const store = postgresStore({ connectionString: server.connectionString, schema, reconnectMs: 30_000 });
  const acknowledged: string[] = [];
  let [isOver, refused] = [false, 0];
  const writer = async (name: string) => {
    for (let count = 0; !isOver; count += 1) {
      const key = `${name}-${count}`;
      await Promise.resolve(store.put(record(key), 0)).then(
        () => acknowledged.push(key),
        () => {
          refused += 1;
        },
      );
    }
  };
  const writers = Promise.all(['a', 'b', 'c', 'd'].map(writer));
  for (const how of ['in order', 'crash'] as const) {
    const before = acknowledged.length;
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
    await server.stop(how);
    // A read that comes while the server is away waits for it.
    const waiting = store.get(at('a-0'));
    await server.start();
    expect(await waiting).toMatchObject({ version: 1 });
  }
  const before = acknowledged.length;
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20));
  isOver = true;
  await writers;
  // Only what was sent over a connection that broke, of which each of the two times there were ten at most: nobody can tell what became of it.
  expect(refused).toBeLessThanOrEqual(2 * 10 * 4);
  const stored = new Set(await keysIn(schema));
  expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
  await store.close();
});

test('says that its first connection is being made, from the first question to the moment at which it stands', async () => {
  const store = open();
  expect(store.opening?.()).toBeUndefined();
  const answer = store.get(at('a'));
  const opening = store.opening?.();
  expect(opening).toBeInstanceOf(Promise);
  await opening;
  expect(store.opening?.()).toBeUndefined();
  await answer;
  await store.close();
});

test('says so when the server is not there, and works once it is', async () => {
  const store = open({ reconnectMs: 50 });
  await server.stop('in order');
  await expect(store.get(at('a'))).rejects.toThrow('ECONNREFUSED');
  expect(store.trouble?.()).toMatchObject({ code: 'ECONNREFUSED' });
  expect(store.opening?.()).toBeUndefined();
  await server.start();
  expect(await store.get(at('a'))).toBeUndefined();
  expect(store.trouble?.()).toBeUndefined();
});
