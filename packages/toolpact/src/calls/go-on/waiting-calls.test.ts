import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { storeFailingOnce, storeUntil } from '../../../../../proofs/fixtures/failing-ledger.ts';
import { type MortalStore, mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { skipTime, takes, until } from '../../../../../proofs/fixtures/skip-time.ts';
import { noTenant, type StepRunContext } from '../../contract/index.ts';
import { createToolbox, createWorker, defineTool, fail, type Outcome } from '../../index.ts';
import { toModelText } from '../../outcome/index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

skipTime();

type Run = (ctx: StepRunContext) => unknown;

function processOn(store: Store, run: Run, definition: object = {}) {
  const own = mortalStore(store);
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    input: z.object({ id: z.string() }),
    steps: true,
    ...definition,
    run: (_, ctx) => run(ctx) as Promise<string>,
  });
  return { store: own as MortalStore, toolbox: createToolbox([order], { store: own, calls: { leaseMs: 3000 }, report: () => undefined }) };
}

const decision = z.object({ yes: z.boolean() });
const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable());

describe('a call that sleeps', () => {
  test('answers pending and goes on when its time has come', async () => {
    const done: string[] = [];
    const { toolbox } = processOn(memoryStore(), async ({ step, sleep, remainingMs }) => {
      await step('charge', () => done.push('charge'));
      await sleep(3_600_000);
      return `${await step('ship', () => done.push('ship'))} ${remainingMs > 0}`;
    });
    const startedAt = Date.now();
    const outcome = await toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' });
    expect(outcome).toMatchObject({ status: 'pending', pending: { reason: 'running', pollAfterMs: 60_000 } });
    expect(Date.now() - startedAt).toBeLessThan(1000);
    expect(await toolbox.calls.get('i1')).toMatchObject({ status: 'pending' });
    const ended = await toolbox.calls.wait(handleOf(outcome), { timeoutMs: 7_200_000 });
    expect(ended).toMatchObject({ status: 'ok', data: '2 true' });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(3_600_000);
    expect(done).toEqual(['charge', 'ship']);
    expect(await toolbox.calls.get('i1')).toMatchObject({ status: 'ok' });
  });

  test('keeps what is left of its time', async () => {
    const left: number[] = [];
    const { toolbox } = processOn(
      memoryStore(),
      async ({ step, sleep, remainingMs }) => {
        left.push(remainingMs);
        await step('work', () => takes(4000), { effects: 'none' });
        await sleep(60_000);
        return step('more', () => takes(7000), { effects: 'none' });
      },
      { timeoutMs: 10_000 },
    );
    const outcome = await toolbox.call('order', { id: 'o1' });
    expect(await toolbox.calls.wait(handleOf(outcome), { timeoutMs: 100_000 })).toMatchObject({ error: { kind: 'timeout' } });
    expect(left[1]).toBeLessThanOrEqual(6000);
  });

  test('gives those with the same key the same handle, and frees it for the rest', async () => {
    const { toolbox } = processOn(memoryStore(), ({ sleep }) => sleep(60_000).then(() => 'up'));
    const first = await toolbox.call('order', { id: 'o1' }, { idempotencyKey: 'k1' });
    const second = await toolbox.call('order', { id: 'o1' }, { idempotencyKey: 'k1' });
    expect(handleOf(second)).toBe(handleOf(first));
    expect(await toolbox.calls.wait(handleOf(first), { timeoutMs: 100_000 })).toMatchObject({ status: 'ok', data: 'up' });
    expect(await toolbox.call('order', { id: 'o1' }, { idempotencyKey: 'k1' })).toMatchObject({ data: 'up', meta: { replayed: true } });
  });

  test('is asked about once, however often it sleeps', async () => {
    const { toolbox } = processOn(
      memoryStore(),
      ({ sleep }) =>
        sleep(1000)
          .then(() => sleep(1000))
          .then(() => 'up'),
      { approval: true },
    );
    const asked = await toolbox.call('order', { id: 'o1' });
    await toolbox.approvals.decide(handleOf(asked), 'approve');
    const sleeping = await toolbox.call('order', { id: 'o1' });
    expect(await toolbox.calls.wait(handleOf(sleeping), { timeoutMs: 100_000 })).toMatchObject({ status: 'ok', data: 'up' });
    expect(await toolbox.approvals.list()).toEqual([]);
  });
});

describe('a call that waits for an answer', () => {
  const asks: Run = async ({ step, waitFor }) => {
    const price = await step('price', () => 7, { effects: 'none' });
    const { yes } = await waitFor('allow', decision, { message: `Pay ${price}?` });
    return yes ? step('charge', () => 'paid') : 'not paid';
  };

  test('says what it asks, and goes on with an answer that fits', async () => {
    const { toolbox } = processOn(memoryStore(), asks);
    const outcome = await toolbox.call('order', { id: 'o1' });
    const handle = handleOf(outcome);
    expect(outcome).toMatchObject({
      pending: { reason: 'input', ask: { message: 'Pay 7?', schema: { type: 'object', required: ['yes'] } } },
    });
    expect(await toolbox.calls.get(handle)).toMatchObject({ pending: { reason: 'input' } });
    expect(await toolbox.calls.settle(handle, { yes: 'perhaps' })).toMatchObject({ error: { kind: 'invalid_input', effect: 'none' } });
    expect(await toolbox.calls.settle(handle, { yes: true })).toMatchObject({ status: 'ok', data: 'paid' });
    expect(await toolbox.calls.wait(handle)).toMatchObject({ status: 'ok', data: 'paid' });
    expect(await toolbox.calls.settle(handle, { yes: false })).toMatchObject({ status: 'ok', data: 'paid' });
  });

  test('keeps what was asked, what was answered by whom, and what the model read while it waited', async () => {
    const { toolbox } = processOn(memoryStore(), asks);
    const waiting = await toolbox.call('order', { id: 'o1' });
    const handle = handleOf(waiting);
    const open = await toolbox.calls.get(handle);
    expect(open).toMatchObject({ waitsFor: 'input', message: 'Pay 7?', modelText: toModelText(waiting) });
    expect(open?.waits).toMatchObject([{ kind: 'input', message: 'Pay 7?', state: 'open', askedAt: expect.any(String) }]);
    expect(open?.questions?.[0]?.ask).not.toHaveProperty('modelText');
    await toolbox.calls.settle(handle, { yes: true }, { by: 'ann' });
    const ended = await toolbox.calls.get(handle);
    expect(ended).toMatchObject({ status: 'ok', modelText: 'paid' });
    expect(ended?.waits).toMatchObject([
      {
        message: 'Pay 7?',
        state: 'answered',
        by: 'ann',
        answer: '{"yes":true}',
        decidedAt: expect.any(String),
        modelText: toModelText(waiting),
      },
    ]);
    expect((await toolbox.calls.list()).calls).toHaveLength(1);
  });

  test('shows a refusal as denied, and hides secrets in what was answered', async () => {
    const { toolbox } = processOn(memoryStore(), (ctx) => ctx.waitFor('key', z.object({ note: z.string() }), { message: 'Which?' }));
    const first = handleOf(await toolbox.call('order', { id: 'o1' }));
    await toolbox.calls.settle(first, fail('denied', 'Too dear.'), { by: 'ann' });
    expect((await toolbox.calls.get(first))?.waits).toMatchObject([{ state: 'denied', by: 'ann', reason: 'Too dear.' }]);
    const second = handleOf(await toolbox.call('order', { id: 'o2' }));
    await toolbox.calls.settle(second, { note: 'the token is ghp_0123456789abcdefghijABCDEFGHIJ012345' });
    expect((await toolbox.calls.get(second))?.waits?.[0]?.answer).toBe('{"note":"the token is [redacted]"}');
  });

  test('goes on where it began, although another process answered a moment before this one', async () => {
    const memory = memoryStore();
    const ledger = memory.calls as Ledger;
    const other = processOn(memory, asks);
    let isFirst = true;
    const calls: Ledger = {
      ...ledger,
      async answer(at, answer) {
        if (isFirst) await other.toolbox.calls.settle(at.handle, { yes: true });
        isFirst = false;
        return ledger.answer(at, answer);
      },
    };
    const { toolbox } = processOn({ ...memory, calls }, asks);
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }));
    expect(await toolbox.calls.settle(handle, { yes: false })).toMatchObject({ error: { kind: 'conflict' } });
    expect(await toolbox.calls.wait(handle, { timeoutMs: 10_000 })).toMatchObject({ status: 'ok' });
  });

  test('refuses an answer that does not fit at once in every process, by what the question shows of its schema', async () => {
    const memory = memoryStore();
    const handle = handleOf(await processOn(memory, asks).toolbox.call('order', { id: 'o1' }));
    const other = processOn(memory, asks);
    expect(await other.toolbox.calls.settle(handle, { yes: 'perhaps' })).toMatchObject({
      error: { kind: 'invalid_input', message: expect.stringContaining('yes must be of the type boolean, not string') },
    });
    expect((await other.toolbox.calls.get(handle))?.questions).toHaveLength(1);
    expect(await other.toolbox.calls.settle(handle, { yes: true })).toMatchObject({ pending: { reason: 'running' } });
    expect(await other.toolbox.calls.settle(handle, { yes: false })).toMatchObject({ error: { kind: 'conflict' } });
  });

  test('gets a refusal as a failure', async () => {
    const { toolbox } = processOn(memoryStore(), (ctx) =>
      Promise.resolve(asks(ctx)).catch(({ kind }: { kind: string }) => `${kind}, so not paid`),
    );
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }));
    expect(await toolbox.calls.settle(handle, fail('denied', 'Too dear.'))).toMatchObject({ data: 'denied, so not paid' });
  });

  test('asks one thing after the other under one handle', async () => {
    const { toolbox } = processOn(memoryStore(), async ({ waitFor }) => {
      const both = await Promise.all([waitFor('one', decision), waitFor('two', decision)]);
      return [...both, await waitFor('one', decision)].map(({ yes }) => yes).join();
    });
    const first = await toolbox.call('order', { id: 'o1' });
    const handle = handleOf(first);
    const second = await toolbox.calls.settle(handle, { yes: true });
    const third = await toolbox.calls.settle(handle, { yes: false });
    expect(
      [first, second, third].map((outcome) => [handleOf(outcome), outcome.status === 'pending' && outcome.pending.ask?.message]),
    ).toEqual([
      [handle, 'one'],
      [handle, 'two'],
      [handle, 'one'],
    ]);
    expect(await toolbox.calls.settle(handle, { yes: true })).toMatchObject({ data: 'true,false,true' });
  });

  const asksTwice: Run = async ({ waitFor }) => {
    const both = await Promise.all([waitFor('one', decision, { message: 'First?' }), waitFor('two', decision)]);
    return both.map(({ yes }) => yes).join();
  };

  test('asks several things at once, each with a handle of its own', async () => {
    const { toolbox } = processOn(memoryStore(), asksTwice);
    const call = handleOf(await toolbox.call('order', { id: 'o1' }));
    const { questions = [] } = (await toolbox.calls.get(call)) ?? {};
    expect(questions.map(({ ask }) => ask.message)).toEqual(['First?', 'two']);
    const [one, two] = questions.map(({ handle }) => handle) as [string, string];
    expect(await toolbox.calls.settle(two, { yes: 'perhaps' })).toMatchObject({ error: { kind: 'invalid_input' } });
    expect(await toolbox.calls.settle(two, { yes: false })).toMatchObject({ pending: { handle: call, ask: { message: 'First?' } } });
    expect((await toolbox.calls.get(one))?.questions?.map(({ handle }) => handle)).toEqual([one]);
    expect(await toolbox.calls.settle(two, { yes: true })).toMatchObject({ error: { kind: 'conflict' } });
    expect(await toolbox.calls.settle(one, { yes: true })).toMatchObject({ data: 'true,false' });
    expect(await toolbox.calls.get(call)).not.toHaveProperty('questions');
  });

  test.each([1, 2])('goes on with an answer that comes before run %i has ended', async (run) => {
    const memory = memoryStore();
    const ledger = memory.calls as Ledger;
    let runs = 0;
    const store: Store = {
      ...memory,
      calls: {
        ...ledger,
        async wait(...given) {
          const written = await ledger.wait(...given);
          runs += 1;
          if (runs !== run) return written;
          const answering = answer();
          answers.push(answering);
          await answering;
          return written;
        },
      },
    };
    const answers: Promise<unknown>[] = [];
    const { toolbox } = processOn(store, async ({ waitFor }) => {
      const { yes } = await waitFor('one', decision);
      return `${yes}, ${(await waitFor('two', decision)).yes}`;
    });
    const answer = async () => {
      const { calls } = await toolbox.calls.list({ status: 'pending' });
      return toolbox.calls.settle(calls[0]?.handle ?? '', { yes: run === 2 });
    };
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }));
    if (run === 2) await toolbox.calls.settle(handle, { yes: false });
    await until(() => expect(answers).toHaveLength(1));
    await Promise.all(answers);
    if (run === 2) return expect(await toolbox.calls.wait(handle)).toMatchObject({ data: 'false, true' });
    await until(async () => expect((await toolbox.calls.get(handle))?.pending?.ask?.message).toBe('two'));
    expect(await toolbox.calls.settle(handle, { yes: true })).toMatchObject({ data: 'false, true' });
  });

  test('may stop waiting after a time', async () => {
    const { toolbox } = processOn(memoryStore(), ({ waitFor, sleep }) =>
      Promise.race([waitFor('allow', decision).then(() => 'answered'), sleep(60_000).then(() => 'too late')]),
    );
    const outcome = await toolbox.call('order', { id: 'o1' });
    expect(outcome).toMatchObject({ pending: { reason: 'input', pollAfterMs: 60_000 } });
    expect(await toolbox.calls.wait(handleOf(outcome), { timeoutMs: 100_000 })).toMatchObject({ data: 'too late' });
  });

  test('can be answered in another process, and is left to a worker there', async () => {
    const store = memoryStore();
    const handle = handleOf(await processOn(store, asks).toolbox.call('order', { id: 'o1' }));
    const { toolbox } = processOn(store, asks);
    expect(await toolbox.calls.settle(handle, { yes: true })).toMatchObject({ status: 'pending', pending: { handle, reason: 'running' } });
    expect(await toolbox.calls.settle(handle, { yes: false })).toMatchObject({ error: { kind: 'conflict' } });
  });
});

describe('a worker', () => {
  test.each([
    ['does not do again what they have done', {}, 'conflict', ['charge']],
    ['repeats a tool that may be repeated', { effects: 'idempotent' }, undefined, ['charge', 'charge']],
  ])('with a call whose tool has no steps any more %s', async (_, definition, kind, expected) => {
    const store = memoryStore();
    const charged: string[] = [];
    const before = processOn(store, async ({ step, sleep }) => {
      await step('charge', () => charged.push('charge'));
      await sleep(60_000);
    });
    const asked = await before.toolbox.call('order', { id: 'o1' });
    before.store.stop();
    const after = processOn(store, () => charged.push('charge'), { steps: undefined, ...definition });
    const worker = createWorker(after.toolbox);
    const outcome = await after.toolbox.calls.wait(handleOf(asked), { timeoutMs: 120_000 });
    await worker.stop();
    expect(charged).toEqual(expected);
    if (kind === undefined) expect(outcome).toMatchObject({ status: 'ok' });
    else
      expect(outcome).toMatchObject({
        error: {
          kind,
          effect: 'applied',
          message: 'order has changed since it began: the step "charge" is recorded, and was not asked for again.',
        },
      });
  });

  const slow: Run = async ({ step, sleep, app }) => {
    const paid = await step('charge', () => 'paid');
    await sleep(60_000);
    return `${paid} for ${(app as { name: string } | undefined)?.name}`;
  };
  const context = () => ({ app: { name: 'the worker' } });

  test('goes on with calls of processes that are gone', async () => {
    const store = memoryStore();
    const first = processOn(store, slow);
    const handle = handleOf(await first.toolbox.call('order', { id: 'o1' }, { app: { name: 'the caller' } as never }));
    first.store.stop();
    const { toolbox } = processOn(store, slow);
    const worker = createWorker(toolbox, { context });
    expect(await toolbox.calls.wait(handle, { timeoutMs: 200_000 })).toMatchObject({ status: 'ok', data: 'paid for the worker' });
    await worker.stop();
    expect(await store.calls?.get(noTenant, handle)).toMatchObject({ stage: 'ended' });
  });

  test('takes over calls that were cut off, and those that were deferred', async () => {
    const store = memoryStore();
    const done: string[] = [];
    const reached = Promise.withResolvers<void>();
    const run =
      (ship: () => unknown): Run =>
      async ({ step }) => {
        await step('charge', () => done.push('charge'));
        return step('ship', () => ship(), { effects: 'idempotent' });
      };
    const first = processOn(
      store,
      run(() => {
        reached.resolve();
        return new Promise(() => undefined);
      }),
      { deferAfterMs: 100 },
    );
    const outcome = await first.toolbox.call('order', { id: 'o1' }, { invocationId: 'cut-off', timeoutMs: 20_000 });
    await reached.promise;
    first.store.stop();
    const { toolbox } = processOn(
      store,
      run(() => 'shipped'),
    );
    const worker = createWorker(toolbox);
    await until(async () => expect((await toolbox.calls.get(handleOf(outcome)))?.outcome?.status).toBe('ok'));
    expect(await toolbox.calls.get('cut-off')).toMatchObject({ status: 'ok', outcome: { data: 'shipped' } });
    expect(done).toEqual(['charge']);
    await worker.stop();
  });

  test('goes on with a call that was answered elsewhere', async () => {
    const store = memoryStore();
    // A rule that JSON Schema does not know: only the tool finds out that it is broken.
    const known = decision.extend({ by: z.string().refine((by) => by !== 'nobody', 'must be a person') });
    const asks: Run = ({ waitFor }) => waitFor('allow', known).then(({ yes }) => `said ${yes}`);
    const first = processOn(store, asks);
    const handle = handleOf(await first.toolbox.call('order', { id: 'o1' }));
    first.store.stop();
    const { toolbox } = processOn(store, asks);
    const worker = createWorker(toolbox);
    const asked = ((await toolbox.calls.get(handle))?.questions ?? []).map((question) => question.handle);
    await toolbox.calls.settle(handle, { yes: true, by: 'nobody' });
    await until(async () => expect((await toolbox.calls.get(handle))?.pending?.ask?.message).toContain('allow ('));
    const again = (await toolbox.calls.get(handle))?.questions?.map((question) => question.handle);
    expect([again?.length, again?.includes(asked[0] ?? '')]).toEqual([1, false]);
    await toolbox.calls.settle(asked[0] ?? '', { yes: false, by: 'ann' });
    await toolbox.calls.settle(handle, { yes: true, by: 'ann' });
    expect(await toolbox.calls.wait(handle, { timeoutMs: 60_000 })).toMatchObject({ data: 'said true' });
    await worker.stop();
  });

  test('goes on with a call although the process that answered it died after it stored the answer', async () => {
    const store = memoryStore();
    const asks: Run = ({ waitFor }) => waitFor('allow', decision).then(({ yes }) => `said ${yes}`);
    const { toolbox } = processOn(store, asks);
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }));
    const dying = storeUntil(store, { operation: 'answer', isDone: true });
    void processOn(dying, asks).toolbox.calls.settle(handle, { yes: true });
    await dying.reached;
    const worker = createWorker(toolbox);
    expect(await toolbox.calls.wait(handle, { timeoutMs: 60_000 })).toMatchObject({ data: 'said true' });
    await worker.stop();
  });

  test('is not needed where the answer is given once more in the process that began the call', async () => {
    const store = memoryStore();
    const asks: Run = ({ waitFor }) => waitFor('allow', decision).then(({ yes }) => `said ${yes}`);
    const { toolbox } = processOn(store, asks);
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }));
    const dying = storeUntil(store, { operation: 'answer', isDone: true });
    void processOn(dying, asks).toolbox.calls.settle(handle, { yes: true });
    await dying.reached;
    expect(await toolbox.calls.settle(handle, { yes: false })).toMatchObject({ status: 'error', error: { kind: 'conflict' } });
    expect(await toolbox.calls.wait(handle, { timeoutMs: 60_000 })).toMatchObject({ data: 'said true' });
  });

  test('lets a call ask whose process died before its question could be read', async () => {
    const store = memoryStore();
    const done: string[] = [];
    const asks: Run = async ({ step, waitFor }) => {
      await step('charge', () => done.push('charge'));
      return (await waitFor('allow', decision)).yes;
    };
    const dying = storeUntil(store, { operation: 'wait' });
    void processOn(dying, asks).toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' });
    await dying.reached;
    const { toolbox } = processOn(store, asks);
    const worker = createWorker(toolbox);
    const pendingCalls = async () => (await toolbox.calls.list({ status: 'pending' })).calls;
    await until(async () => expect(await pendingCalls()).toHaveLength(1), 60_000);
    const [waiting] = await pendingCalls();
    await toolbox.calls.settle(waiting?.handle ?? '', { yes: true });
    expect(await toolbox.calls.wait(waiting?.handle ?? '', { timeoutMs: 60_000 })).toMatchObject({ status: 'ok', data: true });
    expect(done).toEqual(['charge']);
    await worker.stop();
  });

  test('gives those who wait for a call its end, also where the store did not take it at first', async () => {
    const store = memoryStore();
    const first = processOn(store, slow);
    const handle = handleOf(await first.toolbox.call('order', { id: 'o1' }));
    first.store.stop();
    const broken = storeFailingOnce(store, { operation: 'end' });
    const { toolbox } = processOn(broken, slow);
    const worker = createWorker(toolbox, { context });
    toolbox.subscribe(() => undefined);
    expect(await toolbox.calls.wait(handle, { timeoutMs: 200_000 })).toMatchObject({ status: 'ok' });
    await worker.stop();
  });

  test('shares its store with others: each call goes on once', async () => {
    const store = memoryStore();
    const done: string[] = [];
    const run: Run = async ({ sleep, step, idempotencyKey }) => {
      await sleep(60_000);
      return step('ship', () => done.push(idempotencyKey ?? ''));
    };
    const first = processOn(store, run);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await Promise.all(keys.map((idempotencyKey) => first.toolbox.call('order', { id: 'o1' }, { idempotencyKey })));
    first.store.stop();
    const workers = [1, 2, 3].map(() => createWorker(processOn(store, run).toolbox, { concurrency: 2 }));
    const { toolbox } = processOn(store, run);
    for (const outcome of outcomes) expect((await toolbox.calls.wait(handleOf(outcome), { timeoutMs: 200_000 })).status).toBe('ok');
    expect(done.sort()).toEqual(keys);
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  test('needs a store', () => {
    expect(() => createWorker(createToolbox([]))).toThrow('a worker needs a toolbox with');
  });
});

describe('a call that is cancelled while it sleeps or waits', () => {
  const slept: Run = async ({ step, sleep }) => {
    await step('charge', () => done.push('charge'));
    await sleep(3_600_000);
    return step('ship', () => done.push('ship'));
  };
  const waited: Run = async ({ step, waitFor }) => {
    await step('look', () => done.push('look'), { effects: 'none' });
    await waitFor('sure', decision);
    return step('ship', () => done.push('ship'));
  };
  const done: string[] = [];
  const workFor = async (toolbox: object): Promise<number> => {
    const worker = createWorker(toolbox);
    await takes(7_200_000);
    const looked = await worker.look();
    await worker.stop();
    return looked;
  };

  test.each<[string, Run, string, string]>([
    ['sleeps', slept, 'applied', 'order was cancelled while it slept.'],
    ['waits', waited, 'none', 'order was cancelled while it waited.'],
  ])('and %s ends as cancelled with the effect of its steps, and is never woken', async (_, run, effect, message) => {
    done.length = 0;
    const store = memoryStore();
    const [mine, other] = [processOn(store, run), processOn(store, run)];
    const handle = handleOf(await mine.toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' }));
    expect(await other.toolbox.with({ tenantId: 'acme' }).calls.cancel('i1')).toBe(false);
    expect(await other.toolbox.calls.cancel('i1')).toBe(true);
    const cancelled = { status: 'error', error: { kind: 'cancelled', effect, message, retryable: false } };
    expect(await mine.toolbox.calls.wait(handle, { timeoutMs: 0 })).toMatchObject(cancelled);
    expect(await mine.toolbox.calls.get('i1')).toMatchObject({ status: 'error', kind: 'cancelled', effect, outcome: cancelled });
    expect((await mine.toolbox.calls.list({ status: 'error' })).calls).toMatchObject([{ id: 'i1', kind: 'cancelled' }]);
    expect(await mine.toolbox.calls.settle(handle, { yes: true })).toMatchObject(cancelled);
    expect(await other.toolbox.calls.cancel('i1')).toBe(false);
    await workFor(other.toolbox);
    expect(done).not.toContain('ship');
  });

  test.each<[string, Run]>([
    ['sleep', ({ sleep }) => sleep(60_000)],
    ['wait', ({ waitFor }) => waitFor('sure', decision)],
  ])('just before it begins to %s does not begin to', async (_, waits) => {
    done.length = 0;
    const looking = Promise.withResolvers<void>();
    const { toolbox } = processOn(memoryStore(), async (ctx) => {
      // Hears no signal.
      await ctx.step('look', () => looking.promise.then(() => takes(100)), { effects: 'none' });
      await waits(ctx);
      return ctx.step('charge', () => done.push('charge'));
    });
    const call = toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' });
    await takes(10);
    expect(await toolbox.calls.cancel('i1')).toBe(true);
    looking.resolve();
    expect(await call).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect: 'none' } });
    await workFor(toolbox);
    expect([done, (await toolbox.calls.list({ status: 'pending' })).calls]).toEqual([[], []]);
    expect(await toolbox.calls.get('i1')).toMatchObject({ status: 'error', kind: 'cancelled' });
  });

  test('leaves its key to a new attempt, which keeps the steps and has a handle of its own', async () => {
    done.length = 0;
    const { toolbox } = processOn(memoryStore(), slept);
    const [context, again] = [
      { invocationId: 'i1', idempotencyKey: 'k1' },
      { invocationId: 'i2', idempotencyKey: 'k1' },
    ];
    const first = handleOf(await toolbox.call('order', { id: 'o1' }, context));
    expect(await toolbox.calls.cancel('i1')).toBe(true);
    const second = handleOf(await toolbox.call('order', { id: 'o1' }, again));
    expect(second).not.toBe(first);
    expect(await toolbox.calls.wait(second, { timeoutMs: 7_200_000 })).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['charge', 'ship']);
  });

  test('can be run again', async () => {
    done.length = 0;
    const { toolbox } = processOn(memoryStore(), waited);
    await toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' });
    await toolbox.calls.cancel('i1');
    const handle = handleOf(await toolbox.calls.rerun('i1'));
    expect(await toolbox.calls.settle(handle, { yes: true })).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['look', 'ship']);
  });

  test('while another process goes on with it is stopped there', async () => {
    done.length = 0;
    const store = memoryStore();
    const reached = Promise.withResolvers<void>();
    const run: Run = async ({ waitFor, step, signal }) => {
      await waitFor('sure', decision);
      return step(
        'ship',
        () =>
          new Promise((_, reject) => {
            reached.resolve();
            signal.addEventListener('abort', () => reject(fail('internal', 'Stopped.', { effect: 'none' })));
          }),
      );
    };
    const [mine, other] = [processOn(store, run), processOn(store, run)];
    const handle = handleOf(await mine.toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' }));
    const settled = mine.toolbox.calls.settle(handle, { yes: true });
    await reached.promise;
    expect(await other.toolbox.calls.cancel('i1')).toBe(true);
    expect(await settled).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect: 'none' } });
    expect(await other.toolbox.calls.get('i1')).toMatchObject({ status: 'error', kind: 'cancelled' });
  });

  test('by a process that died in the middle of that is not woken either', async () => {
    done.length = 0;
    const store = memoryStore();
    const { toolbox } = processOn(store, slept);
    const handle = handleOf(await toolbox.call('order', { id: 'o1' }, { invocationId: 'i1' }));
    const dying = storeUntil(store, { operation: 'cancel', isDone: true });
    void processOn(dying, slept)
      .toolbox.calls.cancel('i1')
      .catch(() => undefined);
    await dying.reached;
    await until(async () => expect((await toolbox.calls.get(handle))?.outcome).toBeDefined());
    await workFor(toolbox);
    expect(done).toEqual(['charge']);
    expect((await toolbox.calls.list({ status: 'error' })).calls).toMatchObject([{ id: 'i1', kind: 'cancelled' }]);
  });
});
