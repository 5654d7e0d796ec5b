import { expect, test } from 'vitest';
import { concurrency } from '../../guards/limits/concurrency.ts';
import { cache } from '../../guards/results/cache.ts';
import { retry } from '../../guards/retry.ts';
import { fail } from '../../outcome/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { approvals } from '../approvals/approvals.ts';
import { idempotency } from '../idempotency/idempotency.ts';
import { defer } from '../waits/defer.ts';
import { journal } from './journal.ts';

const report = () => undefined;
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is stopped.',
  effects: 'writes',
  run: (_, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});

test.each([
  ['the same process', true],
  ['another process that shares the store', false],
])('a call is stopped from %s: its signal fires, and its effect is not known', async (_, isSame) => {
  const store = memoryStore();
  const box = createToolbox([wait], { use: [journal({ store })], report });
  const other = isSame ? box : createToolbox([], { use: [journal({ store })], report });
  const call = box.call('wait', {}, { invocationId: 'i1' });
  await expect.poll(() => other.findCall('i1')).toMatchObject({ status: 'running' });
  expect(await other.cancel('i1')).toBe(true);
  expect(await call).toMatchObject({ status: 'error', error: { kind: 'cancelled', message: 'wait was cancelled.', effect: 'unknown' } });
  expect(await other.findCall('i1')).toMatchObject({ status: 'error', kind: 'cancelled' });
  expect(await other.cancel('i1')).toBe(false);
});

test('a call of another tenant, or none, is not stopped', async () => {
  const store = memoryStore();
  const box = createToolbox([wait], { use: [journal({ store })], report });
  const stop = new AbortController();
  const call = box.call('wait', {}, { invocationId: 'i1', tenantId: 'a', signal: stop.signal });
  await expect.poll(() => box.with({ tenantId: 'a' }).findCall('i1')).toMatchObject({ status: 'running' });
  expect(await box.with({ tenantId: 'b' }).cancel('i1')).toBe(false);
  expect(await box.cancel('nothing')).toBe(false);
  stop.abort();
  await call;
});

test.each(['waiting', 'approved'])(
  'a call that needs an approval and is %s is cancelled, and a later decision changes nothing',
  async (state) => {
    const store = memoryStore();
    let runs = 0;
    const erase = defineTool({
      name: 'erase',
      description: 'Erases.',
      approval: true,
      run: () => {
        runs += 1;
      },
    });
    const box = createToolbox([erase], { use: [journal({ store }), approvals({ store })], report });
    const asked = await box.call('erase', {}, { invocationId: 'i1' });
    const handle = asked.status === 'pending' ? asked.pending.handle : expect.unreachable();
    if (state === 'approved') await box.decide(handle, 'approve');
    expect(await box.with({ tenantId: 'b' }).withdraw(handle)).toBe(false);
    expect(await box.cancel('i1')).toBe(true);
    expect(await box.wait(handle)).toMatchObject({ error: { kind: 'cancelled', effect: 'none' } });
    expect(await box.findCall('i1')).toMatchObject({ status: 'error', kind: 'cancelled' });
    expect(await box.decide(handle, 'approve')).toMatchObject({ ok: false, why: 'expired' });
    expect([await box.cancel('i1'), await box.withdraw(handle), await box.listApprovals()]).toEqual([false, false, []]);
    const again = await box.call('erase', {});
    expect(again.status === 'pending' && again.pending.handle !== handle).toBe(true);
    expect(runs).toBe(0);
  },
);

test('a call that is cancelled between two attempts is not tried again', async () => {
  const box = createToolbox(
    [
      defineTool({
        name: 'busy',
        description: 'Always busy.',
        effects: 'none',
        run: () => {
          runs += 1;
          throw fail('unreachable', 'Busy.', { retryAfterMs: 10_000 });
        },
      }),
    ],
    { use: [retry({ attempts: 5 }), journal({ store: memoryStore() })], report },
  );
  let runs = 0;
  const call = box.call('busy', {}, { invocationId: 'i1' });
  await expect.poll(() => box.findCall('i1')).toMatchObject({ status: 'running' });
  await expect.poll(() => runs).toBe(1);
  expect(await box.cancel('i1')).toBe(true);
  expect(await call).toMatchObject({ error: { kind: 'cancelled' }, meta: { attempts: 1 } });
  expect(runs).toBe(1);
});

test('a call that is cancelled while it waits for an equal one ends, and the other goes on', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const look = defineTool({ name: 'look', description: 'Looks.', effects: 'none', cache: { ttlMs: 1000 }, run: () => promise });
  const box = createToolbox([look], { use: [cache(), journal({ store: memoryStore() })], report });
  const first = box.call('look', {}, { invocationId: 'i1' });
  await expect.poll(() => box.findCall('i1')).toMatchObject({ status: 'running' });
  const second = box.call('look', {}, { invocationId: 'i2' });
  await expect.poll(() => box.findCall('i2')).toMatchObject({ status: 'running' });
  expect(await box.cancel('i2')).toBe(true);
  expect(await second).toMatchObject({ error: { kind: 'cancelled', effect: 'none' } });
  resolve('seen');
  expect(await first).toMatchObject({ status: 'ok', data: 'seen' });
});

test('a call that is cancelled while it waits for its turn never begins', async () => {
  let runs = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    async run() {
      runs += 1;
      await promise;
    },
  });
  const box = createToolbox([write], { use: [journal({ store: memoryStore() }), concurrency({ max: 1 })], report });
  const first = box.call('write', {});
  await expect.poll(() => runs).toBe(1);
  const second = box.call('write', {}, { invocationId: 'i2' });
  await expect.poll(() => box.findCall('i2')).toMatchObject({ status: 'running' });
  expect(await box.cancel('i2')).toBe(true);
  resolve();
  await first;
  expect(await second).toMatchObject({ error: { kind: 'cancelled', effect: 'none' }, meta: { attempts: 0 } });
  expect(runs).toBe(1);
});

test('a call that is cancelled while it waits for a key of another process ends at once, and does not ask the store again and again', async () => {
  const memory = memoryStore();
  let reads = 0;
  const store = {
    ...memory,
    async get(at: Parameters<typeof memory.get>[0]) {
      reads += 1;
      // Without this, a loop without a pause would stop the test itself.
      if (reads > 1000) throw new Error('asked too often');
      return memory.get(at);
    },
  };
  const { promise, resolve } = Promise.withResolvers<string>();
  const pay = defineTool({ name: 'pay', description: 'Pays.', run: () => promise });
  const [box, other] = [store, store].map((shared) =>
    createToolbox([pay], { use: [journal({ store: shared }), idempotency({ store: shared })], report }),
  );
  const first = box?.call('pay', {}, { idempotencyKey: 'k', invocationId: 'i1' });
  await expect.poll(() => box?.findCall('i1')).toMatchObject({ status: 'running' });
  const second = other?.call('pay', {}, { idempotencyKey: 'k', invocationId: 'i2' });
  await expect.poll(() => other?.findCall('i2')).toMatchObject({ status: 'running' });
  const before = reads;
  expect(await other?.cancel('i2')).toBe(true);
  expect(await second).toMatchObject({ error: { kind: 'cancelled', effect: 'unknown' }, meta: { attempts: 0 } });
  expect(reads - before).toBeLessThan(20);
  resolve('paid');
  expect(await first).toMatchObject({ status: 'ok', data: 'paid' });
});

test.each([
  ['begins a step', { steps: true } as const],
  ['is about to be deferred', { deferAfterMs: 1 }],
])('a call that is cancelled while it %s and its store fails ends, and pauses before it asks the store again', async (_, options) => {
  const memory = memoryStore();
  let writes = 0;
  let isDown = false;
  const store = {
    ...memory,
    async put(...given: Parameters<typeof memory.put>) {
      if (!isDown) return memory.put(...given);
      writes += 1;
      // Without this, a loop without a pause would stop the test itself.
      if (writes > 1000) await new Promise(setImmediate);
      throw new Error('down');
    },
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    ...options,
    async run(_input, context) {
      isDown = true;
      resolve();
      await (context as { step?: (name: string, run: () => void) => Promise<void> }).step?.('one', () => undefined);
      await new Promise(() => undefined);
    },
  });
  const box = createToolbox([write], { use: [journal({ store }), defer({ store })], report });
  const call = box.call('write', {}, { invocationId: 'i1' });
  await promise;
  await expect.poll(() => writes).toBeGreaterThan(0);
  expect(await box.cancel('i1')).toBe(true);
  expect(await call).toMatchObject({ error: { kind: 'cancelled' } });
  expect(writes).toBeLessThan(100);
});
