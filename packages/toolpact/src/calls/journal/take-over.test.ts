import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { storeFailingOnce, storeUntil } from '../../../../../proofs/fixtures/failing-store.ts';
import { mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { type OrderRun, orderTool } from '../../../../../proofs/fixtures/order-tool.ts';
import { skipTime, takes, until } from '../../../../../proofs/fixtures/skip-time.ts';
import { createToolbox } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';
import { createWorker } from '../durable/create-worker.ts';
import { defer } from '../waits/defer.ts';
import { journal } from './journal.ts';

skipTime();

const file = join(tmpdir(), `toolpact-take-over-${process.pid}.db`);
const stores: Readonly<Record<string, () => Store>> = { memory: () => memoryStore(), SQLite: () => sqliteStore({ path: file }) };
afterAll(() => {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
});

const leaseMs = 3000;
const hang = () => new Promise<never>(() => undefined);

function boxOn(store: Store, run: OrderRun) {
  const order = orderTool(run, { timeoutMs: 3_600_000 });
  return createToolbox([order], { use: [journal({ store, leaseMs }), defer({ store, leaseMs })], report: () => undefined });
}

/** Charges and ships; `between` is what happens between the two. */
const orderOf =
  (done: string[], who: string, between: Parameters<typeof orderTool>[0] = () => undefined): OrderRun =>
  async (ctx, input) => {
    await ctx.step('charge', () => done.push(`${who} charge`));
    await between(ctx, input);
    await ctx.step('ship', () => done.push(`${who} ship`));
    return 'done';
  };

/** Leaves a charged order behind: its process died, or it sleeps and its process is gone. */
async function leaveBehind(store: Store, done: string[], id: string, how: 'died' | 'sleeps'): Promise<void> {
  const own = mortalStore(store);
  const reached = Promise.withResolvers<void>();
  const between: OrderRun = async ({ sleep }) => {
    if (how === 'sleeps') return sleep(60_000);
    own.stop();
    reached.resolve();
    return hang();
  };
  const answer = boxOn(own, orderOf(done, 'first', between)).call('order', { id }, { invocationId: id, runId: id });
  await (how === 'died' ? reached.promise : answer);
  own.stop();
}

const isEndOf =
  (id: string, status: string) =>
  ({ space, key, value }: { readonly space: string; readonly key: string; readonly value: unknown }): boolean =>
    space === 'call-end' && key === id && Object(value).event?.outcome?.status === status;

/** Lets a worker look through the store until a call has its end. */
async function workUntilEnded(toolbox: ReturnType<typeof boxOn>, id: string): Promise<void> {
  const worker = createWorker(toolbox, { everyMs: 1000 });
  await until(async () => expect((await toolbox.findCall(id))?.outcome?.status).not.toBeOneOf([undefined, 'pending']), 200_000);
  await worker.stop();
}

let ids = 0;
const nextId = (): string => {
  ids += 1;
  return `call-${ids}`;
};

describe.each(Object.keys(stores))('a call that another process goes on with, on %s', (name) => {
  const open = stores[name] as () => Store;

  test.each(['died', 'sleeps'] as const)(
    'does no step twice when that process dies before the end is recorded (the first %s)',
    async (how) => {
      const [store, done, id] = [open(), [] as string[], nextId()];
      const sleeps: OrderRun = async ({ sleep }) => (how === 'sleeps' ? sleep(60_000) : undefined);
      await leaveBehind(store, done, id, how);
      const dying = storeUntil(store, isEndOf(id, 'ok'));
      const second = createWorker(boxOn(dying, orderOf(done, 'second', sleeps)), { everyMs: 1000 });
      await dying.reached;
      void second.stop();
      const third = boxOn(store, orderOf(done, 'third', sleeps));
      await workUntilEnded(third, id);
      expect(await third.findCall(id)).toMatchObject({ status: 'ok', outcome: { data: 'done' } });
      expect(done).toEqual(['first charge', 'second ship']);
    },
  );

  test('stays open until its end is recorded, so that no call is left without one', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    await leaveBehind(store, done, id, 'died');
    const second = boxOn(storeFailingOnce(store, isEndOf(id, 'ok')), orderOf(done, 'second'));
    await workUntilEnded(second, id);
    expect(await second.findCall(id)).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['first charge', 'second ship']);
    expect((await second.resume(id)).map(({ how, outcome }) => [how, outcome.status])).toEqual([['recorded', 'ok']]);
  });

  test('is left to others by a worker that does not have its tool', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    await leaveBehind(store, done, id, 'died');
    const other = createToolbox([], { use: [journal({ store, leaseMs })], report: () => undefined });
    await takes(10_000);
    const worker = createWorker(other);
    await worker.look();
    await worker.stop();
    const second = boxOn(store, orderOf(done, 'second'));
    await workUntilEnded(second, id);
    expect(await second.findCall(id)).toMatchObject({ status: 'ok' });
  });

  test.each<[string, OrderRun, object]>([
    ['fails', () => Promise.reject(new Error('The account is not there.')), { kind: 'interrupted', effect: 'unknown' }],
    ['begins its next step', ({ step }) => step('charge', () => 'twice'), { kind: 'interrupted', effect: 'unknown' }],
  ])('and that waits for a person keeps waiting when the process that stood still goes on and %s', async (_, goesOn, answered) => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    const own = mortalStore(store);
    const [reached, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = boxOn(own, async (ctx, input) => {
      reached.resolve();
      await woken.promise;
      return goesOn(ctx, input);
    }).call('order', { id }, { invocationId: id });
    await reached.promise;
    own.stop();
    const asks: OrderRun = async ({ waitFor }) => waitFor('sure', z.object({ ok: z.boolean() }));
    const second = boxOn(store, orderOf(done, 'second', asks));
    const worker = createWorker(second, { everyMs: 1000 });
    await until(async () => expect((await second.findCall(id))?.status).toBe('pending'), 60_000);
    own.wake();
    woken.resolve();
    expect(await first).toMatchObject({ status: 'error', error: answered });
    const waiting = await second.findCall(id);
    expect(waiting).toMatchObject({ status: 'pending' });
    await takes(5000);
    const handle = waiting?.outcome?.status === 'pending' ? waiting.outcome.pending.handle : '';
    expect(await second.settle(handle, { ok: true })).toMatchObject({ status: 'ok', data: 'done' });
    expect(await second.findCall(id)).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['second charge', 'second ship']);
    await worker.stop();
  });

  test('ends as cancelled, where its first process was asked to stop it and died', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    const own = mortalStore(store);
    const reached = Promise.withResolvers<void>();
    const dying: OrderRun = () => {
      reached.resolve();
      return hang();
    };
    void boxOn(own, orderOf(done, 'first', dying)).call('order', { id }, { invocationId: id });
    await reached.promise;
    own.stop();
    const second = boxOn(store, orderOf(done, 'second'));
    expect(await second.cancel(id)).toBe(true);
    await workUntilEnded(second, id);
    expect(await second.findCall(id)).toMatchObject({ status: 'error', kind: 'cancelled', effect: 'unknown' });
    expect(done).toEqual(['first charge']);
  });

  test('is stopped in the process that goes on with it', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    await leaveBehind(store, done, id, 'died');
    const reached = Promise.withResolvers<void>();
    const waits: OrderRun = ({ signal }) => {
      reached.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const second = boxOn(store, orderOf(done, 'second', waits));
    const worker = createWorker(second, { everyMs: 1000 });
    await reached.promise;
    const third = boxOn(store, orderOf(done, 'third'));
    expect(await third.cancel(id)).toBe(true);
    await until(async () => expect(await third.findCall(id)).toMatchObject({ status: 'error', kind: 'cancelled' }), 60_000);
    expect(done).toEqual(['first charge']);
    await worker.stop();
  });

  test('has an effect that is not known, where its process stood still until the deadline was over', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    const own = mortalStore(store);
    const reached = Promise.withResolvers<void>();
    const order = orderTool(
      () => {
        reached.resolve();
        return hang();
      },
      { timeoutMs: 60_000 },
    );
    const first = createToolbox([order], { use: [journal({ store: own, leaseMs })], report: () => undefined });
    const answer = first.call('order', { id }, { invocationId: id });
    await reached.promise;
    own.stop();
    const second = boxOn(store, orderOf(done, 'second'));
    await workUntilEnded(second, id);
    own.wake();
    expect(await answer).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'unknown', recovery: 'verify' } });
    expect(done).toEqual(['second charge', 'second ship']);
    expect(await second.findCall(id)).toMatchObject({ status: 'ok' });
  });

  test('is not begun by a process that stood still before its first step, once another has ended it', async () => {
    const [store, done, id] = [open(), [] as string[], nextId()];
    const standing = storeUntil(store, ({ space }, expected) => space === 'steps' && expected === 0);
    const first = boxOn(standing, orderOf(done, 'first')).call('order', { id }, { invocationId: id });
    await standing.reached;
    const second = boxOn(store, orderOf(done, 'second'));
    await workUntilEnded(second, id);
    await takes(1000);
    standing.wake();
    expect(await first).toMatchObject({ status: 'error', error: { kind: 'interrupted', effect: 'unknown' } });
    expect(done).toEqual(['second charge', 'second ship']);
    expect(await second.findCall(id)).toMatchObject({ status: 'ok' });
  });
});
