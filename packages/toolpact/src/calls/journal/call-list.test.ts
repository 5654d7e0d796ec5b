import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { noTenant } from '../../contract/index.ts';
import type { EventOf } from '../../events/index.ts';
import { retry } from '../../guards/retry.ts';
import { fail, type Outcome } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { approvals } from '../approvals/approvals.ts';
import { idempotency } from '../idempotency/idempotency.ts';
import { defer } from '../waits/defer.ts';
import type { CallFilter, CallPage } from './call-list.ts';
import { journal } from './journal.ts';
import { endIndex, startIndex, toRunning } from './listed-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: readonly (readonly [name: string, open: () => Store])[] = [
  ['memory', () => memoryStore()],
  ['sqlite', () => sqliteStore({ path: join(folder, `${randomUUID()}.db`), durability: 'normal' })],
];
const report = () => undefined;
const input = z.object({ id: z.string() });

const add = defineTool({ name: 'add', description: 'Adds.', input, effects: 'none', run: ({ id }) => `added ${id}` });
const lose = defineTool({
  name: 'lose',
  description: 'Fails.',
  input,
  effects: 'none',
  run: ({ id }) => fail(id.startsWith('slow') ? 'timeout' : 'not_found', `nothing at ${id}`),
});
const hang = defineTool({ name: 'hang', description: 'Hangs.', input, effects: 'none', run: () => new Promise<string>(() => undefined) });

const boxOn = (store: Store) => createToolbox([add, lose, hang], { use: [journal({ store })], report });

async function listAll(list: (filter: CallFilter) => Promise<CallPage>, filter: CallFilter) {
  const pages: CallPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...filter, ...(cursor !== undefined && { cursor }) });
    pages.push(page);
    cursor = page.next;
  } while (cursor !== undefined);
  return pages.flatMap(({ calls }) => calls);
}

describe.each(stores)('calls on %s', (_, open) => {
  async function filled() {
    const store = open();
    const box = boxOn(store);
    for (const [tool, id, runId] of [
      ['add', 'one', 'run_1'],
      ['lose', 'slow two', 'run_1'],
      ['add', 'three Kyoto', 'run_2'],
      ['lose', 'four', 'run_2'],
      ['lose', 'slow five', 'run_2'],
    ] as const)
      await box.call(tool, { id }, { runId, invocationId: id });
    void box.call('hang', { id: 'six' }, { runId: 'run_1', invocationId: 'six' });
    await box.call('add', { id: 'other' }, { tenantId: 'other', invocationId: 'other' });
    return { store, box };
  }

  const all = ['six', 'slow five', 'four', 'three Kyoto', 'slow two', 'one'];
  test.each<[string, CallFilter, string[]]>([
    ['no filter', {}, all],
    ['a tool', { tool: 'lose' }, ['slow five', 'four', 'slow two']],
    ['a status', { status: 'ok' }, ['three Kyoto', 'one']],
    ['calls that run', { status: 'running' }, ['six']],
    ['a kind', { kind: 'timeout' }, ['slow five', 'slow two']],
    ['a kind and a tool', { kind: 'timeout', tool: 'add' }, []],
    ['a kind that its status cannot have', { kind: 'timeout', status: 'ok' }, []],
    ['a run', { runId: 'run_1' }, ['six', 'slow two', 'one']],
    ['a run and a status', { runId: 'run_1', status: 'error' }, ['slow two']],
    ['several tools', { tool: ['lose', 'hang'] }, ['six', 'slow five', 'four', 'slow two']],
    ['several statuses', { status: ['error', 'ok'] }, ['slow five', 'four', 'three Kyoto', 'slow two', 'one']],
    ['several statuses, with calls that run', { status: ['ok', 'running'] }, ['six', 'three Kyoto', 'one']],
    ['several kinds', { kind: ['timeout', 'unreachable', 'internal'] }, ['slow five', 'slow two']],
    ['several kinds and tools', { kind: ['timeout', 'not_found'], tool: ['lose', 'add'] }, ['slow five', 'four', 'slow two']],
    ['several of all', { status: ['error', 'ok'], tool: ['lose', 'add'], text: 'slow' }, ['slow five', 'slow two']],
    ['many tools', { tool: ['lose', ...Array.from({ length: 40 }, (_, index) => `t${index}`)] }, ['slow five', 'four', 'slow two']],
    [
      'many tools and a status',
      { status: ['ok', 'error'], tool: ['add', ...Array.from({ length: 40 }, (_, index) => `t${index}`)] },
      ['three Kyoto', 'one'],
    ],
    ['a run and several statuses', { runId: 'run_1', status: ['error', 'ok'] }, ['slow two', 'one']],
    ['an empty list, which asks for nothing', { kind: [] }, all],
    ['a tenant', { tenantId: 'other' }, ['other']],
    ['text of arguments, in any case', { text: 'KYOTO' }, ['three Kyoto']],
    ['text of a result', { text: 'added one' }, ['one']],
    ['the marks of JSON, which are no text of a call', { text: '"' }, []],
    ['the name of a field of the record, which is none either', { text: 'begunAt' }, []],
    ['text and a tool', { text: 'slow', tool: 'lose' }, ['slow five', 'slow two']],
    ['a time to come', { since: Date.now() + 1_000_000 }, []],
    ['a time long ago', { until: '2001-01-01T00:00:00Z' }, []],
  ])('are listed by %s, newest first, whole or page by page', async (_what, filter, ids) => {
    const { box } = await filled();
    for (const limit of [50, 2, 1]) expect((await listAll(box.calls, { ...filter, limit })).map(({ id }) => id)).toEqual(ids);
  });

  test('keep their place while others are made', async () => {
    const { box } = await filled();
    const first = await box.calls({ limit: 2 });
    await box.call('add', { id: 'newer' }, { invocationId: 'newer' });
    const rest = await listAll(box.calls, { limit: 2, ...(first.next !== undefined && { cursor: first.next }) });
    expect([...first.calls, ...rest].map(({ id }) => id)).toEqual(all);
  });

  test('a cursor of another filter is refused', async () => {
    const { box } = await filled();
    const { next } = await box.calls({ status: ['ok', 'error'], limit: 1 });
    for (const filter of [{ kind: ['timeout', 'internal', 'upstream'] }, { status: 'ok' }] satisfies CallFilter[])
      await expect(box.calls({ ...filter, cursor: next })).rejects.toMatchObject({ code: 'invalid_argument' });
    const many = '9'.repeat(400);
    for (const cursor of ['%E0%A4%A,1_1', `${many},,-,-`, `5,,5_${many},-`, '5,%ZZ,-,-', ',', ''])
      await expect(box.calls({ status: ['ok', 'error'], cursor })).rejects.toMatchObject({ code: 'invalid_argument' });
    for (const cursor of [`5_${many}`, `${many}_5`, '-1_1', '1_', ''])
      await expect(box.calls({ cursor })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('of another tenant are not listed', async () => {
    const { box } = await filled();
    expect((await box.with({ tenantId: 'other' }).calls()).calls.map(({ id }) => id)).toEqual(['other']);
    expect((await box.with({ tenantId: 'third' }).calls()).calls).toEqual([]);
  });

  test('show how each one ended', async () => {
    const { box } = await filled();
    const { calls } = await box.calls({ runId: 'run_2', limit: 1 });
    expect(calls).toEqual([
      {
        id: 'slow five',
        tool: 'lose',
        status: 'error',
        kind: 'timeout',
        recovery: 'wait',
        retryable: true,
        effect: 'none',
        preview: 'id: slow five',
        message: 'nothing at slow five',
        begunAt: expect.stringMatching(/^\d{4}-.*Z$/),
        endedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        tookMs: expect.any(Number),
        attempts: 1,
        tenantId: '00000000-0000-0000-0000-000000000000',
        runId: 'run_2',
        traceId: expect.any(String),
      },
    ]);
  });
});

test('what one call did is kept: guards, attempts, steps, progress, and what the model read', async () => {
  const store = memoryStore();
  let tries = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    effects: 'writes',
    steps: true,
    async run({ id }, ctx) {
      ctx.progress({ message: 'half', done: 1, total: 2 });
      await ctx.step('charge', () => 7);
      tries += 1;
      if (tries === 1) throw fail('unreachable', 'Down.');
      return `paid ${id}`;
    },
  });
  const box = createToolbox([pay], { use: [journal({ store }), idempotency({ store }), retry({ attempts: 2, baseMs: 1 })], report });
  await box.call('pay', { id: 'a' }, { invocationId: 'first', idempotencyKey: 'k' });
  await box.call('pay', { id: 'a' }, { invocationId: 'second', idempotencyKey: 'k' });
  await box.call('pay', { id: 'b' }, { invocationId: 'third', idempotencyKey: 'l' });
  const idsBy = async (filter: CallFilter) => (await box.calls(filter)).calls.map(({ id }) => id);
  expect(await idsBy({ key: 'k' })).toEqual(['second', 'first']);
  expect(await idsBy({ key: 'k', status: 'error' })).toEqual([]);
  expect(await idsBy({ replayOf: 'first' })).toEqual(['second']);
  expect(await idsBy({ replayOf: 'third' })).toEqual([]);
  const first = await box.findCall('first');
  expect(first).toMatchObject({
    status: 'ok',
    key: 'k',
    attempts: 2,
    input: { id: 'a' },
    modelText: 'paid a',
    outcome: { data: 'paid a' },
  });
  expect(first?.trace?.guards.map(({ guard, did }) => [guard, did])).toEqual([
    ['idempotency', 'passed'],
    ['retry', 'passed'],
  ]);
  expect(first?.trace?.attempts.map(({ status, kind, message }) => [status, kind, message])).toEqual([
    ['error', 'unreachable', 'Down.'],
    ['ok', undefined, undefined],
  ]);
  expect(first?.trace?.steps).toMatchObject([{ step: 'charge' }]);
  expect(first?.trace?.progress).toMatchObject([
    { message: 'half', done: 1, total: 2 },
    { message: 'half', done: 1, total: 2 },
  ]);
  const second = await box.findCall('second');
  expect(second).toMatchObject({ replayOf: 'first', trace: { guards: [{ guard: 'idempotency', did: 'answered' }], attempts: [] } });
});

test('a call that waited is listed as it ended: one that was approved, and one that joined another', async () => {
  const store = memoryStore();
  const end = Promise.withResolvers<string>();
  const erase = defineTool({ name: 'erase', description: 'Erases.', approval: true, run: () => 'gone' });
  const crawl = defineTool({ name: 'crawl', description: 'Crawls.', effects: 'none', deferAfterMs: 1, run: () => end.promise });
  const box = createToolbox([erase, crawl], { use: [journal({ store }), approvals({ store }), defer({ store })], report });
  const asked = await box.call('erase', {}, { invocationId: 'asked', runId: 'r' });
  await box.call('crawl', {}, { invocationId: 'first', runId: 'r' });
  const joined = await box.call('crawl', {}, { invocationId: 'joined', runId: 'r' });
  const idsBy = async (status: CallFilter['status']) => (await box.calls({ status })).calls.map(({ id }) => id);
  expect(await idsBy('pending')).toEqual(['joined', 'asked']);
  await box.decide(asked.status === 'pending' ? asked.pending.handle : '', 'approve');
  await box.call('erase', {}, { invocationId: 'ran', runId: 'r' });
  end.resolve('4 pages');
  await box.wait(joined.status === 'pending' ? joined.pending.handle : '');
  await vi.waitFor(async () => expect(await idsBy(['pending', 'running'])).toEqual([]), 60_000);
  const { calls } = await box.calls();
  expect(calls.map(({ id, status, handle }) => [id, status, handle])).toEqual(
    ['ran', 'joined', 'first', 'asked'].map((id) => [id, 'ok', undefined]),
  );
});

test.each(['50% off', 'a_b', '"quoted" and \'single\'', 'back\\slash', 'two\nlines', '{"s":', 'ÄÖ'])(
  'text is found as it is: %j',
  async (text) => {
    const box = boxOn(memoryStore());
    await box.call('add', { id: `before ${text} after` }, { invocationId: 'with' });
    await box.call('add', { id: '50 off axb quoted single backslash two lines s ao' }, { invocationId: 'without' });
    expect((await box.calls({ text: text.toLowerCase() })).calls.map(({ id }) => id)).toEqual(['with']);
  },
);

test('a call whose process is gone is marked', async () => {
  const store = memoryStore();
  const dying: Store = {
    ...store,
    put: (draft, by) => (draft.space === 'owner' ? Promise.resolve({ ok: true, version: 1 }) : store.put(draft, by)),
  };
  void createToolbox([hang], { use: [journal({ store: dying })], report }).call('hang', { id: 'x' }, { invocationId: 'x' });
  const other = boxOn(store);
  await expect.poll(async () => (await other.calls()).calls).toMatchObject([{ id: 'x', status: 'running', lost: true }]);
});

test.each<[string, CallFilter, string]>([
  ['a limit', { limit: 0 }, 'limit must be a whole number from 1'],
  ['a time', { since: 'yesterday' }, 'since must be a time'],
  ['a status', { status: 'runing' as never }, 'status cannot be "runing"'],
  ['a kind', { kind: ['timeout', '__proto__' as never] }, 'kind cannot be "__proto__"'],
  ['a text', { text: 5 as never }, 'text must be a string'],
  ['a cursor', { cursor: 'nonsense' }, 'a cursor is the `next` of another page'],
  ['a field', { tools: 'x' } as never, 'calls: the option "tools" does not exist'],
])('%s that cannot be used is refused', async (_, filter, message) => {
  await expect(boxOn(memoryStore()).calls(filter)).rejects.toThrow(message);
});

test('a store that cannot find says so', async () => {
  const { find: _, ...store } = memoryStore();
  const box = boxOn(store);
  const outcome: Outcome = await box.call('add', { id: '1' });
  expect(outcome.status).toBe('ok');
  await expect(box.calls()).rejects.toThrow('the store "memory" cannot list calls');
});

describe('the work of one page', () => {
  const total = 3_000;
  const startOf = (number: number) => {
    const tool = number % 3 === 0 ? 'add' : 'lose';
    const id = `call-${String(number).padStart(6, '0')}`;
    return {
      type: 'call-start',
      tool,
      invocationId: id,
      at: 1_000_000 + number,
      runId: `run_${number % 10}`,
      input: {},
      traceId: 'trace',
    } as never;
  };

  /** A store of many calls that have all ended, whose rows are counted as they are read. */
  async function counted() {
    const store = memoryStore();
    for (let number = 0; number < total; number += 1) {
      const event = startOf(number) as EventOf<'call-start'>;
      const running = toRunning({ event });
      const ended =
        number % 2 === 0 ? { ...running, status: 'ok' as const } : { ...running, status: 'error' as const, kind: 'timeout' as const };
      const at = { tenant: noTenant, key: event.invocationId };
      await store.put({ ...at, space: 'call', value: { v: 1 }, index: startIndex(event, { v: 1, call: running }) }, 0);
      await store.put({ ...at, space: 'call-end', value: { v: 1 }, index: endIndex(event.tool, event.at, ended) }, 0);
    }
    let rows = 0;
    const find: Store['find'] = async (query) => {
      const page = (await store.find?.(query)) ?? { rows: [] };
      rows += page.rows.length;
      return page;
    };
    const box = boxOn({ ...store, find });
    return async (filter: CallFilter) => {
      rows = 0;
      const { calls, next } = await box.calls({ limit: 50, ...filter });
      return { rows, found: calls.length, hasMore: next !== undefined };
    };
  }

  const names = { tool: 'lose', status: 'error', kind: 'timeout', since: 1_000_000, until: 1_000_000 + total } as const;
  const combinations = Array.from({ length: 2 ** Object.keys(names).length }, (_, bits) =>
    Object.fromEntries(Object.entries(names).filter((__, bit) => bits & (1 << bit))),
  );

  test('is that of its calls, for every combination of tool, status, kind and time', async () => {
    const page = await counted();
    for (const filter of combinations) {
      const { rows, found } = await page(filter);
      expect([filter, found]).toEqual([filter, 50]);
      // A start and an end of each, and a few that lie between.
      expect(rows, JSON.stringify(filter)).toBeLessThanOrEqual(160);
    }
  });

  test.each([
    ['calls that run', { status: 'running' }],
    ['calls of a tool that run', { status: 'running', tool: 'lose' }],
  ] as const)('is that of the newest calls where none run: %s', async (_, filter) => {
    const { rows, ...page } = await (await counted())(filter);
    expect(page).toEqual({ found: 0, hasMore: false });
    // The starts and the ends of 200 calls, a little more between them.
    expect(rows).toBeLessThanOrEqual(410);
  });

  test('is bounded where no index tells: a part of a run', async () => {
    const { rows, found } = await (await counted())({ runId: 'run_3', kind: 'not_found' });
    expect(found).toBe(0);
    // The starts and the ends of a thousand calls, a little more between them.
    expect(rows).toBeLessThanOrEqual(2_050);
  });

  test('finds what no index tells on a later page', async () => {
    const store = open();
    const box = boxOn(store);
    await box.call('lose', { id: 'first' }, { runId: 'long' });
    for (let number = 0; number < 1_100; number += 1) {
      const event = { ...(startOf(number) as EventOf<'call-start'>), runId: 'long', at: Date.now() + 1000 + number };
      const at = { tenant: noTenant, key: event.invocationId };
      const ended = { ...toRunning({ event }), status: 'ok' as const };
      await store.put({ ...at, space: 'call', value: { v: 1 }, index: startIndex(event, { v: 1, call: toRunning({ event }) }) }, 0);
      await store.put({ ...at, space: 'call-end', value: { v: 1 }, index: endIndex(event.tool, event.at, ended) }, 0);
    }
    const first = await box.calls({ runId: 'long', status: 'error' });
    expect([first.calls, first.next]).toEqual([[], expect.any(String)]);
    const second = await box.calls({ runId: 'long', status: 'error', cursor: first.next });
    expect(second.calls.map(({ tool }) => tool)).toEqual(['lose']);
  });

  const open = () => memoryStore();
});
