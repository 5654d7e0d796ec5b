import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seededStore } from '../../../../../proofs/fixtures/seeded-store.ts';
import { skipTime, takes, until, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { Guard, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { idempotency } from '../idempotency/idempotency.ts';
import { defer } from '../waits/defer.ts';
import { type JournalOptions, journal } from './journal.ts';

skipTime();

const tenant = '00000000-0000-0000-0000-000000000000';
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const effectOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.effect : outcome.status);
const never = () => new Promise<never>(() => undefined);

interface Process {
  readonly store: Store;
  readonly options?: Partial<JournalOptions>;
  readonly run?: () => unknown;
  readonly effects?: 'none' | 'idempotent' | 'writes';
  readonly use?: readonly Guard[];
}

/** A process of its own: a toolbox with a tool, and how often that ran. */
function start({ store, options = {}, run = () => 'done', effects = 'writes', use = [] }: Process) {
  const runs: string[] = [];
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    input: z.object({ id: z.string() }),
    effects,
    run: ({ id }) => {
      runs.push(id);
      return run() as string;
    },
  });
  const box = createToolbox([act], { use: [journal({ store, ...options }), ...use], report: () => undefined });
  return {
    runs,
    act: (context: { signal?: AbortSignal; idempotencyKey?: string } = {}) => box.call('act', { id: '1' }, { runId: 'run_1', ...context }),
    resume: () => box.resume('run_1'),
    hows: async () => (await box.resume('run_1')).map(({ how, outcome }) => [how, kindOf(outcome)]),
  };
}

/** A promise that is settled from outside. */
function gate<TValue = unknown>() {
  let open: (value: TValue) => void = () => undefined;
  const opened = new Promise<TValue>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const sign = (store: Store) => store.list({ space: 'owner', tenant });
const calls = (store: Store, space: 'call' | 'call-end') => store.list({ space, tenant });

/** Leaves a call behind whose process died. */
async function crash(store: Store, effects: Process['effects'] = 'writes', use: readonly Guard[] = []): Promise<void> {
  const dead = start({ store, effects, use, run: never, options: { leaseMs: 1e9 } });
  void dead.act({ idempotencyKey: 'k' });
  await until(() => expect(dead.runs).toEqual(['1']));
  for (const { space, key } of await sign(store)) await store.remove({ space, tenant, key });
}

describe('a call that is stopped while its start is written', () => {
  test('has an end in the journal all the same, and leaves no sign of life behind', async () => {
    const store = memoryStore();
    const [stop, writing] = [new AbortController(), gate()];
    const slow: Store = {
      ...store,
      put: (draft, expect) => (draft.space === 'call' ? writing.opened.then(() => store.put(draft, expect)) : store.put(draft, expect)),
    };
    const one = start({ store: slow, options: { leaseMs: 30 } });
    const outcome = one.act({ signal: stop.signal });
    stop.abort();
    expect(kindOf(await outcome)).toBe('cancelled');
    writing.open(undefined);
    await until(async () => expect(await calls(store, 'call-end')).toHaveLength(1));
    expect(one.runs).toEqual([]);
    await until(async () => expect(await sign(store)).toEqual([]));
  });
});

describe('a process', () => {
  test.each([
    ['behind', -5],
    ['ahead', 5],
  ])('whose clock is minutes %s is known to be alive', async (_, minutes) => {
    const store = memoryStore();
    const slow = start({ store, run: never, effects: 'none', options: { now: () => Date.now() + minutes * 60_000 } });
    await withStoppedTime(async () => {
      void slow.act();
      await until(() => expect(slow.runs).toEqual(['1']));
      const other = start({ store, effects: 'none' });
      expect([await other.hows(), other.runs]).toEqual([[['running', 'pending']], []]);
    });
  });

  test.each([
    ['behind', -5],
    ['ahead', 5],
  ])('whose clock was minutes %s is followed once when it died', async (_, minutes) => {
    const store = memoryStore();
    // From its second sign of life on nothing of it arrives.
    let signs = 0;
    const cut: Store = {
      ...store,
      put: (draft, expect) => (draft.space === 'owner' && signs++ > 0 ? never() : store.put(draft, expect)),
    };
    const options = { leaseMs: 30, now: () => Date.now() + minutes * 60_000 };
    const dead = start({ store: cut, run: never, effects: 'idempotent', options });
    void dead.act();
    await until(() => expect(dead.runs).toEqual(['1']));
    const others = [-2, 0, 3].map((differs) =>
      start({ store, effects: 'idempotent', options: { leaseMs: 30, now: () => Date.now() + differs * 60_000 } }),
    );
    for (const other of others) while ((await other.hows())[0]?.[0] !== 'recorded') await takes(1);
    expect(others.flatMap(({ runs }) => runs)).toEqual(['1']);
  });

  test('that cannot show that it is alive records no call, which others would take for one of a dead process', async () => {
    const store = memoryStore();
    const mute: Store = {
      ...store,
      put: (draft, expect) => (draft.space === 'owner' ? Promise.reject(new Error('no')) : store.put(draft, expect)),
    };
    const outcome = await start({ store: mute }).act();
    expect([outcome.status, outcome.meta.warnings]).toEqual(['ok', ['not recorded: the store failed: internal']]);
    expect(await calls(store, 'call')).toEqual([]);
  });

  test('that stood still puts the real end in place of the guess of those who took it for dead', async () => {
    const store = memoryStore();
    const work = gate();
    const slow = start({ store, run: () => work.opened, options: { leaseMs: 1e9 } });
    const outcome = slow.act();
    await until(() => expect(slow.runs).toEqual(['1']));
    for (const { space, key } of await sign(store)) await store.remove({ space, tenant, key });
    const other = start({ store });
    expect(await other.hows()).toEqual([['interrupted', 'interrupted']]);
    work.open('done');
    expect(kindOf(await outcome)).toBe('ok');
    expect([await other.hows(), other.runs]).toEqual([[['recorded', 'ok']], []]);
  });

  test('whose start was written although the store did not say so writes its end too', async () => {
    const store = memoryStore();
    const flaky: Store = {
      ...store,
      async put(draft, expect) {
        const result = await store.put(draft, expect);
        if (draft.space === 'call') throw new Error('connection lost');
        return result;
      },
    };
    expect((await start({ store: flaky }).act()).meta.warnings).toEqual(['not recorded: the store failed: unreachable']);
    await until(async () => expect(await start({ store }).hows()).toEqual([['recorded', 'ok']]));
  });
});

describe('resuming', () => {
  test('again after the store failed in the middle settles the call', async () => {
    const store = memoryStore();
    await crash(store);
    let fails = true;
    const flaky: Store = {
      ...store,
      get: (at) => (fails && at.space === 'call-end' ? Promise.reject(new Error('gone')) : store.get(at)),
    };
    const one = start({ store: flaky });
    await expect(one.resume()).rejects.toThrow('the store failed');
    fails = false;
    expect(await one.hows()).toEqual([['interrupted', 'interrupted']]);
  });

  test('says where the end that it found is not recorded', async () => {
    const store = memoryStore();
    await crash(store);
    let isFull = true;
    const full: Store = {
      ...store,
      put: (draft, expect) => (isFull && draft.space === 'call-end' ? Promise.reject(new Error('full')) : store.put(draft, expect)),
    };
    const one = start({ store: full });
    const told = async () => (await one.resume()).map(({ how, outcome }) => [how, outcome.meta.warnings]);
    expect(await told()).toEqual([['interrupted', ['its end is not recorded: the store failed: internal']]]);
    isFull = false;
    expect(await told()).toEqual([['interrupted', undefined]]);
    expect(await told()).toEqual([['recorded', undefined]]);
  });

  test('at the same time in one process settles each call once', async () => {
    const store = memoryStore();
    await crash(store, 'idempotent');
    const work = gate();
    const one = start({ store, effects: 'idempotent', run: () => work.opened });
    const first = one.hows();
    await until(() => expect(one.runs).toEqual(['1']));
    expect(await one.hows()).toEqual([['running', 'pending']]);
    work.open('done');
    expect([await first, one.runs]).toEqual([[['repeated', 'ok']], ['1']]);
  });

  test('rejects when the store hangs', async () => {
    await expect(start({ store: { ...memoryStore(), list: never } }).resume()).rejects.toThrow('did not answer');
  });

  test.each([
    ['writes', 'unknown'],
    ['idempotent', 'unknown'],
    ['none', 'none'],
  ] as const)('does not take the refusal of a repetition (%s) for the end of the call', async (effects, effect) => {
    const store = seededStore();
    let claims = 0;
    const cut: Store = { ...store, put: (draft, expect) => (claims++ > 0 ? never() : store.put(draft, expect)) };
    await crash(store, effects, [idempotency({ store: cut, leaseMs: 1 })]);
    let isShut = true;
    const limit: Guard = defineGuard({
      name: 'shut',
      phase: 'limit',
      around: (call, next) => (isShut ? call.refuse('rate_limited', 'Too many calls.', { effect: 'none' }) : next()),
    });
    const next = start({ store, effects, use: [limit, idempotency({ store, leaseMs: 1 })] });
    const [refused] = await next.resume();
    expect([refused?.how, refused && kindOf(refused.outcome), refused && effectOf(refused.outcome)]).toEqual([
      'interrupted',
      'interrupted',
      effect,
    ]);
    expect(refused?.outcome.meta.warnings).toEqual(['its end is not recorded: the next resume of its run decides about it']);
    isShut = false;
    const other = start({ store, effects, use: [idempotency({ store, leaseMs: 1 })] });
    expect(await other.hows()).toEqual([effects === 'writes' ? ['interrupted', 'interrupted'] : ['repeated', 'ok']]);
    expect(await next.hows()).toEqual([['recorded', effects === 'writes' ? 'interrupted' : 'ok']]);
  });

  test('gives the end that the process itself wrote meanwhile', async () => {
    const store = memoryStore();
    const work = gate();
    const slow = start({ store, effects: 'idempotent', run: () => work.opened, options: { leaseMs: 1e9 } });
    const outcome = slow.act();
    await until(() => expect(slow.runs).toEqual(['1']));
    for (const { space, key } of await sign(store)) await store.remove({ space, tenant, key });
    const repeated = gate();
    const other = start({ store, effects: 'idempotent', run: () => repeated.opened });
    const resumed = other.resume();
    await until(() => expect(other.runs).toEqual(['1']));
    work.open('first');
    await outcome;
    repeated.open('second');
    const [call] = await resumed;
    expect([call?.how, call?.outcome.status === 'ok' && call.outcome.data]).toEqual(['recorded', 'first']);
  });
});

test('a call with steps that is stopped while its start is recorded leaves nothing for a worker to take over', async () => {
  const inner = memoryStore();
  const [asked, writing] = [gate(), gate()];
  const put: Store['put'] = async (draft, expected) => {
    if (draft.space === 'call') {
      asked.open(undefined);
      await writing.opened;
    }
    return inner.put(draft, expected);
  };
  let runs = 0;
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    steps: true,
    run: () => {
      runs += 1;
    },
  });
  const box = createToolbox([act], { use: [journal({ store: { ...inner, put } })], report: () => undefined });
  const stop = new AbortController();
  const call = box.call('act', {}, { signal: stop.signal });
  await asked.opened;
  stop.abort();
  expect(kindOf(await call)).toBe('cancelled');
  writing.open(undefined);
  await until(async () => expect(await calls(inner, 'call-end')).toHaveLength(1));
  expect([runs, await inner.list({ space: 'open-call', tenant })]).toEqual([0, []]);
});

test.each([
  ['nothing', undefined],
  ['no list', {}],
  ['a list of nothing', [null]],
])('a store that lists %s leaves no rejected promise behind, which would end the process', async (_, listed) => {
  const rejected: unknown[] = [];
  const hear = (reason: unknown) => rejected.push(reason);
  process.on('unhandledRejection', hear);
  const store: Store = { ...memoryStore(), list: async () => listed as never };
  const act = defineTool({ name: 'act', description: 'Acts.', deferAfterMs: 10, run: () => takes(3000).then(() => 'done') });
  const box = createToolbox([act], { use: [journal({ store }), defer({ store })], report: () => undefined });
  const first = await box.call('act', {}, { runId: 'r1' });
  const outcome = await box.wait(first.status === 'pending' ? first.pending.handle : '');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', hear);
  expect([kindOf(outcome), rejected]).toEqual(['ok', []]);
  const wrong = /the store gave something that is not a list of records/;
  await expect(box.resume('r1')).rejects.toThrow(wrong);
  await expect(box.listPending()).rejects.toThrow(wrong);
});
