import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { storeFailingOnce } from '../../../../../proofs/fixtures/failing-store.ts';
import { orderTool } from '../../../../../proofs/fixtures/order-tool.ts';
import { skipTime, takes, until } from '../../../../../proofs/fixtures/skip-time.ts';
import { noTenant } from '../../contract/index.ts';
import { createToolbox, defineTool, fail } from '../../index.ts';
import type { Guard, Store } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createWorker } from '../durable/create-worker.ts';
import { journal } from './journal.ts';

skipTime();

/** A store that answers each write so late that nobody waits for it. It is done all the same. */
function late(store: Store, isLate: (space: string) => boolean, ms = 5000): Store {
  const wait = async (space: string): Promise<void> => (isLate(space) ? takes(ms) : undefined);
  return {
    ...store,
    put: (draft, expected) => wait(draft.space).then(() => store.put(draft, expected)),
    add: (at, amount, windowMs) => wait(at.space).then(() => store.add(at, amount, windowMs)),
  };
}

function boxOn(store: Store, use: readonly Guard[] = []) {
  const done: string[] = [];
  const state = { isBroken: false };
  const order = orderTool(async ({ step, waitFor }) => {
    await step('charge', () => done.push('charge'));
    if (state.isBroken) throw fail('upstream', 'Closed.');
    await waitFor('sure', z.boolean());
    return 'done';
  });
  const plain = defineTool({ name: 'plain', description: 'Has no steps.', run: () => void done.push('plain') });
  const box = createToolbox([order, plain], { use: [journal({ store, leaseMs: 60_000 }), ...use], report: () => undefined });
  return { box, done, state };
}

describe('a call with steps that cannot be recorded', () => {
  test.each<[string, (store: Store) => Store]>([
    ['because its process cannot show that it lives', (store) => late(store, (space) => space === 'owner')],
    ['because its start is written too late', (store) => late(store, (space) => space === 'call')],
    ['because the list of open calls does not take it', (store) => storeFailingOnce(store, ({ space }) => space === 'open-call')],
    ['because its arguments are not kept', (store) => storeFailingOnce(store, ({ space }) => space === 'call-args')],
  ])('%s, does not run, and nobody else runs it', async (_, broken) => {
    const inner = memoryStore();
    const { box, done } = boxOn(broken(inner));
    const outcome = await box.call('order', { id: 'o1' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', effect: 'none', retryable: true },
      meta: { attempts: 0 },
    });
    expect(outcome.status === 'error' && outcome.error.message).toContain('order did not run: it has steps, and cannot be recorded now: ');
    await takes(120_000);
    const other = boxOn(inner);
    const worker = createWorker(other.box);
    await worker.look();
    await worker.stop();
    expect([done, other.done]).toEqual([[], []]);
    await until(async () => expect(await inner.list({ space: 'open-call', tenant: noTenant })).toEqual([]));
  });

  test.each<[string, 'none' | 'unknown', (space: string) => boolean]>([
    ['is recorded', 'none', (space) => space === 'call'],
    ['cannot be recorded either, so that a worker may still run it', 'unknown', (space) => space === 'call' || space === 'call-end'],
  ])('says what is known, where that it was refused %s', async (_, effect, isLate) => {
    const { box, done } = boxOn(late(memoryStore(), isLate));
    expect(await box.call('order', { id: 'o1' })).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect } });
    expect(done).toEqual([]);
  });

  test('is not run as a rerun either: the next rerun would not know of it', async () => {
    const inner = memoryStore();
    const { box, done, state } = boxOn(inner);
    state.isBroken = true;
    const failed = await box.call('order', { id: 'o1' });
    const again = boxOn(late(inner, (space) => space === 'call'));
    expect(await again.box.rerun(failed.meta.invocationId ?? '')).toMatchObject({ error: { kind: 'not_ready', effect: 'none' } });
    expect([done, again.done]).toEqual([['charge'], []]);
  });

  test('is left to an engine, which remembers its steps itself', async () => {
    const engine = defineGuard({
      name: 'engine',
      phase: 'key',
      around: (call) => call.pending({ handle: 'h', reason: 'running' }),
      methods: () => ({ cancel: async () => false }),
    });
    const { box } = boxOn(
      late(memoryStore(), () => true),
      [engine],
    );
    expect(await box.call('order', { id: 'o1' })).toMatchObject({ status: 'pending' });
  });
});

test('a call without steps that cannot be recorded runs and says so', async () => {
  const { box, done } = boxOn(late(memoryStore(), (space) => space === 'owner'));
  expect(await box.call('plain', {})).toMatchObject({
    status: 'ok',
    meta: { warnings: ['not recorded: the store did not answer within 2000 ms'] },
  });
  expect(done).toEqual(['plain']);
});

describe('the first connection of a store', () => {
  /** A store that needs some time to connect, and then answers at once. */
  function connecting(ms: number): Store {
    const store = memoryStore();
    let opening: Promise<void> | undefined;
    let isOpen = false;
    const connect = (): Promise<void> => {
      opening ??= takes(ms).then(() => {
        isOpen = true;
      });
      return opening;
    };
    return {
      ...store,
      opening: () => (isOpen ? undefined : opening),
      get: (at) => connect().then(() => store.get(at)),
      put: (draft, expected) => connect().then(() => store.put(draft, expected)),
      add: (at, amount, windowMs) => connect().then(() => store.add(at, amount, windowMs)),
    };
  }

  test('is waited for: the first calls of a process are recorded', async () => {
    const { box } = boxOn(connecting(6000));
    const [plain, order] = await Promise.all([box.call('plain', {}), box.call('order', { id: 'o1' })]);
    expect([plain, order]).toMatchObject([{ status: 'ok' }, { status: 'pending', pending: { reason: 'input' } }]);
    expect([plain.meta.warnings, order.meta.warnings]).toEqual([undefined, undefined]);
    expect(await box.findCall(plain.meta.invocationId ?? '')).toMatchObject({ status: 'ok' });
  });

  test('is not waited for without end', async () => {
    const { box, done } = boxOn(connecting(3_600_000));
    const begunAt = Date.now();
    expect(await box.call('order', { id: 'o1' })).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
    expect([done, Date.now() - begunAt < 13_000]).toEqual([[], true]);
  });
});
