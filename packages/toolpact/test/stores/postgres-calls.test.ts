import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { compareWithModel } from '../../../../proofs/fixtures/compare-ledger.ts';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import type { CallEnd, Ledger, NewCall, RunPlace, Wait } from '../../src/extend.ts';
import type { Outcome } from '../../src/index.ts';
import { callStatements } from '../../src/stores/postgres/calls/call-statements.ts';
import { createPostgresLedger } from '../../src/stores/postgres/calls/postgres-ledger.ts';
import type { PgPool } from '../../src/stores/postgres/pg-pool.ts';
import { createPgSession } from '../../src/stores/postgres/pg-session.ts';
import { namesIn, preparePostgres } from '../../src/stores/postgres/postgres-schema.ts';
import { postgresStore } from '../../src/stores/postgres.ts';

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

const newPool = (config: pg.PoolConfig = {}) => new pg.Pool({ ...server.address, max: 12, ...config }).on('error', () => {});
const newSchema = () => `s_${randomUUID()}`;
const minute = 60_000;

/** Stores that the current test opened. One left open would keep a connection, for which the end of the pool waits. */
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** Opens the ledger of a new schema, in which processes `p` and `q` live. */
async function open(own: PgPool = pool, schema = newSchema()) {
  const store = postgresStore({ pool: own, schema });
  opened.push(store);
  const calls = store.calls as Ledger;
  for (const process of ['p', 'q']) await calls.heartbeat({ process, leaseMs: minute, ranMs: minute });
  return { store, calls, schema };
}

const listed = { id: 'a', tool: 'pay', status: 'ok', begunAt: '', attempts: 1, tenantId: 't', traceId: '' } as const;
const call = (id: string, rest: Partial<NewCall> = {}): NewCall => ({
  tenant: 't',
  id,
  tool: 'pay',
  process: 'p',
  isPromised: true,
  origin: id,
  listed,
  by: { begunAt: 1000 },
  start: {},
  keepMs: minute,
  ...rest,
});
const at = (id: string) => ({ tenant: 't', id });
const run = (id: string, epoch = 1): RunPlace => ({ ...at(id), epoch });
const outcome = (data: string): Outcome => ({ status: 'ok', data, meta: { tookMs: 1, attempts: 1 } });
const end = (data: string, rest: Partial<CallEnd> = {}): CallEnd => ({ outcome: outcome(data), listed, keepsSteps: false, ...rest });
const wait = (handle?: string, rest: Partial<Wait> = {}): Wait => ({
  questions: handle === undefined ? [] : [{ handle, kind: 'approval', id: handle, ask: {} }],
  outcome: { status: 'pending', pending: { handle: 'h', reason: 'approval' }, meta: { tookMs: 1, attempts: 0 } },
  listed: { ...listed, status: 'pending' },
  ...rest,
});
const step = { id: 's', name: 'charge', attempt: 1 };
const die = (calls: Ledger, process = 'p') => calls.heartbeat({ process, leaseMs: 0, ranMs: minute });
const yes = { state: 'approved', answer: 'yes', wakes: true } as const;

/** A ledger by whose clock time passes only as far as the test says. */
async function openMoved() {
  const names = namesIn({ schema: newSchema() });
  let [time, moved] = [1_700_000_000_000, Promise.resolve<unknown>(undefined)];
  const movedPool = { ...watchedPool().own, query: (query: unknown) => moved.then(() => pool.query(query as pg.QueryConfig)) };
  const session = createPgSession(async () => movedPool as PgPool, 1000);
  await preparePostgres(session, names);
  await pool.query(`CREATE TABLE ${names.schema}.clock (at float8); INSERT INTO ${names.schema}.clock VALUES (${time})`);
  const { calls } = createPostgresLedger({
    session,
    names,
    channel: 'unheard',
    enter: (run) => run(),
    watch: () => () => undefined,
    now: `(SELECT to_timestamp(at / 1000) FROM ${names.schema}.clock)`,
  });
  const pass = (ms: number) => {
    time += ms;
    moved = moved.then(() => pool.query(`UPDATE ${names.schema}.clock SET at = at + ${ms}`));
  };
  return { connections: [calls], clock: { now: () => time, pass } };
}

describe('answers as the model of the port', () => {
  test('whatever it is asked', async () => {
    await compareWithModel(await openMoved(), 60);
  });

  test('by its own clock, over several connections', async () => {
    const schema = newSchema();
    const stores = [1, 2, 3].map(() => postgresStore({ pool, schema }));
    await compareWithModel({ connections: stores.map(({ calls }) => calls as Ledger) }, 40);
    for (const store of stores) await store.close();
  });
});

describe('operations that meet at one call', () => {
  type Operation = (calls: Ledger) => Promise<unknown>;
  const takeDead: Operation = (calls) => calls.take(at('a'), { epoch: 1, process: 'q', from: 'dead' });
  const takeWaiting: Operation = (calls) => calls.take(at('a'), { epoch: 1, process: 'q', from: 'waiting' });
  const stepEnd: Operation = (calls) => calls.stepEnd(run('a'), { ...step, record: 'paid' });
  const stepBegin: Operation = (calls) => calls.stepBegin(run('a'), step);
  const waits: Operation = (calls) => calls.wait(run('a'), wait('late'));
  const ends: Operation = (calls) => calls.end(run('a'), end('late'));
  const notes: Operation = (calls) => calls.note(run('a'), { progress: { percent: 1 } });
  const answers: Operation = (calls) => calls.answer({ tenant: 't', handle: 'q' }, yes);
  const answersWithEnd: Operation = (calls) =>
    calls.answer({ tenant: 't', handle: 'q' }, { ...yes, state: 'denied', end: { ...end('denied'), epoch: 1 } });
  const cancels: Operation = (calls) => calls.cancel(at('a'), { by: 'me' });
  const cancelsWithEnd: Operation = (calls) => calls.cancel(at('a'), { end: { ...end('cancelled'), epoch: 1 } });

  const lost = { is: 'lost', call: { epoch: 2, stage: 'running', process: 'q' } };
  const dead = async (calls: Ledger) => {
    await calls.begin(call('a'));
    await die(calls);
  };
  const running = async (calls: Ledger) => void (await calls.begin(call('a')));
  const waiting = async (calls: Ledger) => void (await calls.begin(call('a', { wait: wait('q') })));
  const asked = async (calls: Ledger) => {
    await calls.begin(call('a', { wait: wait('q') }));
    await calls.take(at('a'), { epoch: 1, process: 'p', from: 'waiting' });
  };
  const waitsLater: Operation = (calls) => calls.wait(run('a', 2), wait());

  const meetings: readonly (readonly [
    title: string,
    before: (calls: Ledger) => Promise<void>,
    first: Operation,
    second: Operation,
    then: readonly unknown[],
  ])[] = [
    ['a take and the step that a zombie begins', dead, takeDead, stepBegin, [{ is: 'taken', call: { steps: [] } }, lost]],
    ['a take and the step that a zombie ends', dead, takeDead, stepEnd, [{ is: 'taken', call: { steps: [] } }, lost]],
    ['a take and the wait of a zombie', dead, takeDead, waits, [{ is: 'taken', call: { questions: [] } }, lost]],
    ['a take and the end of a zombie', dead, takeDead, ends, [{ is: 'taken' }, lost]],
    ['a take and the note of a zombie', dead, takeDead, notes, [{ is: 'taken' }, lost]],
    ['the end of a step and a take', dead, stepEnd, takeDead, [{ is: 'written' }, { is: 'taken', call: { steps: [{ record: 'paid' }] } }]],
    [
      'the beginning of a step and a take',
      dead,
      stepBegin,
      takeDead,
      [{ is: 'written' }, { is: 'taken', call: { steps: [{ isOpen: true }] } }],
    ],
    ['an end and a take', dead, ends, takeDead, [{ is: 'written' }, { is: 'lost', call: { stage: 'ended', outcome: outcome('late') } }]],
    ['a wait and a take', dead, waits, takeDead, [{ is: 'written' }, { is: 'lost', call: { stage: 'waiting' } }]],
    ['two takes', dead, takeDead, takeDead, [{ is: 'taken' }, lost]],
    [
      'two ends',
      running,
      ends,
      (calls) => calls.end(run('a'), end('other')),
      [{ is: 'written' }, { is: 'lost', call: { outcome: outcome('late') } }],
    ],
    ['two answers', waiting, answers, answers, [{ is: 'answered' }, { is: 'decided', question: { state: 'approved' } }]],
    [
      'an answer and a take',
      waiting,
      answers,
      takeWaiting,
      [{ is: 'answered' }, { is: 'taken', call: { questions: [{ state: 'approved' }] } }],
    ],
    ['a take and an answer', waiting, takeWaiting, answers, [{ is: 'taken' }, { is: 'answered', call: { epoch: 2 } }]],
    [
      'an answer that ends the call and a take',
      waiting,
      answersWithEnd,
      takeWaiting,
      [{ is: 'answered' }, { is: 'lost', call: { stage: 'ended' } }],
    ],
    ['a take and an answer that would end the call', waiting, takeWaiting, answersWithEnd, [{ is: 'taken' }, { is: 'changed' }]],
    [
      'a cancel that ends the call and an answer',
      waiting,
      cancelsWithEnd,
      answers,
      [{ is: 'ended' }, { is: 'decided', question: { state: 'withdrawn' } }],
    ],
    ['an answer and a wait', asked, answers, waitsLater, [{ is: 'answered', call: { stage: 'running' } }, { is: 'written' }]],
    ['a cancel and a wait', asked, cancels, waitsLater, [{ is: 'asked' }, { is: 'cancelled' }]],
    [
      'a wait and a cancel',
      asked,
      waitsLater,
      cancels,
      [{ is: 'written' }, { is: 'asked', call: { stage: 'waiting', isCancelled: true } }],
    ],
    ['a cancel and a step', running, cancels, stepBegin, [{ is: 'asked' }, { is: 'written' }]],
    ['an end and a cancel', running, ends, cancels, [{ is: 'written' }, { is: 'over' }]],
  ];

  test.each(meetings)('%s', async (_, before, first, second, then) => {
    const { calls, schema } = await open();
    const { calls: other } = await open(pool, schema);
    await before(calls);
    const holder = await pool.connect();
    await holder.query(`BEGIN; SELECT FROM "${schema}".toolpact_calls WHERE id = 'a' FOR UPDATE`);
    const answers: Promise<unknown>[] = [];
    for (const [operation, by] of [
      [first, calls],
      [second, other],
    ] as const) {
      answers.push(operation(by));
      await vi.waitFor(async () => {
        const { rows } = await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${schema}%'`);
        expect(rows).toHaveLength(answers.length);
      });
    }
    await holder.query('COMMIT');
    holder.release();
    expect(await Promise.all(answers)).toMatchObject(then as unknown as unknown[]);
  });

  test('a call that was answered while it ran is due as soon as it waits', async () => {
    const { calls } = await open();
    await asked(calls);
    await answers(calls);
    await waitsLater(calls);
    expect(await calls.takeDue({ process: 'q', tools: ['pay'], limit: 9 })).toMatchObject([{ id: 'a', epoch: 3 }]);
  });

  test('workers that ask at once share what is due, and wait for nobody', async () => {
    const { calls, schema } = await open();
    await Promise.all(Array.from({ length: 40 }, (_, index) => calls.begin(call(`c${index}`, { wait: wait(undefined, { wakeMs: 0 }) }))));
    const holder = await pool.connect();
    await holder.query(`BEGIN; SELECT FROM "${schema}".toolpact_calls WHERE id = 'c0' FOR UPDATE`);
    const asked = await Promise.all(
      ['p', 'q', 'p', 'q', 'p'].map((process) => calls.takeDue({ process, tools: ['pay', 'other'], limit: 10 })),
    );
    await holder.query('COMMIT');
    holder.release();
    const taken = asked.flat().map(({ id }) => id);
    const left = await calls.takeDue({ process: 'p', tools: ['pay'], limit: 100 });
    expect(new Set([...taken, ...left.map(({ id }) => id)]).size).toBe(40);
    expect(taken.length + left.length).toBe(40);
    expect(left.map(({ id }) => id)).toContain('c0');
  });

  test('of many calls that begin where a key has just stopped to count, one has it', async () => {
    const { calls } = await open();
    const key = { text: 'k', countsMs: minute };
    for (const round of [1, 2, 3]) {
      const begun = await Promise.all(Array.from({ length: 10 }, (_, index) => calls.begin(call(`c${round} ${index}`, { key }))));
      const winner = begun.findIndex(({ is }) => is === 'begun');
      const found = { is: 'found', call: { id: `c${round} ${winner}` } };
      expect(begun).toMatchObject(begun.map((_, index) => (index === winner ? { is: 'begun' } : found)));
      await calls.end(run(`c${round} ${winner}`), end('done', { keyCountsMs: 1 }));
      await vi.waitFor(async () => expect(await calls.findByKey('t', 'k')).toBeUndefined());
    }
  });

  test('calls that begin, wait and note for the same keys at once never fail and never share a key', async () => {
    const { calls } = await open();
    const keys = ['x', 'y'].map((text) => ({ text, countsMs: minute }));
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const joinKey = keys[index % 2];
        const place = run(`c${index}`);
        if (index % 4 === 0) await calls.begin(call(place.id, { wait: wait(undefined, { joinKey }) }));
        else {
          await calls.begin(call(place.id, index % 4 === 1 ? { key: joinKey } : {}));
          await (index % 4 === 2 ? calls.note(place, { joinKey }) : calls.wait(place, wait(undefined, { joinKey })));
        }
      }),
    );
    const { rows } = await calls.list({ tenant: 't', limit: 100 });
    const owners = await Promise.all(rows.map(({ id }) => calls.get('t', id)));
    expect(owners.flatMap((owner) => owner?.key ?? []).toSorted()).toEqual(['x', 'y']);
  });
});

/** A pool that tells of its statements, and breaks the connection after some. */
function watchedPool(breaks: (text: string) => boolean = () => false) {
  const texts: string[] = [];
  const own: PgPool = {
    async query(query) {
      const result = await pool.query(query as pg.QueryConfig);
      texts.push(query.text);
      if (breaks(query.text)) throw new Error('Connection terminated unexpectedly');
      return result;
    },
    connect: () => pool.connect() as unknown as ReturnType<PgPool['connect']>,
    end: async () => undefined,
  };
  return { own, texts };
}

describe('statements', () => {
  test('are one for each write: two of a keyed call, one or two for a step, none for what is not asked', async () => {
    const { own, texts } = watchedPool();
    const { calls } = await open(own);
    const count = async (work: () => Promise<unknown>) => {
      texts.length = 0;
      await work();
      return texts.length;
    };
    const withSteps = async (id: string, steps: number, effects: 'none' | 'writes') => {
      await calls.begin(call(id, { key: { text: id, countsMs: minute } }));
      for (let index = 0; index < steps; index += 1) {
        const one = { id: `${index}`, name: 'step', attempt: 1 };
        if (effects === 'writes') await calls.stepBegin(run(id), one);
        await calls.stepEnd(run(id), { ...one, record: 1 });
      }
      await calls.end(run(id), end('done'));
    };
    expect(await count(() => withSteps('a', 0, 'none'))).toBe(2);
    expect(await count(() => withSteps('b', 5, 'none'))).toBe(5 + 2);
    expect(await count(() => withSteps('c', 5, 'writes'))).toBe(10 + 2);
    await calls.begin(call('d'));
    expect(await count(() => calls.wait(run('d'), wait('q')))).toBe(1);
    expect(await count(() => calls.answer({ tenant: 't', handle: 'q' }, yes))).toBe(1);
    expect(await count(() => calls.takeDue({ process: 'q', tools: ['pay'], limit: 5 }))).toBe(2);
    expect(await count(() => calls.takeDue({ process: 'q', tools: ['pay'], limit: 5 }))).toBe(1);
    expect(await count(() => calls.heartbeat({ process: 'q', leaseMs: minute, ranMs: 0 }))).toBe(1);
    expect(await count(() => calls.look(['a', 'b', 'c'].map(at)))).toBe(1);
    expect(await count(() => calls.list({ tenant: 't', limit: 5 }))).toBe(1);
  });

  test('are shared by calls that write at once, and none waits for a row that somebody has', async () => {
    const { own, texts } = watchedPool();
    const { calls, schema } = await open(own);
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const keys = ids.map((id, index) => ({ key: { text: index < 3 ? 'same' : id, countsMs: minute } }));
    texts.length = 0;
    const begun = await Promise.all(ids.map((id, index) => calls.begin(call(id, keys[index]))));
    expect(begun.map(({ is }) => is)).toEqual(['begun', 'found', 'found', ...ids.slice(3).map(() => 'begun')]);
    // One statement, and one that finds what is in the way of those two.
    expect(texts).toHaveLength(2);
    const holder = await pool.connect();
    await holder.query(`BEGIN; SELECT FROM "${schema}".toolpact_calls WHERE id = 'c5' FOR UPDATE`);
    texts.length = 0;
    const steps = ids.map((id) => calls.stepEnd(run(id), { ...step, record: { paid: id } }));
    const [held] = steps.splice(5, 1);
    expect((await Promise.all(steps)).map(({ is }) => is)).toEqual(['written', 'lost', 'lost', ...steps.slice(3).map(() => 'written')]);
    expect(texts.length).toBeLessThan(10);
    const begunAlone = ids.filter((id) => !['c1', 'c2', 'c5'].includes(id));
    const ends = await Promise.all(begunAlone.map((id) => calls.end(run(id), end(id, { keepsSteps: id === 'c7' }))));
    expect(ends.every(({ is }) => is === 'written')).toBe(true);
    await holder.query('COMMIT');
    holder.release();
    expect(await held).toEqual({ is: 'written' });
    expect(await calls.get('t', 'c9')).toMatchObject({ stage: 'ended', outcome: outcome('c9') });
    expect(await calls.steps(at('c7'))).toMatchObject([{ record: { paid: 'c7' } }]);
    expect(await calls.steps(at('c9'))).toEqual([]);
  });

  test('of one call that waits for somebody do not hold up those of others', async () => {
    const { calls, schema } = await open();
    await Promise.all(['a', 'b'].map((id) => calls.begin(call(id))));
    const holder = await pool.connect();
    await holder.query(`BEGIN; SELECT FROM "${schema}".toolpact_calls WHERE id = 'a' FOR UPDATE`);
    const held = calls.end(run('a'), end('done'));
    await vi.waitFor(async () => {
      const { rows } = await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      expect(rows).not.toEqual([]);
    });
    expect(await calls.end(run('b'), end('done'))).toEqual({ is: 'written' });
    await holder.query('ROLLBACK');
    holder.release();
    expect(await held).toEqual({ is: 'written' });
  });

  test('that are shared are given up together where the server is away', async () => {
    let asked = 0;
    const away: PgPool = {
      query: async () => {
        asked += 1;
        throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      },
      connect: () => Promise.reject(new Error('unused')),
      end: async () => undefined,
    };
    const names = namesIn({});
    const { calls } = createPostgresLedger({
      session: createPgSession(async () => away, 0),
      names,
      channel: 'unheard',
      enter: (run) => run(),
      watch: () => () => undefined,
    });
    const begun = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => calls.begin(call(`c${index}`))));
    expect(begun.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBeLessThan(5);
  });

  test('that are shared fail for that call alone which is to blame', async () => {
    const { calls } = await open();
    await Promise.all(['a', 'b', 'c'].map((id) => calls.begin(call(id))));
    const attempts = [1, 1e12, 2];
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((id, index) => calls.stepBegin(run(id), { ...step, attempt: attempts[index] as number })),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await calls.steps(at('c'))).toMatchObject([{ attempt: 2, isOpen: true }]);
  });

  test('find their rows by an index, whatever they are asked for', async () => {
    const { schema, calls } = await open();
    const names = namesIn({ schema });
    await pool.query(`
      INSERT INTO ${names.calls} (tenant, id, tool, stage, epoch, process, status, promised, begun_at, created_at, changed_at, kept_until, keep_ms, origin, listed, start)
      SELECT 't', n::text, 'pay', CASE n % 50 WHEN 0 THEN 'running' WHEN 1 THEN 'waiting' ELSE 'ended' END, 1, 'p' || n % 4, 'ok', true, now(), now(), now(), now() + (n > 4990)::integer * interval '1 hour', 1, n::text, '{}', '{}'
      FROM generate_series(1, 5000) AS n;
      INSERT INTO ${names.steps} (call, id, name, attempt, epoch, open) SELECT n, 's', 's', 1, 1, false FROM generate_series(1, 5000) AS n;
      INSERT INTO ${names.questions} (call, tenant, handle, kind, id, state, asked_at, ask)
      SELECT n, 't', n::text, 'input', 'q', CASE n % 50 WHEN 1 THEN 'open' ELSE 'answered' END, now(), '{}' FROM generate_series(1, 5000) AS n`);
    const client = await pool.connect();
    // As a connection plans that has used them often.
    await client.query('SET plan_cache_mode = force_generic_plan');
    const looked: string[] = [];
    const explain = async (path: string, statement: unknown): Promise<void> => {
      if (typeof statement !== 'function') {
        for (const [name, part] of Object.entries(statement as object)) await explain(`${path}.${name}`, part);
        return;
      }
      const { text, values } = statement({}) as { readonly text: string; readonly values: readonly unknown[] };
      await client.query(`PREPARE explained AS ${text}`);
      const { rows } = await client.query(`EXPLAIN EXECUTE explained (${values.map(() => 'NULL').join(', ')})`);
      await client.query('DEALLOCATE explained');
      const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
      if (/Seq Scan on \S*(calls|steps|questions)/.test(plan)) looked.push(`${path}\n${plan}`);
    };
    // Lists are planned for their values.
    const { list: _, questions: __, ...statements } = callStatements({ ...names, channel: `'c'` } as never, 'clock_timestamp()');
    await explain('', statements);
    client.release();
    expect(looked).toEqual([]);
    expect((await calls.list({ tenant: 't', limit: 2 })).rows.map(({ id }) => id)).toHaveLength(2);
  });
});

describe('a connection that breaks after the server has written', () => {
  const broken: readonly (readonly [name: string, (calls: Ledger) => Promise<unknown>])[] = [
    ['begin', (calls) => calls.begin(call('new'))],
    ['take', (calls) => calls.take(at('w'), { epoch: 1, process: 'q', from: 'waiting' })],
    ['takeDue', (calls) => calls.takeDue({ process: 'q', tools: ['pay'], limit: 1 })],
    ['stepBegin', (calls) => calls.stepBegin(run('a'), step)],
    ['stepEnd', (calls) => calls.stepEnd(run('a'), { ...step, record: 1 })],
    ['wait', (calls) => calls.wait(run('a'), wait('q'))],
    ['answer', (calls) => calls.answer({ tenant: 't', handle: 'w' }, yes)],
    ['cancel', (calls) => calls.cancel(at('a'), {})],
    ['note', (calls) => calls.note(run('a'), { progress: {} })],
  ];
  test.each(broken)('lets %s be rejected, and repeats nothing', async (_, write) => {
    let isBroken = false;
    const { own, texts } = watchedPool(() => isBroken);
    const { calls } = await open(own);
    await calls.begin(call('a'));
    await calls.begin(call('w', { wait: wait('w', { wakeMs: 0 }) }));
    [isBroken, texts.length] = [true, 0];
    await expect(write(calls)).rejects.toThrow('Connection terminated');
    expect(texts).toHaveLength(1);
    isBroken = false;
  });

  test('lets the end be recognized that was written', async () => {
    let breaks = 0;
    const { own } = watchedPool(() => breaks-- > 0);
    const { calls } = await open(own);
    await calls.begin(call('a'));
    breaks = 1;
    expect(await calls.end(run('a'), end('done'))).toEqual({ is: 'written' });
    expect(await calls.get('t', 'a')).toMatchObject({ stage: 'ended', outcome: outcome('done'), changes: 2 });
    breaks = 1;
    expect(await calls.end(run('a'), end('other'))).toMatchObject({ is: 'lost', call: { outcome: outcome('done') } });
  });

  test('lets a sign of life and all that only reads go on', async () => {
    let breaks = 0;
    const { own } = watchedPool(() => breaks-- > 0);
    const { calls } = await open(own);
    await calls.begin(call('a'));
    breaks = 1;
    expect(await calls.heartbeat({ process: 'p', leaseMs: minute, ranMs: 0 })).toMatchObject([{ id: 'a', epoch: 1 }]);
    breaks = 1;
    expect(await calls.get('t', 'a')).toMatchObject({ stage: 'running' });
  });
});

describe('whoever watches', () => {
  test('shares one connection and asks nothing while nothing changes, however many there are', async () => {
    const { own, texts } = watchedPool();
    const { calls } = await open(own);
    const heard = vi.fn();
    const stops = Array.from({ length: 2000 }, () => calls.watch(heard));
    // All are told to look as soon as something can be heard.
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2000));
    texts.length = 0;
    heard.mockClear();
    await calls.begin(call('a', { wait: wait('q') }));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2000));
    expect(heard).toHaveBeenLastCalledWith(at('a'));
    expect(texts).toHaveLength(1);
    const { rows } = await pool.query("SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
    expect(rows).toHaveLength(1);
    for (const stop of stops) stop();
  });

  test('is told to look again after the connection broke', async () => {
    const { calls } = await open();
    const listening = async () => (await pool.query("SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle'")).rows;
    const heard = vi.fn();
    calls.watch(heard);
    await vi.waitFor(async () => expect(await listening()).toHaveLength(1));
    await vi.waitFor(() => expect(heard).toHaveBeenCalled());
    const [{ pid: broken }] = await listening();
    heard.mockClear();
    await pool.query('SELECT pg_terminate_backend($1)', [broken]);
    // A signal that is sent before somebody listens again is lost; whoever watches is told to look once somebody does.
    await vi.waitFor(async () => expect(await listening()).toEqual([{ pid: expect.not.toBeOneOf([broken]) }]));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(undefined));
    await calls.begin(call('a', { wait: wait() }));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(at('a')));
  });

  test('hears nothing of another store in the same database', async () => {
    const [{ calls: others }, { calls }] = [await open(), await open()];
    const heard = vi.fn();
    calls.watch(heard);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled());
    heard.mockClear();
    await others.begin(call('theirs', { wait: wait() }));
    await calls.begin(call('ours', { wait: wait() }));
    // Signals arrive in the order in which they were sent.
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(at('ours')));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('hears of a call whose name is too long for a signal that any may have changed', async () => {
    const { calls } = await open();
    const heard = vi.fn();
    calls.watch(heard);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled());
    heard.mockClear();
    const id = 'i'.repeat(10_000);
    await calls.begin(call(id, { wait: wait() }));
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(undefined));
    expect(await calls.get('t', id)).toMatchObject({ id, handle: id, origin: id });
  });
});

test.each([
  ['calls', 'listed'],
  ['calls', 'start'],
  ['calls', 'outcome'],
  ['calls', 'progress'],
  ['questions', 'ask'],
  ['grants', 'permit'],
])('an edit by hand that would hide all calls of a tenant is refused: %s.%s is an object', async (table, column) => {
  const { calls, schema } = await open();
  await calls.begin(call('a', { wait: wait('q') }));
  const grant = { id: 'g', tool: 'pay', scope: '', permit: {}, expiresMs: minute, keepMs: minute };
  await calls.answer({ tenant: 't', handle: 'q' }, { ...yes, grant });
  for (const value of ['null', '5', '[]'])
    await expect(pool.query(`UPDATE "${schema}".toolpact_${table} SET ${column} = $1`, [value])).rejects.toThrow('check constraint');
});

test('a grant may be for longer than the server can count', async () => {
  const { calls } = await open();
  await calls.begin(call('a', { wait: wait('q') }));
  const grant = { id: 'g', tool: 'pay', scope: '', permit: {}, expiresMs: Number.MAX_VALUE, keepMs: Number.MAX_VALUE };
  expect(await calls.answer({ tenant: 't', handle: 'q' }, { ...yes, grant })).toMatchObject({ is: 'answered' });
  expect(await calls.grants({ tenant: 't', onlyActive: true, limit: 10 })).toMatchObject([{ id: 'g', isActive: true }]);
});

test('a sweep deletes forgotten calls with all that belongs to them, and the processes that nobody asks for', async () => {
  const { calls, schema, store } = await open();
  for (const id of ['old', 'kept']) {
    await calls.begin(call(id, { keepMs: id === 'old' ? 0 : minute, wait: wait(`q ${id}`) }));
    await calls.stepEnd(run(id), { ...step, record: 1 });
    await calls.end(run(id), end('done', { keepsSteps: true }));
  }
  await pool.query(
    `INSERT INTO "${schema}".toolpact_processes VALUES ('gone', now() - interval '2 days'), ('runs', now() - interval '2 days')`,
  );
  await calls.begin(call('runs', { process: 'runs' }));
  await vi.waitFor(async () => expect(await calls.get('t', 'old')).toBeUndefined());
  expect(await store.sweep()).toBe(1);
  const count = async (table: string) => (await pool.query(`SELECT count(*)::int AS n FROM "${schema}".toolpact_${table}`)).rows[0].n;
  expect(await Promise.all(['calls', 'steps', 'questions', 'processes'].map(count))).toEqual([2, 1, 1, 3]);
});

test('a sweep lets the server count the rows of tables that have grown, and of no others', async () => {
  const { calls, schema, store } = await open();
  await calls.begin(call('a'));
  const analyzed = async () => {
    const text = 'SELECT relname, reltuples FROM pg_class WHERE relkind = $1 AND relnamespace = $2::regnamespace AND reltuples > 0';
    return (await pool.query(text, ['r', `"${schema}"`])).rows;
  };
  expect(await analyzed()).toEqual([]);
  await store.sweep();
  expect(await analyzed()).toEqual([{ relname: 'toolpact_calls', reltuples: 1 }]);
  await calls.begin(call('b'));
  await store.sweep();
  expect(await analyzed()).toEqual([{ relname: 'toolpact_calls', reltuples: 1 }]);
  await Promise.all(Array.from({ length: 500 }, (_, index) => calls.begin(call(`c${index}`))));
  await store.sweep();
  expect(await analyzed()).toEqual([{ relname: 'toolpact_calls', reltuples: 502 }]);
});

test('a sweep deletes what is to be forgotten also where the server counts no rows', async () => {
  const refusing: PgPool = {
    query: (query) => (/^ANALYZE/.test(query.text) ? Promise.reject(new Error('not now')) : pool.query(query as pg.QueryConfig)),
    connect: () => pool.connect() as unknown as ReturnType<PgPool['connect']>,
    end: async () => undefined,
  };
  const { calls, store } = await open(refusing);
  await calls.begin(call('old', { keepMs: 0 }));
  await calls.end(run('old'), end('done'));
  await vi.waitFor(async () => expect(await calls.get('t', 'old')).toBeUndefined());
  expect(await store.sweep()).toBe(1);
});

test('a sweep does not wait for whoever vacuums a table or gives it an index', async () => {
  const { calls, schema, store } = await open();
  await calls.begin(call('a'));
  const other = await pool.connect();
  try {
    await other.query(`BEGIN; LOCK TABLE "${schema}".toolpact_calls IN SHARE UPDATE EXCLUSIVE MODE`);
    // The lock is given back after this: a sweep that waited for it would never end.
    expect(await store.sweep()).toBe(0);
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
});

test('writes begin no sweep while another one is under way', async () => {
  let sweeps = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const slow: PgPool = {
    async query(query) {
      if (query.text.includes('pg_relation_size')) {
        sweeps += 1;
        await held;
      }
      return pool.query(query as pg.QueryConfig);
    },
    connect: () => pool.connect() as unknown as ReturnType<PgPool['connect']>,
    end: async () => undefined,
  };
  const { calls } = await open(slow);
  for (let rounds = 0; rounds < 5; rounds += 1) await Promise.all(Array.from({ length: 1000 }, () => calls.isAlive('p')));
  release();
  expect(sweeps).toBe(1);
});

test('keeps no call longer than the retention of the store', async () => {
  const store = postgresStore({ pool, schema: newSchema(), retentionMs: 1000 });
  await store.calls?.begin(call('a'));
  const { keptUntil = 0, begunAt = 0 } = (await store.calls?.get('t', 'a')) ?? {};
  expect(keptUntil - begunAt).toBe(1000);
  await store.close();
});
