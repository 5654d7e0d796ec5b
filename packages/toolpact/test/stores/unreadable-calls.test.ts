import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { noTenant } from '../../src/extend.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { createCallFeed } from '../../src/internal.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-unreadable-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.useRealTimers());

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
  const { call } = createToolbox([note, pay], { store, report: () => undefined });
  vi.useFakeTimers({ toFake: ['Date'], now: 1_900_000_000_000 });
  await call('pay', {}, { invocationId: 'a' });
  vi.setSystemTime(Date.now() + 60_000);
  // The call began long ago: from the second look on it is looked at by itself.
  const { look, close } = createCallFeed({ store, tenant: noTenant });
  await look();
  const raw = new DatabaseSync(path);
  raw.exec(`UPDATE toolpact_questions SET ask = 'null'`);
  raw.close();
  expect(await look()).toMatchObject({ changed: [] });
  close();
  await store.close();
});

describe('a call that sleeps, and of which a step was edited by hand', () => {
  const sleeper = (done: string[]) =>
    defineTool({
      name: 'order',
      description: 'Orders.',
      idempotency: {},
      steps: true,
      async run(_, ctx) {
        await ctx.step('charge', () => done.push('charge'));
        await ctx.sleep(60_000);
        await ctx.step('ship', () => done.push('ship'));
      },
    });

  test('says so too where it is cancelled', async () => {
    const path = join(folder, 'cancelled.db');
    const store = sqliteStore({ path, durability: 'normal' });
    const { call, calls } = createToolbox([sleeper([])], { store, report: () => undefined });
    await call('order', {}, { invocationId: 'a', idempotencyKey: 'k' });
    const raw = new DatabaseSync(path);
    raw.exec(`UPDATE toolpact_steps SET record = '{}' WHERE name = 'charge'`);
    raw.close();
    expect(await calls.cancel('a')).toBe(true);
    expect(await calls.get('a')).toMatchObject({ outcome: { error: { kind: 'cancelled', effect: 'unknown' } } });
    await store.close();
  });

  test.each([
    ['{}', 'interrupted', 'order cannot go on: the store gave the step "charge" in a form that cannot be read here.'],
    ['{oops', 'interrupted', 'the column record of the row in toolpact_steps of the call a'],
  ])('to %s is not said to have done nothing, and not run again', async (record, kind, why) => {
    const path = join(folder, `step-${record.length}.db`);
    const done: string[] = [];
    const stores = [sqliteStore({ path, durability: 'normal' }), sqliteStore({ path, durability: 'normal' })] as const;
    const [first, second] = stores.map((store) => createToolbox([sleeper(done)], { store, report: () => undefined }));
    await first?.call('order', {}, { invocationId: 'a', runId: 'run', idempotencyKey: 'k' });
    await stores[0].close();
    const raw = new DatabaseSync(path);
    raw.prepare('UPDATE toolpact_steps SET record = ?').run(record);
    raw.exec('UPDATE toolpact_calls SET wake_at = 0');
    raw.close();
    expect(await second?.calls.resume('run')).toMatchObject([
      { invocationId: 'a', outcome: { error: { kind, effect: 'unknown', message: expect.stringContaining(why) } } },
    ]);
    expect(await second?.call('order', {}, { idempotencyKey: 'k' })).not.toMatchObject({ status: 'ok' });
    expect(done).toEqual(['charge']);
    await stores[1].close();
  });
});

test('a grant that was edited by hand hides no other', async () => {
  const path = join(folder, 'grants.db');
  const store = sqliteStore({ path, durability: 'normal' });
  const { call, approvals } = createToolbox([pay], { store, report: () => undefined });
  for (const id of ['a', 'b']) {
    await call('pay', {}, { invocationId: id, runId: id });
    await approvals.decide(id, 'approve', { grant: { for: 'run' } });
  }
  const raw = new DatabaseSync(path);
  raw.exec(`UPDATE toolpact_grants SET permit = '{}' WHERE seq = 1`);
  raw.close();
  expect(await approvals.grants.list()).toMatchObject([{ runId: 'b' }]);
  await store.close();
});
