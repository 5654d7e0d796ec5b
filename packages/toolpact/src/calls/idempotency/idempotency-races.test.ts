import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { seededStore } from '../../../../../proofs/fixtures/seeded-store.ts';
import { skipTime, until, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { RunStep, StepRunContext } from '../../contract/index.ts';
import { createToolbox, defineTool, fail, type Outcome } from '../../index.ts';
import type { RecordDraft, Store } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';
import { type IdempotencyOptions, idempotency } from './idempotency.ts';

skipTime();

const minutes = 60_000;
const tenant = '00000000-0000-0000-0000-000000000000';
const at = { space: 'claim', tenant, key: '["pay","f982722f436733feddc921174bb2de4cfbe5b96ca54dbeaad277eff666f0ef76"]' };
const args = { order: 'o1' };
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const effectOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.effect : outcome.status);
const dataOf = (outcome: Outcome) => (outcome.status === 'ok' ? outcome.data : kindOf(outcome));
const never = () => new Promise<never>(() => undefined);

interface Payer {
  readonly store: Store;
  readonly guard?: Partial<IdempotencyOptions>;
  readonly effects?: 'idempotent' | 'writes';
  readonly ttlMs?: number;
  readonly run?: (step: RunStep) => unknown;
  /** Whether it changes things in steps only. */
  readonly steps?: true;
  readonly reconcile?: () => unknown;
}

/** A process of its own: a toolbox with one tool, and how often that ran. */
function payer({ store, guard = {}, effects = 'writes', ttlMs, run = () => 'paid', steps, reconcile }: Payer) {
  const runs: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ order: z.string() }),
    effects,
    idempotency: { key: ({ order }) => order, ...(ttlMs !== undefined && { ttlMs }) },
    ...(reconcile !== undefined && { reconcile: reconcile as never }),
    ...(steps && { steps }),
    run: ({ order }: { order: string }, ctx: Partial<StepRunContext>) => {
      runs.push(order);
      return run(ctx.step ?? ((_, fn) => Promise.resolve(fn('key', new AbortController().signal)))) as string;
    },
  });
  const box = createToolbox([pay], { use: [idempotency({ store, ...guard })], report: () => undefined });
  return { runs, pay: (context: { timeoutMs?: number } = {}) => box.call('pay', args, context) };
}

/** A promise that is settled from outside. */
function gate<TValue = unknown>() {
  let open: (value: TValue) => void = () => undefined;
  const opened = new Promise<TValue>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** The same store for a process that is cut off after its first writes: it hangs from then on, as a process that was killed does. */
function dying(store: Store, writes = 1): Store {
  let written = 0;
  return { ...store, put: (draft, expect) => (written++ < writes ? store.put(draft, expect) : never()) };
}

const claimed = (store: Store) => until(async () => expect(await store.get(at)).toBeDefined());
const stateOf = async (store: Store) => ((await store.get(at))?.value as { state?: string } | undefined)?.state;

// First, because owners that die in later tests leave theirs.
test('calls that are over leave no timer behind', async () => {
  await withStoppedTime(async () => {
    const { pay } = payer({ store: seededStore(), guard: { leaseMs: 30 } });
    await Promise.all([pay(), pay()]);
    await pay();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('clocks that differ by minutes', () => {
  test.each([
    ['behind', -5 * minutes],
    ['ahead', 5 * minutes],
  ])('do not rob a slow owner whose clock is %s', async (_, skew) => {
    const store = seededStore();
    const work = gate();
    const guard = { leaseMs: 60 };
    const slow = payer({ store, guard: { ...guard, now: () => Date.now() + skew }, run: () => work.opened });
    const first = slow.pay();
    await claimed(store);
    const other = payer({ store, guard, effects: 'idempotent' });
    const second = other.pay();
    await until(async () => expect((await store.get(at))?.version).toBeGreaterThan(10));
    expect(other.runs).toEqual([]);
    work.open('slow');
    expect([dataOf(await first), dataOf(await second)]).toEqual(['slow', 'slow']);
  });

  test.each([
    ['behind', -5 * minutes],
    ['ahead', 5 * minutes],
  ])('let a killed owner be followed exactly once, whose clock was %s', async (_, skew) => {
    const store = seededStore();
    const dead = payer({ store: dying(store), guard: { leaseMs: 30, now: () => Date.now() + skew }, run: never });
    void dead.pay();
    await claimed(store);
    const others = [-2, 0, 3].map((differs) =>
      payer({ store, guard: { leaseMs: 30, now: () => Date.now() + differs * minutes }, effects: 'idempotent' }),
    );
    expect((await Promise.all(others.map(({ pay }) => pay()))).map(dataOf)).toEqual(['paid', 'paid', 'paid']);
    expect(others.flatMap(({ runs }) => runs)).toEqual(['o1']);
  });

  test('do not make a short-lived key of a running call expire', async () => {
    const store = seededStore();
    const work = gate();
    const slow = payer({ store, guard: { leaseMs: 60, now: () => Date.now() - 5 * minutes }, ttlMs: 1000, run: () => work.opened });
    const first = slow.pay();
    await until(() => expect(slow.runs).toEqual(['o1']));
    const other = payer({ store, guard: { leaseMs: 60 } });
    const second = other.pay({ timeoutMs: 200 });
    expect([kindOf(await second), other.runs]).toEqual(['timeout', []]);
    work.open('slow');
    expect(dataOf(await first)).toBe('slow');
  });
});

describe('an owner', () => {
  test('keeps its key while it runs, however short the time its outcome is remembered', async () => {
    let time = 1_000_000;
    const now = () => time;
    const store = seededStore({ now });
    const slow = payer({ store, guard: { now, leaseMs: 30_000 }, ttlMs: 10, run: never });
    void slow.pay();
    await claimed(store);
    time += 1000;
    const other = payer({ store, guard: { now, leaseMs: 30_000 } });
    expect([kindOf(await other.pay({ timeoutMs: 30 })), other.runs]).toEqual(['timeout', []]);
  });

  test('that died is followed although no single call waits as long as its lease', async () => {
    const store = seededStore();
    void payer({ store: dying(store), guard: { leaseMs: 150 }, run: never }).pay();
    await claimed(store);
    const next = payer({ store, guard: { leaseMs: 150 }, effects: 'idempotent' });
    const kinds: string[] = [];
    for (;;) {
      kinds.push(dataOf(await next.pay({ timeoutMs: 40 })) as string);
      if (kinds.at(-1) === 'paid') break;
    }
    expect([kinds[0], next.runs]).toEqual(['timeout', ['o1']]);
  });

  test('that was robbed while it stood still puts its outcome in place of the guess made meanwhile', async () => {
    const store = seededStore();
    const [work, stall] = [gate(), gate()];
    let writes = 0;
    const stalling: Store = {
      ...store,
      put: (...given) => (writes++ === 0 ? store.put(...given) : stall.opened.then(() => store.put(...given))),
    };
    const slow = payer({ store: stalling, guard: { leaseMs: 30 }, run: () => work.opened });
    const first = slow.pay();
    await claimed(store);
    const other = payer({ store, guard: { leaseMs: 30 } });
    expect(kindOf(await other.pay())).toBe('interrupted');
    work.open('it was paid');
    stall.open(undefined);
    expect(dataOf(await first)).toBe('it was paid');
    expect([dataOf(await other.pay()), other.runs, slow.runs]).toEqual(['it was paid', [], ['o1']]);
  });

  test('that was robbed never touches the call of another process that took the freed key later', async () => {
    const store = seededStore();
    const [work, stall] = [gate(), gate()];
    let writes = 0;
    const stalling: Store = {
      ...store,
      put: (...given) => (writes++ === 0 ? store.put(...given) : stall.opened.then(() => store.put(...given))),
    };
    const guard = { leaseMs: 30 };
    const slow = payer({ store: stalling, guard, effects: 'idempotent', run: () => work.opened });
    const first = slow.pay();
    await claimed(store);
    // The key is taken over and given back.
    const failing = payer({ store, guard, effects: 'idempotent', run: () => fail('unreachable', 'down') });
    expect(kindOf(await failing.pay())).toBe('unreachable');
    // Another process has it now, and the first owner wakes up and fails.
    const third = payer({ store, guard: { leaseMs: 10_000 }, effects: 'idempotent', run: never });
    void third.pay();
    await until(() => expect(third.runs).toEqual(['o1']));
    stall.open(undefined);
    work.open(fail('unreachable', 'down'));
    expect(kindOf(await first)).toBe('interrupted');
    expect(await stateOf(store)).toBe('running');
    const fourth = payer({ store, guard: { leaseMs: 10_000 }, effects: 'idempotent' });
    expect([kindOf(await fourth.pay({ timeoutMs: 30 })), fourth.runs]).toEqual(['timeout', []]);
  });

  test('whose renewal counted although its answer was lost stays the owner', async () => {
    const store = seededStore();
    const work = gate();
    let writes = 0;
    const flaky: Store = {
      ...store,
      async put(draft, expect) {
        const result = await store.put(draft, expect);
        if (writes++ === 1) throw new Error('connection lost');
        return result;
      },
    };
    const { pay, runs } = payer({ store: flaky, guard: { leaseMs: 30 }, run: () => work.opened });
    const first = pay();
    await until(() => expect(writes).toBeGreaterThan(3));
    work.open('paid');
    const outcome = await first;
    expect([dataOf(outcome), outcome.meta.warnings, await stateOf(store)]).toEqual(['paid', undefined, 'done']);
    expect([(await pay()).meta.replayed, runs]).toEqual([true, ['o1']]);
  });

  test('does not pile up renewals on a store that answers slowly', async () => {
    const store = seededStore();
    const [work, answers] = [gate(), gate()];
    let renewals = 0;
    const slow: Store = {
      ...store,
      put(draft, expect) {
        if (expect === 0) return store.put(draft, expect);
        renewals += 1;
        return answers.opened.then(() => store.put(draft, expect));
      },
    };
    const outcome = payer({ store: slow, guard: { leaseMs: 6 }, run: () => work.opened }).pay();
    await until(() => expect(renewals).toBe(1));
    // Time for twenty more.
    await sleep(60);
    work.open('paid');
    answers.open(undefined);
    expect([dataOf(await outcome), renewals]).toEqual(['paid', 2]);
  });
});

describe('a call that joined another', () => {
  test('and has more time than that one does not hear of its deadline', async () => {
    const store = seededStore();
    const work = gate();
    const elsewhere = payer({ store, run: () => work.opened });
    void elsewhere.pay();
    await until(() => expect(elsewhere.runs).toEqual(['o1']));
    const { pay } = payer({ store });
    const [short, long] = [pay({ timeoutMs: 30 }), pay()];
    expect(kindOf(await short)).toBe('timeout');
    work.open('paid');
    expect(dataOf(await long)).toBe('paid');
  });
});

describe('a tool that is given up', () => {
  test('and answers after all has its result kept', async () => {
    const store = seededStore();
    const work = gate();
    const { pay, runs } = payer({ store, guard: { lateMs: 10 }, run: () => work.opened });
    expect(kindOf(await pay({ timeoutMs: 10 }))).toBe('timeout');
    await until(async () => expect(await stateOf(store)).toBe('unknown'));
    work.open('very late');
    await until(async () => expect(dataOf(await pay())).toBe('very late'));
    expect(runs).toEqual(['o1']);
  });

  test('before it began its effect is not run beside itself: it may still begin', async () => {
    const store = seededStore();
    const work = gate();
    const { pay, runs } = payer({
      store,
      guard: { lateMs: 10 },
      steps: true,
      run: async (step) => {
        await work.opened;
        return step('pay', () => 'paid');
      },
    });
    expect(effectOf(await pay({ timeoutMs: 10 }))).toBe('none');
    await until(async () => expect(await stateOf(store)).not.toBe('running'));
    expect([effectOf(await pay({ timeoutMs: 10 })), runs]).toEqual(['unknown', ['o1']]);
  });
});

describe('a call whose deadline passes', () => {
  test('at the moment it gets a freed key gives the key back: it did not run', async () => {
    const store = seededStore();
    const [work, taking] = [gate(), gate()];
    const elsewhere = payer({ store, run: () => work.opened });
    void elsewhere.pay();
    await until(() => expect(elsewhere.runs).toEqual(['o1']));
    let isFreed = false;
    const slowly: Store = {
      ...store,
      put: async (draft: RecordDraft, expect) => {
        const result = await store.put(draft, expect);
        if (isFreed) await taking.opened;
        return result;
      },
    };
    const waiting = payer({ store: slowly }).pay({ timeoutMs: 60 });
    await until(async () => expect((await store.get(at))?.version).toBe(1));
    isFreed = true;
    work.open(fail('unreachable', 'down', { effect: 'none' }));
    expect(kindOf(await waiting)).toBe('timeout');
    taking.open(undefined);
    const last = payer({ store });
    const seen: unknown[] = [];
    while (seen.at(-1) !== 'paid' && seen.length < 20) seen.push(dataOf(await last.pay()));
    expect(seen.at(-1)).toBe('paid');
    expect(last.runs).toEqual(['o1']);
  });
});

describe('an interrupted call', () => {
  test('of a tool with steps is not known either, and is never run again', async () => {
    const store = seededStore();
    const dead = payer({
      store: dying(store),
      guard: { leaseMs: 10 },
      steps: true,
      run: (step) => step('pay', never),
    });
    void dead.pay();
    await claimed(store);
    const next = payer({
      store,
      guard: { leaseMs: 10 },
      steps: true,
      run: (step) => step('pay', () => 'paid again'),
    });
    const outcomes = [await next.pay(), await next.pay(), await next.pay()];
    expect([outcomes.map(kindOf), outcomes.map(effectOf), next.runs]).toEqual([
      ['interrupted', 'interrupted', 'interrupted'],
      ['unknown', 'unknown', 'unknown'],
      [],
    ]);
  });
});

describe('a claim whose answer did not come', () => {
  test('is taken back once it turns out to be written: nothing ran', async () => {
    await withStoppedTime(async () => {
      const store = seededStore();
      const late = gate();
      const hanging: Store = { ...store, put: (...given) => late.opened.then(() => store.put(...given)) };
      const refused = payer({ store: hanging }).pay();
      await vi.advanceTimersByTimeAsync(2000);
      expect(kindOf(await refused)).toBe('not_ready');
      late.open(undefined);
      await vi.advanceTimersByTimeAsync(10);
      const next = payer({ store });
      expect([dataOf(await next.pay()), next.runs]).toEqual(['paid', ['o1']]);
    });
  });

  test('is not taken back where it followed a dead owner, whose call may have taken effect', async () => {
    const store = seededStore();
    void payer({ store: dying(store), guard: { leaseMs: 10 }, run: never }).pay();
    await claimed(store);
    const flaky: Store = {
      ...store,
      async put(draft, expect) {
        const result = await store.put(draft, expect);
        if (result.ok) throw new Error('connection lost');
        return result;
      },
    };
    expect(kindOf(await payer({ store: flaky, guard: { leaseMs: 10 } }).pay())).toBe('not_ready');
    const next = payer({ store, guard: { leaseMs: 10 } });
    expect([kindOf(await next.pay()), next.runs]).toEqual(['interrupted', []]);
  });
});

describe('a store that lies', () => {
  const lies = {
    'about the version it wrote': { put: async () => ({ ok: true as const, version: 7 }) },
    'with arguments that are none': { put: claims({ state: 'running', owner: 'x', leaseMs: 1, writtenAt: 1, fields: null }) },
    'with an outcome that is none': {
      put: claims({ state: 'done', owner: 'x', leaseMs: 1, writtenAt: 1, fields: {}, outcome: { meta: null } }),
    },
    'with an outcome of no status': {
      put: claims({ state: 'done', owner: 'x', leaseMs: 1, writtenAt: 1, fields: {}, outcome: { meta: {} } }),
    },
  };
  function claims(value: object): Store['put'] {
    return async (draft) => ({ ok: false, current: { ...draft, version: 1, seq: 1, value: { v: 1, ...value } as never } });
  }

  test.each(Object.entries(lies))('%s keeps a writing call from running, and lets others run with a warning', async (_, lie) => {
    const store = { ...seededStore(), ...lie };
    const [writing, other] = [payer({ store }), payer({ store, effects: 'idempotent' })];
    expect([kindOf(await writing.pay()), writing.runs]).toEqual(['not_ready', []]);
    const outcome = await other.pay();
    expect([dataOf(outcome), outcome.meta.warnings?.[0]?.slice(0, 32)]).toEqual(['paid', 'not protected against repetition']);
  });
});
