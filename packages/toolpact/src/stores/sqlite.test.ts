import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkStore } from '@toolpact/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { schemaVersion } from './sqlite/sqlite-schema.ts';
import { sqliteTexts } from './sqlite/sqlite-statements.ts';
import { sqliteStore } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newPath = () => join(folder, `${randomUUID()}.db`);
const at = (key: string) => ({ space: 'test', tenant: 't', key });
const keysIn = (raw: DatabaseSync) =>
  raw
    .prepare('SELECT key FROM toolpact_records ORDER BY seq')
    .all()
    .map(({ key }) => key);
const record = (key: string, rest: object = {}) => ({ ...at(key), value: { v: 1 }, ...rest });

test.each(['full', 'normal'] as const)('keeps every promise of a store with durability %s', async (durability) => {
  const path = newPath();
  let time = 1_000_000;
  const now = () => time;
  const wait = async (ms: number) => {
    time += ms;
  };
  expect(await checkStore(() => sqliteStore({ path, durability, now }), { now, wait })).toEqual([]);
});

describe('writes of one turn of the event loop', () => {
  /** Opens a file in which a trigger refuses the key `bad` in one of SQLite's ways. */
  function withTrigger(how: 'ABORT' | 'FAIL' | 'ROLLBACK') {
    const path = newPath();
    const store = sqliteStore({ path });
    const raw = new DatabaseSync(path);
    raw.exec(
      `CREATE TRIGGER refuse BEFORE INSERT ON toolpact_records WHEN NEW.key = 'bad' BEGIN SELECT RAISE(${how}, 'not this one'); END`,
    );
    return { store, raw };
  }

  test('are one transaction', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    const raw = new DatabaseSync(path);
    const seen = () => raw.prepare('SELECT count(*) AS count FROM toolpact_records').get()?.count;
    const first = store.put(record('first'));
    const others = Array.from({ length: 99 }, async (_, index) => store.put(record(`${index}`)));
    expect(seen()).toBe(0);
    await first;
    // The first to be told already finds all others in the file.
    expect(seen()).toBe(100);
    await Promise.all(others);
    raw.close();
    await store.close();
  });

  test.each(['ABORT', 'FAIL', 'ROLLBACK'] as const)('succeed without the one that fails by %s', async (how) => {
    const { store, raw } = withTrigger(how);
    const keys = ['a', 'b', 'bad', 'c', 'd'];
    const results = await Promise.allSettled([...keys.map((key) => store.put(record(key), 0)), store.add(at('n'), 1, 60_000)]);
    expect(results.map((result) => (result.status === 'fulfilled' ? 'done' : String(result.reason.message)))).toEqual([
      'done',
      'done',
      'not this one',
      'done',
      'done',
      'done',
    ]);
    expect(keysIn(raw)).toEqual(['a', 'b', 'c', 'd']);
    expect(await store.add(at('n'), 0, 60_000)).toMatchObject({ count: 1 });
    raw.close();
    await store.close();
  });

  test('wait for another process, and are all rejected if it does not let go', async () => {
    const path = newPath();
    const store = sqliteStore({ path, busyMs: 100 });
    const raw = new DatabaseSync(path);
    raw.exec('BEGIN IMMEDIATE');
    await expect(Promise.all([store.put(record('a')), store.put(record('b'))])).rejects.toThrow('locked');
    const patient = sqliteStore({ path });
    const written = patient.put(record('c'));
    // Both have been refused the file at least once when the lock goes.
    await expect(store.put(record('d'))).rejects.toThrow('locked');
    raw.exec('ROLLBACK');
    expect(await written).toEqual({ ok: true, version: 1 });
    expect(keysIn(raw)).toEqual(['c']);
    for (const open of [store, patient]) await open.close();
    raw.close();
  });
});

describe('the file', () => {
  test.each([
    ['an older', schemaVersion - 1, 'and calls cannot be carried over. Give the store a new file or schema, or move the old one away.'],
    ['a newer', schemaVersion + 1, 'Update toolpact.'],
  ])('of %s version is refused, and not a byte of it changes', (version, seen, advice) => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE toolpact_meta (name TEXT PRIMARY KEY, value NUMERIC NOT NULL) WITHOUT ROWID');
    other.exec(`INSERT INTO toolpact_meta VALUES ('schema_version', ${seen})`);
    other.close();
    const before = readFileSync(path);
    const versions = `its schema is ${seen}, this version of toolpact needs ${schemaVersion}`;
    const refused = `cannot open ${path}: This database was written by ${version} version of toolpact: ${versions}`;
    expect(() => sqliteStore({ path })).toThrow(refused);
    expect(() => sqliteStore({ path })).toThrow(`${advice} Nothing in the database was changed`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(basename(path)))).toEqual([basename(path)]);
  });

  test('whose tables cannot be made has none of them', () => {
    const path = newPath();
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE toolpact_steps (of_another_program)');
    other.close();
    expect(() => sqliteStore({ path })).toThrow('table toolpact_steps already exists');
    const raw = new DatabaseSync(path);
    expect(raw.prepare('SELECT count(*) AS count FROM sqlite_schema').get()).toEqual({ count: 1 });
    raw.close();
  });

  test('stays bounded while records come and expire, and gives its room back when swept', async () => {
    const path = newPath();
    let time = 1_000_000;
    const store = sqliteStore({ path, durability: 'normal', now: () => time });
    const raw = new DatabaseSync(path);
    const held = () => Number(raw.prepare('SELECT count(*) AS count FROM toolpact_records').get()?.count);
    // Each lives for ten rounds.
    const [perRound, alive] = [50, 500];
    const sizes: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const keys = Array.from({ length: perRound }, (_, index) => `${round}-${index}`);
      await Promise.all(keys.map(async (key) => store.put(record(key, { value: 'x'.repeat(400), keepMs: 1000 }), 0)));
      await Promise.all(keys.map(async (key) => store.put(record(key, { value: 'y'.repeat(800), keepMs: 1000 }), 1)));
      await Promise.all(keys.map(async (key) => store.add(at(key), 1, 1000)));
      time += 100;
      expect(held()).toBeLessThanOrEqual(alive * 2 + 512);
      sizes.push(statSync(path).size);
    }
    expect(Math.max(...sizes.slice(100))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 100)) * 1.2);
    time += 1000;
    await store.sweep();
    expect(keysIn(raw)).toEqual([]);
    const empty = newPath();
    const other = sqliteStore({ path: empty });
    await other.sweep();
    expect(statSync(path).size).toBeLessThanOrEqual(statSync(empty).size + 20_000);
    await other.close();
    raw.close();
    await store.close();
  });

  test.each([
    [{ durability: 'Full' }, 'sqliteStore: durability must be "full" or "normal"'],
    [{ retentionMs: 0 }, 'sqliteStore: retentionMs must be a number above 0'],
    [{ retentionMs: '60000' }, 'retentionMs must be a number above 0'],
  ])('is not opened with %j', (options, message) => {
    expect(() => sqliteStore({ path: newPath(), ...(options as object) })).toThrow(message);
  });

  test('is refused at once where it cannot be made', () => {
    expect(() => sqliteStore({ path: join(folder, 'missing', 'file.db') })).toThrow('unable to open database file');
  });
});

describe('the file of a store', () => {
  test('and its logs can be read by their owner alone', async () => {
    const path = newPath();
    const store = sqliteStore({ path });
    await store.put(record('a'));
    expect(['', '-wal', '-shm'].map((suffix) => (statSync(`${path}${suffix}`).mode & 0o777).toString(8))).toEqual(['600', '600', '600']);
    await store.close();
  });

  test.each(['deleted', 'replaced'] as const)('that is %s while it is open is not written to any more', async (what) => {
    const path = newPath();
    const store = sqliteStore({ path });
    await store.put(record('a'));
    renameSync(path, `${path}.old`);
    const other = what === 'replaced' ? sqliteStore({ path }) : undefined;
    const refused = new RegExp(`was ${what}.* Restart this process`);
    await expect(store.put(record('b'), 0)).rejects.toThrow(refused);
    await expect(store.put(record('a'), 1)).rejects.toThrow(refused);
    await expect(store.add(at('n'), 1, 1000)).rejects.toThrow(refused);
    await other?.close();
    await store.close();
  });

  test('that cannot be read is named, with what to do', () => {
    const path = newPath();
    writeFileSync(path, 'this is no database, whatever its name says'.repeat(200));
    expect(() => sqliteStore({ path })).toThrow(`The SQLite store cannot open ${path}: file is not a database. Check that`);
  });
});

test('finds what a query asks for by an index, never by looking at everything', async () => {
  const path = newPath();
  await sqliteStore({ path }).close();
  const raw = new DatabaseSync(path);
  const plan = (text: string) =>
    raw
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail))
      .join('; ');
  for (const [name, text] of Object.entries(sqliteTexts)) expect(plan(text), name).not.toMatch(/SCAN toolpact|TEMP B-TREE/);
  raw.close();
});
