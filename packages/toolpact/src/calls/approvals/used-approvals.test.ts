import { describe, expect, test } from 'vitest';
import { type MortalStore, mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { type OrderRun, orderTool } from '../../../../../proofs/fixtures/order-tool.ts';
import { skipTime, takes, until, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, createWorker, fail, type Outcome } from '../../index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';

skipTime();

const leaseMs = 3000;
const hang = () => new Promise<never>(() => undefined);
const keyed = { idempotency: { key: ({ id }: { readonly id: string }) => id } };

function boxOn(store: Store, run: OrderRun, definition: object = {}) {
  const order = orderTool(run, { timeoutMs: 3_600_000, approval: ({ id }: { id: string }) => `Order ${id}?`, ...definition });
  return createToolbox([order], { store, calls: { leaseMs }, report: () => undefined });
}
type Box = ReturnType<typeof boxOn>;

/** Charges and ships; `between` is what happens between the two. */
const orderOf =
  (done: string[], between: () => unknown = () => undefined): OrderRun =>
  async ({ step }) => {
    await step('charge', () => done.push('charge'));
    await between();
    await step('ship', () => done.push('ship'));
    return 'done';
  };

const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : `not pending: ${outcome.status}`);
const context = { runId: 'r', userId: 'ann' };
const order = (box: Box, more: object = {}): Promise<Outcome> => box.call('order', { id: 'o1' }, { ...context, ...more });

async function approve(box: Box, outcome: Outcome): Promise<void> {
  expect(await box.approvals.decide(handleOf(outcome), 'approve', { by: 'eve' })).toMatchObject({ ok: true });
}

/** Leaves an order behind that was approved and charged, and whose process died. */
async function leaveBehind(store: Store, done: string[], definition: object): Promise<void> {
  const own: MortalStore = mortalStore(store);
  const reached = Promise.withResolvers<void>();
  const box = boxOn(
    own,
    orderOf(done, () => {
      own.stop();
      reached.resolve();
      return hang();
    }),
    definition,
  );
  const asked = await order(box, { invocationId: 'first' });
  await approve(box, asked);
  void order(box);
  await reached.promise;
}

async function work(box: Box, id: string): Promise<void> {
  const worker = createWorker(box);
  await until(async () => expect((await box.calls.get(id))?.outcome).toBeDefined(), 100_000);
  await worker.stop();
}

describe('an approval that a call has used', () => {
  test('still counts for the same call, made again with its key after a crash: no person is asked about what has begun', async () => {
    const [store, done] = [memoryStore(), [] as string[]];
    await leaveBehind(store, done, keyed);
    const box = boxOn(store, orderOf(done), keyed);
    expect(await order(box)).toMatchObject({ status: 'ok', data: 'done' });
    expect(await box.approvals.list()).toEqual([]);
    expect(done).toEqual(['charge', 'ship']);
  });

  test.each([
    ['with a key', keyed],
    ['without one', {}],
  ])('still counts for the worker that goes on with the call (%s)', async (_, definition) => {
    const [store, done] = [memoryStore(), [] as string[]];
    await leaveBehind(store, done, definition);
    const box = boxOn(store, orderOf(done), definition);
    await work(box, 'first');
    expect(await box.calls.get('first')).toMatchObject({ status: 'ok' });
    expect(await box.approvals.list()).toEqual([]);
    expect(done).toEqual(['charge', 'ship']);
  });

  test('still counts where the process died before the tool began', async () => {
    const [store, done] = [memoryStore(), [] as string[]];
    const dying = mortalStore(store);
    const ledger = dying.calls as Ledger;
    const taken = Promise.withResolvers<void>();
    const take: Ledger['take'] = async (...given) => {
      const answer = await ledger.take(...given);
      dying.stop();
      taken.resolve();
      return answer;
    };
    const first = boxOn({ ...dying, calls: { ...ledger, take } }, orderOf(done));
    await approve(first, await order(first, { invocationId: 'first' }));
    void order(first);
    await taken.promise;
    const box = boxOn(store, orderOf(done));
    await work(box, 'first');
    expect(await box.calls.get('first')).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['charge', 'ship']);
  });

  test('counts for another caller with the same key too: it is the same call', async () => {
    const [store, done] = [memoryStore(), [] as string[]];
    await leaveBehind(store, done, keyed);
    await takes(leaseMs);
    const box = boxOn(store, orderOf(done), keyed);
    expect(await order(box, { userId: 'bob' })).toMatchObject({ status: 'ok' });
    expect(await box.approvals.list()).toEqual([]);
    expect(done).toEqual(['charge', 'ship']);
  });

  test('is not used by another call that has its id', async () => {
    const done: string[] = [];
    const act = orderTool(({ step }) => step('charge', () => done.push('charge')), { approval: true });
    const store = memoryStore();
    const box = createToolbox([act], { store, report: () => undefined });
    const call = () => box.call('order', { id: 'o1' }, { ...context, invocationId: 'chosen' });
    await box.approvals.decide(handleOf(await call()), 'approve');
    expect([(await call()).status, (await call()).status, done]).toEqual(['ok', 'pending', ['charge']]);
  });
});

describe.each([
  ['with a key', keyed],
  ['without one', {}],
])('a rerun of a call that needs an approval, %s', (_, definition) => {
  /** An order that was approved and failed. */
  async function failedOrder() {
    const [store, done] = [memoryStore(), [] as string[]];
    const state = { isClosed: true };
    const run: OrderRun = async ({ step }) => {
      await step('look', () => 'account', { effects: 'none' });
      return step('pay', () => {
        if (state.isClosed) throw fail('upstream', 'The bank is closed.', { effect: 'none' });
        return done.push('paid');
      });
    };
    const box = boxOn(store, run, definition);
    await approve(box, await order(box));
    const failed = await order(box);
    expect(failed).toMatchObject({ status: 'error', error: { kind: 'upstream', effect: 'none' } });
    state.isClosed = false;
    return { box, done, id: failed.meta.invocationId ?? '' };
  }

  test('asks again, and runs once with the answer', async () => {
    const { box, done, id } = await failedOrder();
    const asked = await box.with(context).calls.rerun(id);
    expect(asked).toMatchObject({
      status: 'pending',
      pending: { reason: 'approval' },
      message: 'order is waiting for approval and has not run again. Order o1? Tell the user; ask for the rerun again once it is approved.',
    });
    expect(handleOf(await box.with(context).calls.rerun(id))).toBe(handleOf(asked));
    expect(done).toEqual([]);
    await approve(box, asked);
    expect(await box.with(context).calls.rerun(id)).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['paid']);
    expect(await box.with(context).calls.rerun(id)).toMatchObject({ error: { kind: 'conflict' } });
    expect(await box.calls.wait(handleOf(asked))).toMatchObject({ status: 'ok' });
  });

  test('that is denied does not run, and neither does the rerun of a call that was denied', async () => {
    const { box, done, id } = await failedOrder();
    const asked = await order(box);
    await box.approvals.decide(handleOf(asked), 'deny', { by: 'eve', reason: 'No.' });
    const denied = await order(box);
    expect(denied).toMatchObject({ status: 'error', error: { kind: 'denied', effect: 'none' } });
    const deniedId = denied.meta.invocationId ?? '';
    expect(await box.with(context).calls.rerun(deniedId)).toMatchObject({
      error: {
        kind: 'denied',
        effect: 'none',
        message: `The call ${deniedId} was denied and did not run, so it is not run again.`,
        advice: 'Make a new call, which asks again.',
      },
    });
    expect(await box.with(context).calls.rerun(id)).toMatchObject({ status: 'error', error: { kind: 'denied', effect: 'none' } });
    expect(done).toEqual([]);
  });
});

describe('an approved call that a guard keeps from running', () => {
  const closed = { is: true };
  const gate = (phase: 'policy' | 'limit') =>
    defineGuard({
      name: 'gate',
      phase,
      around: (call, next) => (closed.is ? Promise.resolve(call.refuse('rate_limited', 'Later.', { effect: 'none' })) : next()),
    });
  const gated = (store: Store, done: string[], phase: 'policy' | 'limit') =>
    createToolbox([orderTool(orderOf(done), { timeoutMs: 3_600_000, approval: true })], {
      store,
      use: [gate(phase)],
      approvals: { expiresMs: 60_000 },
      report: () => undefined,
    });

  test('waits for another try, and no longer than its approval can be used', async () => {
    const [store, done]: [Store, string[]] = [memoryStore(), []];
    const box = gated(store, done, 'limit');
    closed.is = true;
    const asked = await order(box);
    await approve(box, asked);
    expect(await order(box)).toMatchObject({ error: { kind: 'rate_limited' } });
    const worker = createWorker(box);
    const isOver = async () =>
      expect(await box.calls.get(handleOf(asked))).toMatchObject({ outcome: { error: { code: 'approval_expired' } } });
    await until(isOver, 100_000);
    await worker.stop();
    expect(done).toEqual([]);
  });

  test('ends as cancelled where somebody cancels it meanwhile', async () => {
    const inner = memoryStore();
    const ledger = inner.calls as Ledger;
    const done: string[] = [];
    let isRunning = false;
    const calls: Ledger = {
      ...ledger,
      async wait(run, wait) {
        // Its process hears of that too late.
        if (isRunning) await ledger.cancel(run, {});
        return ledger.wait(run, wait);
      },
    };
    const box = gated({ ...inner, calls }, done, 'limit');
    closed.is = true;
    const asked = await order(box);
    await approve(box, asked);
    isRunning = true;
    expect(await order(box)).toMatchObject({ error: { kind: 'cancelled', effect: 'none' } });
    expect(await box.calls.get(handleOf(asked))).toMatchObject({ outcome: { error: { kind: 'cancelled', effect: 'none' } } });
    expect(done).toEqual([]);
  });

  test('answers at once where the store does not take that it waits', async () => {
    const inner = memoryStore();
    const ledger = inner.calls as Ledger;
    let isDown = false;
    const calls: Ledger = { ...ledger, wait: (run, wait) => (isDown ? Promise.reject(new Error('disk full')) : ledger.wait(run, wait)) };
    const box = gated({ ...inner, calls }, [], 'limit');
    closed.is = true;
    await approve(box, await order(box));
    isDown = true;
    expect(await withStoppedTime(() => order(box))).toMatchObject({ error: { kind: 'rate_limited' } });
  });

  test('as a rerun can be asked for again', async () => {
    const done: string[] = [];
    let isBroken = true;
    const breaks = () => {
      if (isBroken) throw fail('upstream', 'Down.', { effect: 'none' });
    };
    const box = createToolbox([orderTool(orderOf(done, breaks), { timeoutMs: 3_600_000, approval: true })], {
      store: memoryStore(),
      use: [gate('policy')],
      report: () => undefined,
    });
    closed.is = false;
    await approve(box, await order(box));
    const failed = await order(box);
    const id = failed.meta.invocationId ?? '';
    expect(failed).toMatchObject({ error: { kind: 'upstream' } });
    await approve(box, await box.calls.rerun(id));
    closed.is = true;
    expect(await box.calls.rerun(id)).toMatchObject({ error: { kind: 'rate_limited' } });
    [closed.is, isBroken] = [false, false];
    expect(await box.calls.rerun(id)).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['charge', 'ship']);
  });
});
