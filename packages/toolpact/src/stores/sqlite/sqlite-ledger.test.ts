import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compareWithModel } from '../../../../../proofs/fixtures/compare-ledger.ts';
import { countedStore } from '../../../../../proofs/fixtures/counted-store.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { CallEnd, CallQuery, Ledger, NewCall, Store, Wait } from '../../ports/index.ts';
import { sqliteStore } from '../sqlite.ts';
import { ledgerTexts } from './ledger-statements.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-sqlite-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tenant = 't';
const outcome: Outcome = { status: 'ok', data: 1, meta: { tookMs: 1, attempts: 1 } };
const listed = {
  id: 'a',
  tool: 'pay',
  status: 'ok',
  begunAt: '2026-01-01T00:00:00.000Z',
  attempts: 1,
  tenantId: tenant,
  traceId: 'x',
} as const;
const end: CallEnd = { outcome, listed, keepsSteps: false };
const wait: Wait = { outcome, listed: { ...listed, status: 'pending' }, questions: [] };
const question = { handle: 'q', kind: 'approval', id: '1', ask: { message: 'Pay?' } } as const;
const step = { id: '1:charge', name: 'charge', attempt: 1 };
const draft = (id: string, rest: Partial<NewCall> = {}): NewCall => ({
  tenant,
  id,
  tool: 'pay',
  process: 'p',
  isPromised: true,
  origin: id,
  listed: { ...listed, status: 'running' },
  by: { begunAt: 1000 },
  start: { input: {} },
  keepMs: 60_000,
  ...rest,
});
const run = (id: string, epoch = 1) => ({ tenant, id, epoch });
const all: CallQuery = { tenant, limit: 50 };
const due = { process: 'other', tools: ['pay'], limit: 50 };

let [path, time] = ['', 0];
let [store, calls, raw]: [Store, Ledger, DatabaseSync] = [undefined as never, undefined as never, undefined as never];
const open = () => sqliteStore({ path, durability: 'normal', now: () => time });
const count = (table: string) => raw.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

beforeEach(() => {
  path = join(folder, `${randomUUID()}.db`);
  time = 1_000_000;
  store = open();
  calls = store.calls as Ledger;
  raw = new DatabaseSync(path);
});
afterEach(async () => {
  raw.close();
  await store.close();
});

test('answers as the model of the port, whatever two connections are asked', async () => {
  const other = open();
  const clock = {
    now: () => time,
    pass: (ms: number) => {
      time += ms;
    },
  };
  await compareWithModel({ connections: [calls, other.calls as Ledger], clock }, 300);
  await other.close();
});

describe('an operation', () => {
  test('is one transaction, and finding an equal call is none', async () => {
    const counted = countedStore(store);
    calls = counted.store.calls as Ledger;
    const commits = vi.spyOn(StatementSync.prototype, 'run');
    /** Counts what an operation commits for writing. */
    const writesOf = async (operation: () => Promise<unknown>) => {
      commits.mockClear();
      await operation();
      return commits.mock.contexts.filter((statement) => (statement as StatementSync).sourceSQL === 'BEGIN IMMEDIATE').length;
    };
    const key = { text: 'k', countsMs: 60_000 };
    const operations: Readonly<Record<string, readonly [() => Promise<unknown>, number]>> = {
      heartbeat: [() => calls.heartbeat({ process: 'p', leaseMs: 1000, ranMs: 1000 }), 1],
      begin: [() => calls.begin(draft('a', { key })), 1],
      'begin of an equal call': [() => calls.begin(draft('b', { key })), 0],
      stepBegin: [() => calls.stepBegin(run('a'), step), 1],
      stepEnd: [() => calls.stepEnd(run('a'), { ...step, record: { value: 1 } }), 1],
      note: [() => calls.note(run('a'), { progress: { done: 1 } }), 1],
      wait: [() => calls.wait(run('a'), { ...wait, questions: [question] }), 1],
      answer: [() => calls.answer({ tenant, handle: 'q' }, { state: 'approved', answer: null, wakes: true }), 1],
      takeDue: [() => calls.takeDue(due), 1],
      cancel: [() => calls.cancel({ tenant, id: 'a' }, { by: 'me' }), 1],
      end: [() => calls.end(run('a', 2), end), 1],
      get: [() => calls.get(tenant, 'a'), 0],
      list: [() => calls.list(all), 0],
    };
    const writes: Record<string, number> = {};
    for (const [name, [operation]] of Object.entries(operations)) writes[name] = await writesOf(operation);
    commits.mockRestore();
    expect(counted.writes()).toEqual([
      'heartbeat',
      'begin',
      'begin',
      ...'stepBegin stepEnd note wait answer takeDue cancel end'.split(' '),
    ]);
    expect(writes).toEqual(Object.fromEntries(Object.entries(operations).map(([name, [, expected]]) => [name, expected])));
  });

  test.each(['ABORT', 'FAIL', 'ROLLBACK'] as const)('that fails in its middle by %s has written nothing, and others have', async (how) => {
    await calls.begin(draft('a'));
    raw.exec(`CREATE TRIGGER refuse BEFORE INSERT ON toolpact_questions BEGIN SELECT RAISE(${how}, 'not this one'); END`);
    const results = await Promise.allSettled([
      calls.begin(draft('b')),
      calls.wait(run('a'), { ...wait, questions: [question] }),
      calls.begin(draft('c', { wait: { ...wait, questions: [question] } })),
      calls.begin(draft('d')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await calls.get(tenant, 'a')).toMatchObject({ stage: 'running', changes: 1 });
    expect(ids((await calls.list(all)).rows)).toEqual(['a', 'b', 'd']);
  });

  test('of several connections gives each due call to one of them, and a key to one call', async () => {
    await calls.heartbeat({ process: 'other', leaseMs: 1000, ranMs: 1000 });
    const others = [open(), open(), open()];
    const ledgers = [calls, ...others.map((other) => other.calls as Ledger)];
    const key = { text: 'k', countsMs: 60_000 };
    const begun = await Promise.all(ledgers.map(async (ledger, index) => ledger.begin(draft(`key-${index}`, { key }))));
    expect(begun.map(({ is }) => is).sort()).toEqual(['begun', 'found', 'found', 'found']);
    const waiting = Array.from({ length: 40 }, (_, index) => `wait-${index}`);
    await Promise.all(waiting.map(async (id) => calls.begin(draft(id, { tool: 'sleep', wait: { ...wait, wakeMs: 0 } }))));
    const taken = await Promise.all(ledgers.map(async (ledger) => ledger.takeDue({ ...due, tools: ['sleep'], limit: 15 })));
    expect(ids(taken.flat())).toEqual(waiting.sort());
    for (const other of others) await other.close();
  });
});

describe('a call of which something is no JSON any more', () => {
  const spoil = (column: string, id: string) => raw.prepare(`UPDATE toolpact_calls SET ${column} = '{oops' WHERE id = ?`).run(id);

  test.each(['listed', 'start', 'outcome', 'trace', 'progress'])('in %s is read with an error that names the column', async (column) => {
    await calls.begin(draft('a'));
    spoil(column, 'a');
    await expect(calls.get(tenant, 'a')).rejects.toThrow(
      `the column ${column} of the row in toolpact_calls of the call a of the tenant t holds no JSON that belongs there; ` +
        'put the value right, or delete the row of the call',
    );
  });

  test('can still end, and is read again', async () => {
    await calls.begin(draft('a'));
    spoil('listed', 'a');
    expect(await calls.end(run('a'), end)).toEqual({ is: 'written' });
    expect(await calls.get(tenant, 'a')).toMatchObject({ stage: 'ended', outcome });
  });

  test('is left out of lists of calls and questions', async () => {
    for (const id of ['a', 'b', 'c']) await calls.begin(draft(id, { wait: { ...wait, questions: [{ ...question, handle: `q-${id}` }] } }));
    spoil('listed', 'b');
    expect(ids((await calls.list(all)).rows)).toEqual(['a', 'c']);
    expect((await calls.questions({ tenant, kind: 'approval', limit: 10 })).map(({ handle }) => handle)).toEqual(['q-a', 'q-c']);
    expect(await calls.look(['a', 'b', 'c'].map((id) => ({ tenant, id })))).toHaveLength(3);
  });

  test('makes no page of questions or grants short', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const id of names) {
      await calls.begin(draft(id, { wait: { ...wait, questions: [{ ...question, handle: `q-${id}` }] } }));
      const grant = { id: `g-${id}`, tool: 'pay', scope: '', permit: {}, expiresMs: 60_000, keepMs: 60_000 };
      await calls.begin(draft(`of-${id}`, { wait: { ...wait, questions: [{ ...question, handle: `x-${id}` }] } }));
      await calls.answer({ tenant, handle: `x-${id}` }, { state: 'approved', answer: null, wakes: true, grant });
    }
    for (const id of ['a', 'c']) spoil('listed', id);
    raw.exec(`UPDATE toolpact_grants SET permit = '{oops' WHERE id IN ('g-a', 'g-c')`);
    const questions = await calls.questions({ tenant, kind: 'approval', limit: 2 });
    expect(questions.map(({ handle }) => handle)).toEqual(['q-b', 'q-d']);
    const grants = await calls.grants({ tenant, limit: 2 });
    expect(ids(grants)).toEqual(['g-b', 'g-d']);
    expect(ids(await calls.grants({ tenant, limit: 2, after: 'g-d' }))).toEqual(['g-e']);
  });

  test('is not taken with those that are due, however many there are, and keeps none of them back', async () => {
    await calls.heartbeat({ process: 'other', leaseMs: 1000, ranMs: 1000 });
    const spoilt = Array.from({ length: 120 }, (_, index) => `spoilt-${index}`);
    for (const id of spoilt) await calls.begin(draft(id, { args: {}, wait: { ...wait, wakeMs: 0 } }));
    time += 1;
    for (const id of ['a', 'b']) await calls.begin(draft(id, { args: { amount: 1 }, wait: { ...wait, wakeMs: 0 } }));
    for (const id of spoilt) spoil('args', id);
    expect(ids(await calls.takeDue({ ...due, limit: 2 }))).toEqual(['a', 'b']);
    expect(await calls.takeDue(due)).toEqual([]);
    expect(await calls.look([{ tenant, id: 'spoilt-7' }])).toMatchObject([{ stage: 'waiting', epoch: 1, changes: 1 }]);
    await expect(calls.take(run('spoilt-7'), { epoch: 1, process: 'other', from: 'waiting' })).rejects.toThrow('the column args');
    expect(await calls.look([{ tenant, id: 'spoilt-7' }])).toMatchObject([{ stage: 'waiting', epoch: 1, changes: 1 }]);
  });

  test('in a step or a question is not read in part', async () => {
    await calls.begin(draft('a'));
    await calls.stepEnd(run('a'), { ...step, record: { value: 1 } });
    await calls.wait(run('a'), { ...wait, questions: [question] });
    raw.exec(`UPDATE toolpact_steps SET record = ''; UPDATE toolpact_questions SET ask = 'null'`);
    await expect(calls.steps({ tenant, id: 'a' })).rejects.toThrow('the column record of the row in toolpact_steps');
    await expect(calls.get(tenant, 'a')).rejects.toThrow('the column ask of the row in toolpact_questions');
    await expect(calls.answer({ tenant, handle: 'q' }, { state: 'approved', answer: null, wakes: true })).rejects.toThrow('the column ask');
    expect(raw.prepare('SELECT state FROM toolpact_questions').get()).toEqual({ state: 'open' });
  });
});

describe('what is stored', () => {
  test('of steps and questions goes with their call, whoever deletes it', async () => {
    await calls.begin(draft('a'));
    await calls.stepBegin(run('a'), step);
    await calls.wait(run('a'), { ...wait, questions: [question] });
    expect([count('toolpact_steps'), count('toolpact_questions')]).toEqual([1, 1]);
    raw.exec('DELETE FROM toolpact_calls');
    expect([count('toolpact_steps'), count('toolpact_questions')]).toEqual([0, 0]);
  });

  test('is swept once it is forgotten, and processes with it', async () => {
    await calls.heartbeat({ process: 'p', leaseMs: 1000, ranMs: 1000 });
    await calls.heartbeat({ process: 'idle', leaseMs: 1000, ranMs: 1000 });
    for (const id of ['ended', 'runs']) await calls.begin(draft(id));
    await calls.begin(draft('unpromised', { isPromised: false }));
    await calls.begin(draft('waits', { wait }));
    await calls.end(run('ended'), end);
    time += 60_000;
    expect(await store.sweep()).toBe(2);
    expect(ids(raw.prepare('SELECT id FROM toolpact_calls').all() as { id: string }[])).toEqual(['runs', 'waits']);
    expect(raw.prepare('SELECT id FROM toolpact_processes').all()).toEqual([{ id: 'p' }]);
  });

  test('can be read with sqlite3 as docs/tables.md says', async () => {
    const page = readFileSync(new URL('../../../../../docs/tables.md', import.meta.url), 'utf8');
    const [, sqlite = '', tables = ''] = page.split(/^## (?:SQLite|Tables)$/m);
    for (const table of ['calls', 'steps', 'questions', 'processes']) {
      const [, rows = ''] = new RegExp(`### \`toolpact_${table}\`\n([\\s\\S]*?)(?=\n### |$)`).exec(tables) ?? [];
      const cells = [...rows.matchAll(/^\| (`[^|]+) \|.*(?<!\(PostgreSQL\)) \|$/gm)].map(([, cell = '']) => cell);
      const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => String(name)));
      const columns = raw.prepare(`SELECT name FROM pragma_table_xinfo('toolpact_${table}')`).all();
      expect(named.sort(), table).toEqual(columns.map(({ name }) => String(name)).sort());
    }
    const [, queries = ''] = /```sql\n([\s\S]*?)```/.exec(sqlite) ?? [];
    const texts = queries.split(/;$/m).filter((text) => text.trim() !== '');
    expect(texts).toHaveLength(5);
    for (const text of texts) raw.prepare(text).all();
  });
});

describe('a list', () => {
  const kinds = ['timeout', 'upstream'] as const;

  test('finds everything that is asked for, by whichever index it is read', async () => {
    const drafts = Array.from({ length: 60 }, (_, index) =>
      draft(`call-${index}`, {
        tool: `tool-${index % 3}`,
        by: { begunAt: 1000 + (index % 7), runId: `run-${index % 4}`, sessionId: `session-${index % 2}`, callerKey: `key-${index % 5}` },
        listed: { ...listed, status: index % 2 === 0 ? 'ok' : 'error', ...(index % 2 === 1 && { kind: kinds[(index >> 1) % 2] }) },
      }),
    );
    await Promise.all(drafts.map(async (call) => calls.begin(call)));
    const filters: Readonly<Record<string, readonly [Partial<CallQuery>, (call: NewCall) => boolean]>> = {
      tool: [{ tool: ['tool-0', 'tool-2'] }, ({ tool }) => tool !== 'tool-1'],
      status: [{ status: ['error', 'running'] }, (call) => call.listed.status === 'error'],
      kind: [{ kind: ['timeout'] }, (call) => call.listed.kind === 'timeout'],
      run: [{ runId: 'run-1' }, ({ by }) => by.runId === 'run-1'],
      session: [{ sessionId: 'session-1' }, ({ by }) => by.sessionId === 'session-1'],
      key: [{ callerKey: 'key-1' }, ({ by }) => by.callerKey === 'key-1'],
      time: [{ since: 1002, until: 1005 }, ({ by }) => by.begunAt >= 1002 && by.begunAt <= 1005],
      none: [{}, () => true],
    };
    const entries = Object.entries(filters);
    for (const [one, [oneQuery, isOne]] of entries) {
      for (const [other, [otherQuery, isOther]] of entries) {
        const expected = drafts.filter((call) => isOne(call) && isOther(call)).map(({ id }) => id);
        expect(ids(await readAll({ ...all, ...oneQuery, ...otherQuery, limit: 4 })), `${one} and ${other}`).toEqual(expected.sort());
      }
    }
  });

  test('asked for by more tools than are looked up one by one, or by none, is right too', async () => {
    for (const id of ['a', 'b', 'c']) await calls.begin(draft(id, { tool: id }));
    const tool = ['a', 'c', ...Array.from({ length: 500 }, (_, index) => `other-${index}`)];
    expect(ids(await readAll({ ...all, tool }))).toEqual(['a', 'c']);
    expect(await calls.list({ ...all, tool: [] })).toEqual({ rows: [] });
  });

  test('looks at a bounded number of calls for one page, and goes on from there', async () => {
    // Many calls have the tool, and many the session; only the oldest one has both.
    const drafts = Array.from({ length: 5_000 }, (_, index) => {
      const by = { begunAt: index, sessionId: index === 0 || index % 2 === 1 ? 's' : 'other' };
      return draft(`call-${index}`, { tool: index % 2 === 0 ? 'rare' : 'pay', by });
    });
    await Promise.all(drafts.map(async (call) => calls.begin(call)));
    const asked = { ...all, sessionId: 's', tool: ['rare'] };
    expect((await calls.list(asked)).rows).toEqual([]);
    expect(ids(await readAll(asked))).toEqual(['call-0']);
  });

  async function readAll(query: CallQuery) {
    const rows: { readonly id: string }[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await calls.list({ ...query, cursor });
      rows.push(...page.rows);
      if (page.next === undefined) return rows;
      cursor = page.next;
    }
  }
});

describe('who watches', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test('hears of a change of this store at once, with its place', async () => {
    const heard: unknown[] = [];
    const stop = calls.watch((at) => heard.push(at));
    await calls.begin(draft('a'));
    await calls.stepBegin(run('a'), step);
    await calls.end(run('a', 7), end);
    await calls.end(run('a'), end);
    stop();
    await calls.begin(draft('b'));
    expect(heard).toEqual([
      { tenant, id: 'a' },
      { tenant, id: 'a' },
    ]);
  });

  test('hears within 250 ms that another connection has changed something, and polls only while someone does', async () => {
    const other = open();
    let heard = 0;
    const stop = calls.watch((at) => {
      if (at === undefined) heard += 1;
    });
    const stopSecond = calls.watch(() => {
      throw new Error('hears badly');
    });
    // The other store has one of its own, for sweeping.
    expect(vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(heard).toBe(0);
    await other.calls?.begin(draft('a'));
    vi.advanceTimersByTime(250);
    expect(heard).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(heard).toBe(1);
    stop();
    stopSecond();
    expect(vi.getTimerCount()).toBe(1);
    await other.close();
  });
});

test('a clock that is set back keeps no call of a dead process from being taken over for as long', async () => {
  time = 9_000_000;
  await calls.heartbeat({ process: 'p', leaseMs: 10_000, ranMs: 0 });
  await calls.begin(draft('a'));
  time -= 7_200_000;
  await calls.heartbeat({ process: 'other', leaseMs: 10_000, ranMs: 0 });
  expect(await calls.takeDue(due)).toEqual([]);
  time += 10_001;
  expect(await calls.takeDue(due)).toMatchObject([{ id: 'a', wasDead: true }]);
});

test('a process that has a longer lease than the one beside it keeps it', async () => {
  await calls.heartbeat({ process: 'p', leaseMs: 3_600_000, ranMs: 0 });
  await calls.begin(draft('a'));
  await calls.heartbeat({ process: 'other', leaseMs: 1000, ranMs: 0 });
  time += 60_000;
  expect(await calls.takeDue(due)).toEqual([]);
});

test('a store that is closed answers nothing about calls', async () => {
  await store.close();
  await expect(calls.begin(draft('a'))).rejects.toThrow('The store is closed.');
  await expect(calls.get(tenant, 'a')).rejects.toThrow('The store is closed.');
});

test('every statement finds its rows by an index; only what belongs to one call and dead processes are sorted, and processes alone are looked through', () => {
  const plans = Object.entries(ledgerTexts).map(([name, text]) => [name, planOf(text)] as const);
  expect(plans.filter(([, plan]) => /SCAN toolpact|SCAN [cqp]\b/.test(plan)).map(([name]) => name)).toEqual([
    'shortenLeases',
    'sweepProcesses',
  ]);
  expect(plans.filter(([, plan]) => plan.includes('TEMP B-TREE')).map(([name]) => name)).toEqual([
    'deadProcesses',
    'stepsAt',
    'questionsAt',
  ]);
});

function planOf(text: string): string {
  return raw
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all()
    .map(({ detail }) => String(detail))
    .join('; ');
}
