import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { type CallsOptions, createToolbox, defineTool, fail, type Outcome, pending, type RetryRule } from '../../index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { nextTurn } from '../../time/index.ts';

/** Takes so long that the others come while it runs. */
const takeTurns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

const report = () => undefined;
const day = 86_400_000;
const input = z.object({ order: z.string(), amount: z.number() });

/** A tool that pays, and counts how often it did. */
function payments(
  options: {
    run?: () => unknown;
    effects?: 'none' | 'idempotent' | 'writes' | undefined;
    retry?: RetryRule;
    timeoutMs?: number;
    reconcile?: () => unknown;
  } = {},
) {
  const ledger: string[] = [];
  const keys: (string | undefined)[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    ...('effects' in options ? options.effects !== undefined && { effects: options.effects } : { effects: 'writes' as const }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    idempotency: { key: ({ order }) => order },
    ...(options.retry !== undefined && { retry: options.retry }),
    ...(options.reconcile !== undefined && { reconcile: options.reconcile as never }),
    run: ({ order }, ctx) => {
      ledger.push(order);
      keys.push(ctx.idempotencyKey);
      return (options.run?.() ?? { receipt: `r-${ledger.length}` }) as { receipt: string };
    },
  });
  return { pay, ledger, keys };
}

const boxOf = (tool: ReturnType<typeof payments>['pay'], store: Store, calls: CallsOptions = {}) =>
  createToolbox([tool], { store, calls, report });

const dataOf = (outcome: Outcome) => (outcome.status === 'ok' ? outcome.data : outcome);
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);

describe('equal calls', () => {
  test('are one call: the second gets the first outcome, marked as replayed, with its own call id and input', async () => {
    const { pay, ledger } = payments();
    const box = boxOf(pay, memoryStore());
    const first = await box.call('pay', { order: 'o1', amount: 5 }, { callId: 'a' });
    const second = await box.call('pay', { order: 'o1', amount: 5 }, { callId: 'b', traceId: 'trace-2' });
    expect(ledger).toEqual(['o1']);
    expect(dataOf(second)).toEqual({ receipt: 'r-1' });
    expect([first.meta.replayed, second.meta.replayed]).toEqual([undefined, true]);
    expect([second.meta.callId, second.meta.traceId, second.meta.invocationId]).toEqual(['b', 'trace-2', first.meta.invocationId]);
    expect(second.input).toEqual({ order: 'o1', amount: 5 });
  });

  test('are one call for as long as their key counts, also where calls are kept for a shorter time', async () => {
    const clock = { time: 0 };
    let paid = 0;
    const run = () => {
      paid += 1;
      return paid;
    };
    const pay = defineTool({ name: 'pay', description: 'Pays.', idempotency: { key: () => 'a', ttlMs: 30 * day }, run });
    const store = memoryStore({ now: () => clock.time });
    const box = createToolbox([pay], { store, calls: { keepMs: day } });
    for (const days of [0, 29, 31]) {
      clock.time = days * day;
      await box.call('pay', {});
      expect(paid).toBe(days < 30 ? 1 : 2);
    }
  });

  test('of two toolboxes on one store are one call', async () => {
    const store = memoryStore();
    const [one, two] = [payments(), payments()];
    await boxOf(one.pay, store).call('pay', { order: 'o1', amount: 5 });
    const second = await boxOf(two.pay, store).call('pay', { order: 'o1', amount: 5 });
    expect([one.ledger.length, two.ledger.length, second.meta.replayed]).toEqual([1, 0, true]);
  });

  test('of different tenants, tools or keys are different calls', async () => {
    const { pay, ledger } = payments();
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 }, { tenantId: 't1' });
    await box.call('pay', { order: 'o1', amount: 5 }, { tenantId: 't2' });
    await box.call('pay', { order: 'o2', amount: 5 }, { tenantId: 't1' });
    expect(ledger).toEqual(['o1', 'o1', 'o2']);
  });

  test('a thousand at once run once, and all get the same outcome', async () => {
    const { pay, ledger } = payments({ run: () => new Promise((resolve) => setImmediate(() => resolve({ receipt: 'only' }))) });
    const box = boxOf(pay, memoryStore());
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => box.call('pay', { order: 'o1', amount: 5 })));
    expect(ledger).toEqual(['o1']);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(dataOf(outcome))))).toEqual(new Set(['{"receipt":"only"}']));
    expect(outcomes.filter(({ meta }) => meta.replayed === true)).toHaveLength(999);
  });

  test('a thousand at once over four toolboxes run once', async () => {
    const store = memoryStore();
    const payers = Array.from({ length: 4 }, () => payments({ run: () => takeTurns(20).then(() => ({ receipt: 'only' })) }));
    const boxes = payers.map(({ pay }) => boxOf(pay, store));
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => boxes[index % 4]?.call('pay', { order: 'o1', amount: 5 })),
    );
    expect(payers.flatMap(({ ledger }) => ledger)).toEqual(['o1']);
    expect(outcomes.every((outcome) => outcome?.status === 'ok')).toBe(true);
  });

  test('without any key are not bound together', async () => {
    const touch = vi.fn(() => 'done');
    const tool = defineTool({ name: 'touch', description: 'Touches.', run: touch });
    const box = createToolbox([tool], { store: memoryStore(), report });
    await box.call('touch', {});
    await box.call('touch', {});
    await box.call('touch', {}, { idempotencyKey: 'k' });
    await box.call('touch', {}, { idempotencyKey: 'k' });
    expect(touch).toHaveBeenCalledTimes(3);
  });

  test("hand their key to the tool: the caller's own, or one that is the same for the same call only", async () => {
    const { pay, keys } = payments({ run: () => fail('unreachable', 'down', { effect: 'none' }) });
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 });
    await box.call('pay', { order: 'o1', amount: 5 });
    await box.call('pay', { order: 'o2', amount: 5 });
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).not.toBe(keys[2]);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the same key with other arguments', () => {
  test('is a conflict that names what differs, and runs nothing', async () => {
    const { pay, ledger } = payments();
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 });
    const outcome = await box.call('pay', { order: 'o1', amount: 6 });
    expect(ledger).toHaveLength(1);
    expect(outcome.status === 'error' && outcome.error).toMatchObject({
      kind: 'conflict',
      code: 'key_reused',
      effect: 'none',
      details: { fields: ['amount'] },
    });
    expect(outcome.status === 'error' && outcome.error.message).toContain('"amount" differs');
  });

  test('is a conflict while the first still runs', async () => {
    let release = (_: unknown): void => undefined;
    const { pay, ledger } = payments({
      run: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    const box = boxOf(pay, memoryStore());
    const first = box.call('pay', { order: 'o1', amount: 5 });
    await vi.waitFor(() => expect(ledger).toEqual(['o1']));
    expect(kindOf(await box.call('pay', { order: 'o1', amount: 6 }))).toBe('conflict');
    release({ receipt: 'r' });
    expect((await first).status).toBe('ok');
  });
});

describe('a failed call', () => {
  test.each([
    ['a writing tool that says nothing changed', 'writes', fail('unreachable', 'down', { effect: 'none' }), 2],
    ['a tool that may be repeated', 'idempotent', fail('unreachable', 'down'), 2],
    ['a tool without effects', 'none', fail('unreachable', 'down'), 2],
    ['a writing tool whose effect is not known', 'writes', fail('unreachable', 'down'), 1],
    ['a writing tool that refused the call', 'writes', fail('invalid_input', 'Too much.'), 2],
    ['a writing tool whose service refused the call', 'writes', Object.assign(new Error('x'), { status: 409 }), 2],
    ['a writing tool that never reached its service', 'writes', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 2],
    ['a writing tool that was refused in words alone', 'writes', new Error('The bank answered with HTTP 404'), 1],
    ['a writing tool that failed in words of its own', 'writes', new Error('The lid is open.'), 1],
    ['a tool that declares nothing and failed in words of its own', undefined, new Error('The lid is open.'), 1],
    ['a writing tool that took effect', 'writes', fail('bad_response', 'odd', { effect: 'applied' }), 1],
    ['a writing tool that took effect and failed in passing', 'writes', fail('timeout', 'no receipt', { effect: 'applied' }), 1],
  ] as const)('of %s (%s) runs again or not', async (_, effects, failure, runs) => {
    const { pay, ledger } = payments({ effects, run: () => failure });
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 });
    const second = await box.call('pay', { order: 'o1', amount: 5 });
    expect(ledger).toHaveLength(runs);
    expect(second.meta.replayed).toBe(runs === 1 ? true : undefined);
  });

  test('that took effect is not tried again, neither by its caller nor within the call', async () => {
    const { pay, ledger } = payments({ retry: { baseMs: 0 }, run: () => fail('timeout', 'No receipt.', { effect: 'applied' }) });
    const outcome = await createToolbox([pay], { store: memoryStore(), report }).call('pay', { order: 'o1', amount: 5 });
    expect(outcome).toMatchObject({ error: { effect: 'applied', retryable: false, recovery: 'verify' } });
    expect(ledger).toEqual(['o1']);
  });

  test('that took effect, as a guard of its own says, keeps its key: a tool without steps would do it again', async () => {
    const { pay, ledger } = payments({ run: () => fail('timeout', 'No receipt.') });
    const judge = defineGuard({
      name: 'judge',
      phase: 'result',
      async around(_, next) {
        const outcome = await next();
        if (outcome.status !== 'error') return outcome;
        return { ...outcome, error: { ...outcome.error, effect: 'applied', recovery: 'wait', retryable: true } };
      },
    });
    const box = createToolbox([pay], { store: memoryStore(), use: [judge], report });
    for (let calls = 0; calls < 2; calls += 1) await box.call('pay', { order: 'o1', amount: 5 });
    expect(ledger).toEqual(['o1']);
  });

  test('whose effect is not known tells its caller to check, since a repetition would only replay it', async () => {
    const { pay } = payments({ run: () => fail('unreachable', 'The bank hung up.') });
    const box = boxOf(pay, memoryStore());
    for (const outcome of [await box.call('pay', { order: 'o1', amount: 5 }), await box.call('pay', { order: 'o1', amount: 5 })]) {
      expect(outcome.status === 'error' && outcome.error).toMatchObject({
        kind: 'unreachable',
        effect: 'unknown',
        retryable: false,
        recovery: 'verify',
      });
    }
  });

  test("is settled by the tool's reconcile when it is called again", async () => {
    const asked = vi.fn(() => ({ effect: 'applied', data: { receipt: 'found' } }));
    const { pay, ledger } = payments({ run: () => fail('unreachable', 'down'), reconcile: asked });
    const box = boxOf(pay, memoryStore());
    const first = await box.call('pay', { order: 'o1', amount: 5 });
    expect(first.status === 'error' && first.error.retryable).toBe(true);
    expect(dataOf(await box.call('pay', { order: 'o1', amount: 5 }))).toEqual({ receipt: 'found' });
    expect(dataOf(await box.call('pay', { order: 'o1', amount: 5 }))).toEqual({ receipt: 'found' });
    expect([ledger.length, asked.mock.calls.length]).toEqual([1, 1]);
  });

  test('runs again once reconcile says that nothing happened', async () => {
    let calls = 0;
    const { pay, ledger } = payments({
      run: () => (calls++ === 0 ? fail('unreachable', 'down') : { receipt: 'second' }),
      reconcile: () => ({ effect: 'none' }),
    });
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 });
    expect(dataOf(await box.call('pay', { order: 'o1', amount: 5 }))).toEqual({ receipt: 'second' });
    expect(ledger).toHaveLength(2);
  });

  test.each([
    ['cannot tell', () => ({ effect: 'unknown' })],
    [
      'breaks',
      () => {
        throw new Error('no');
      },
    ],
    ['answers nonsense', () => 42],
  ])('stays unknown where reconcile %s', async (_, reconcile) => {
    const { pay, ledger } = payments({ run: () => fail('unreachable', 'down'), reconcile });
    const box = boxOf(pay, memoryStore());
    await box.call('pay', { order: 'o1', amount: 5 });
    const second = await box.call('pay', { order: 'o1', amount: 5 });
    expect([kindOf(second), second.status === 'error' && second.error.effect, ledger.length]).toEqual(['interrupted', 'unknown', 1]);
  });
});

describe('a result that comes after the deadline', () => {
  test('is kept for a repeated call', async () => {
    let release = (_: unknown): void => undefined;
    const { pay, ledger } = payments({
      timeoutMs: 20,
      run: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    const box = boxOf(pay, memoryStore());
    expect(kindOf(await box.call('pay', { order: 'o1', amount: 5 }))).toBe('timeout');
    release({ receipt: 'late' });
    await vi.waitFor(async () => {
      expect(dataOf(await box.call('pay', { order: 'o1', amount: 5 }))).toEqual({ receipt: 'late' });
    });
    expect(ledger).toHaveLength(1);
  });

  test('that never comes leaves the key with an effect that is not known', async () => {
    const { pay, ledger } = payments({ timeoutMs: 10, run: () => new Promise(() => undefined) });
    const box = boxOf(pay, memoryStore(), { lateMs: 10 });
    expect(kindOf(await box.call('pay', { order: 'o1', amount: 5 }))).toBe('timeout');
    await vi.waitFor(async () => {
      const again = await box.call('pay', { order: 'o1', amount: 5 });
      expect([again.meta.replayed, again.status === 'error' && again.error.recovery]).toEqual([true, 'verify']);
    });
    expect(ledger).toHaveLength(1);
  });

  test('gives a call that joined the running one its own deadline, and says that the effect is not known', async () => {
    const { pay } = payments({ run: () => new Promise(() => undefined) });
    const box = boxOf(pay, memoryStore());
    void box.call('pay', { order: 'o1', amount: 5 });
    const joined = await box.call('pay', { order: 'o1', amount: 5 }, { timeoutMs: 10 });
    expect(joined.status === 'error' && joined.error).toMatchObject({ kind: 'timeout', effect: 'unknown' });
  });
});

describe('an owner', () => {
  /** Leaves a call behind whose process died a lease ago; gives the store. */
  const leftBehind = async (amount = 5) => {
    let ageMs = 0;
    const store = memoryStore({ now: () => Date.now() + ageMs });
    const own = mortalStore(store);
    const { pay, ledger } = payments({ run: () => new Promise(() => undefined) });
    void boxOf(pay, own).call('pay', { order: 'o1', amount });
    await vi.waitFor(() => expect(ledger).toEqual(['o1']));
    own.stop();
    ageMs = 10_001;
    return store;
  };

  test('that died is followed by exactly one: a writing call is answered as interrupted and not run', async () => {
    const store = await leftBehind();
    const { pay, ledger } = payments();
    const box = boxOf(pay, store);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => box.call('pay', { order: 'o1', amount: 5 })));
    expect(new Set(outcomes.map(kindOf))).toEqual(new Set(['interrupted']));
    expect(outcomes.filter(({ meta }) => meta.replayed !== true)).toHaveLength(1);
    expect(ledger).toEqual([]);
  });

  test('that died is followed by exactly one: a call that may be repeated runs once more', async () => {
    const store = await leftBehind();
    const payers = Array.from({ length: 3 }, () => payments({ effects: 'idempotent' }));
    const outcomes = await Promise.all(payers.map(({ pay }) => boxOf(pay, store).call('pay', { order: 'o1', amount: 5 })));
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(payers.flatMap(({ ledger }) => ledger)).toEqual(['o1']);
  });

  test('with other arguments is a conflict even when it died', async () => {
    const store = await leftBehind(6);
    const { pay } = payments();
    expect(kindOf(await boxOf(pay, store).call('pay', { order: 'o1', amount: 5 }))).toBe('conflict');
  });

  test('that stops its own call does not stop those who joined it', async () => {
    const stop = new AbortController();
    let runs = 0;
    const tool = defineTool({
      name: 'fetch_page',
      description: 'Fetches.',
      input: z.object({ url: z.string() }),
      effects: 'idempotent',
      idempotency: { key: ({ url }) => url },
      run: (_, ctx) => {
        runs += 1;
        if (runs > 1) return 'page';
        return new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)));
      },
    });
    const box = createToolbox([tool], { store: memoryStore(), report });
    const first = box.call('fetch_page', { url: 'u' }, { signal: stop.signal });
    const second = box.call('fetch_page', { url: 'u' });
    await vi.waitFor(() => expect(runs).toBe(1));
    stop.abort();
    expect([kindOf(await first), dataOf(await second)]).toEqual(['cancelled', 'page']);
  });
});

describe('a store', () => {
  const broken: Record<string, Partial<Ledger>> = {
    throws: {
      begin: () => {
        throw new Error('disk full');
      },
    },
    rejects: { begin: async () => Promise.reject(new Error('gone')) },
    'says nothing': { begin: async () => undefined as never },
    'gives half a call': { begin: async () => ({ is: 'found', call: { id: 'x' } }) as never },
  };
  const brokenStore = (faults: Partial<Ledger>): Store => {
    const store = memoryStore();
    return { ...store, calls: { ...(store.calls as Ledger), ...faults } };
  };

  test.each(Object.entries(broken))('that %s keeps a call with a key from running', async (_, faults) => {
    // The store may have the call all the same, and a process that takes it over repeats what may be repeated.
    for (const [effects, effect] of [
      ['writes', 'none'],
      ['idempotent', 'unknown'],
    ] as const) {
      const { pay, ledger } = payments({ effects });
      const refused = await boxOf(pay, brokenStore(faults)).call('pay', { order: 'o1', amount: 5 });
      expect([kindOf(refused), refused.status === 'error' && refused.error.effect, ledger]).toEqual(['not_ready', effect, []]);
    }
  });

  test('that fails after the run does not lose the result: it comes with a warning', async () => {
    const { pay } = payments();
    const outcome = await boxOf(pay, brokenStore({ end: () => Promise.reject(new Error('full')) })).call('pay', { order: 'o1', amount: 5 });
    expect([dataOf(outcome), outcome.meta.warnings]).toEqual([
      { receipt: 'r-1' },
      ['not_recorded: the end of this call could not be stored: the store failed: internal error'],
    ]);
  });

  test('holds no arguments where calls are not listed', async () => {
    const store = memoryStore();
    const { pay } = payments();
    await boxOf(pay, store, { list: false }).call('pay', { order: 'quiet-zebra', amount: 1 });
    const { rows } = (await store.calls?.list({ tenant: '00000000-0000-0000-0000-000000000000', limit: 9 })) ?? { rows: [] };
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(await store.calls?.get(rows[0]?.tenant ?? '', rows[0]?.id ?? ''))).not.toContain('zebra');
  });
});

test('a call that answers pending is replayed as pending', async () => {
  const { pay, ledger } = payments({ run: () => pending({ handle: 'h1', reason: 'host' }) });
  const box = boxOf(pay, memoryStore());
  await box.call('pay', { order: 'o1', amount: 5 });
  const second = await box.call('pay', { order: 'o1', amount: 5 });
  expect([second.status, second.meta.replayed, ledger.length]).toEqual(['pending', true, 1]);
});

test('mistakes in the options are reported at once', () => {
  const { pay } = payments();
  const box = (options: object) => () => createToolbox([pay], options);
  expect(box({ store: {} })).toThrow('createToolbox needs a store');
  expect(box({ store: memoryStore(), calls: { leaseMs: 0 } })).toThrow('leaseMs must be a number above 0');
  expect(box({ store: memoryStore(), calls: { keepMs: '5' } })).toThrow('keepMs must be a number above 0');
  expect(box({ store: memoryStore(), calls: { lease: 5 } })).toThrow('lease');
});

test('a caller that joined a call with steps does not know how far that call has come', async () => {
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    idempotency: { key: ({ order }) => order },
    steps: true,
    run: (_, ctx) => ctx.step('pay', () => new Promise<string>(() => undefined)),
  });
  const box = createToolbox([tool], { store: memoryStore(), report });
  void box.call('pay', { order: 'o1', amount: 5 });
  const joined = await box.call('pay', { order: 'o1', amount: 5 }, { timeoutMs: 10 });
  expect(joined.status === 'error' && joined.error).toMatchObject({ kind: 'timeout', effect: 'unknown' });
});

test('a call whose handler interrupted its host runs again when the host goes on', async () => {
  const interrupt = new Error('ask the user');
  let runs = 0;
  const { pay, ledger } = payments({
    run: () => {
      runs += 1;
      if (runs === 1) throw interrupt;
      return { receipt: 'after the answer' };
    },
  });
  const box = boxOf(pay, memoryStore());
  const context = { isControlFlow: (thrown: unknown) => thrown === interrupt };
  expect((await box.call('pay', { order: 'o1', amount: 5 }, context)).status).toBe('pending');
  expect(dataOf(await box.call('pay', { order: 'o1', amount: 5 }, context))).toEqual({ receipt: 'after the answer' });
  expect(ledger).toHaveLength(2);
});

test('the key of a call is not that of the calls its tool makes', async () => {
  const sent: string[] = [];
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.string() }),
    run: ({ to }) => void sent.push(to),
  });
  const sendAll = defineTool({
    name: 'send_all',
    description: 'Sends to two.',
    run: async (_, ctx) =>
      [await box.call('send', { to: 'ann' }, ctx), await box.call('send', { to: 'bob' }, ctx)].map(({ status }) => status),
  });
  const box: Pick<ReturnType<typeof createToolbox>, 'call'> = createToolbox([send, sendAll], {
    store: memoryStore(),
    report: () => undefined,
  });
  expect(await box.call('send_all', {}, { idempotencyKey: 'k' })).toMatchObject({ data: ['ok', 'ok'] });
  expect(sent).toEqual(['ann', 'bob']);
});

test('of eight processes that want the same key again and again, none waits for ever', async () => {
  const store = memoryStore();
  const runs = Array.from({ length: 8 }, () => 0);
  const isOver = () => runs.every((count) => count >= 3) || runs.some((count) => count >= 5000);
  const processes = runs.map((_, process) => {
    const book = defineTool({
      name: 'book',
      description: 'Books.',
      idempotency: { key: () => 'seat 1' },
      run: async (): Promise<string> => {
        runs[process] = (runs[process] ?? 0) + 1;
        await nextTurn();
        throw fail('unreachable', 'Not now.', { effect: 'none' });
      },
    });
    return createToolbox([book], { store, report: () => undefined });
  });
  await Promise.all(
    processes.map(async (box) => {
      while (!isOver()) {
        await box.call('book', {});
        // An agent does something else before it tries again.
        await takeTurns(30);
      }
    }),
  );
  expect(runs.every((count) => count >= 3)).toBe(true);
});
