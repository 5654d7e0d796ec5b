import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../src/index.ts';
import { createCallFeed } from '../../src/internal.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-unreadable-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const note = defineTool({ name: 'note', description: 'Notes.', steps: true, run: () => 'noted' });
const pay = defineTool({ name: 'pay', description: 'Pays.', approval: true, run: () => 'paid' });

test.each([
  ['start', 'null', 'the column start of the row in toolpact_calls of the call a'],
  ['outcome', '5', 'the column outcome of the row in toolpact_calls of the call a'],
  ['outcome', '{"status":"ok"}', 'the store gave the call a with an outcome that cannot be read here'],
])('a call whose %s was made %s by hand says so, and hides no other', async (column, value, why) => {
  const path = join(folder, `${column}-${value.length}.db`);
  const store = sqliteStore({ path, durability: 'normal' });
  const { call, calls } = createToolbox([note], { store, report: () => undefined });
  for (const id of ['a', 'b']) await call('note', {}, { invocationId: id, runId: 'run', callId: id });
  await calls.list();
  const raw = new DatabaseSync(path);
  raw.prepare(`UPDATE toolpact_calls SET ${column} = ? WHERE id = 'a'`).run(value);
  raw.close();
  await expect(calls.get('a')).rejects.toThrow(why);
  expect((await calls.list({ text: 'noted' })).calls.map(({ id }) => id)).toEqual(['b']);
  expect(await calls.resume('run')).toMatchObject([
    { invocationId: 'a', how: 'interrupted', outcome: { error: { effect: 'unknown', message: expect.stringContaining(why) } } },
    { invocationId: 'b', how: 'recorded', outcome: { status: 'ok' } },
  ]);
  await store.close();
});

test('a call that cannot be read any more does not end a feed', async () => {
  const path = join(folder, 'feed.db');
  const store = sqliteStore({ path, durability: 'normal' });
  const { call, calls } = createToolbox([note, pay], { store, report: () => undefined });
  await call('pay', {}, { invocationId: 'a' });
  const now = Date.now();
  let time = now - 1000;
  const look = createCallFeed({ list: calls.list, get: calls.get, now: () => time }, { at: time });
  expect((await look()).changed.map(({ id }) => id)).toEqual(['a']);
  const raw = new DatabaseSync(path);
  raw.exec(`UPDATE toolpact_questions SET ask = 'null'`);
  raw.close();
  time = now + 60_000;
  await look();
  // By now the call is looked at by itself.
  expect(await look()).toMatchObject({ changed: [] });
  await store.close();
});
