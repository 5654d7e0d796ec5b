import { expect, test, vi } from 'vitest';
import { mortalStore } from '../../../../../proofs/fixtures/mortal-store.ts';
import { skipTime, takes, until, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from '../journal/journal.ts';
import { defer } from '../waits/defer.ts';
import { createWorker } from './create-worker.ts';

skipTime();

/** A process whose tool is deferred, and then stands at its second step until it is let go. */
function processOn(store: Store, done: string[], goOn: Promise<void>) {
  const own = mortalStore(store);
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    steps: true,
    deferAfterMs: 10,
    timeoutMs: 600_000,
    async run(_, { step }) {
      await step('charge', () => done.push('charge'));
      await goOn;
      return step('ship', () => done.push('ship'));
    },
  });
  const use = [journal({ store: own, leaseMs: 3000 }), defer({ store: own, leaseMs: 3000 })] as const;
  return { store: own, toolbox: createToolbox([order], { use, report: () => undefined }) };
}

const never = new Promise<void>(() => undefined);
const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable());
const kindOf = (outcome: Outcome): string => (outcome.status === 'error' ? outcome.error.kind : outcome.status);

test('a deferred call whose process died stays pending while a worker can go on with it, and ends under the same handle', async () => {
  const [store, done] = [memoryStore(), [] as string[]];
  const first = processOn(store, done, never);
  const handle = handleOf(await first.toolbox.call('order', {}));
  const second = processOn(store, done, Promise.resolve());
  const worker = createWorker(second.toolbox, { everyMs: 5000 });
  await until(() => expect(done).toEqual(['charge']));
  first.store.stop();
  const equal = await second.toolbox.wait(handle, { timeoutMs: 4000 });
  expect(kindOf(equal)).toBe('pending');
  expect(await second.toolbox.wait(handle, { timeoutMs: 60_000 })).toMatchObject({ status: 'ok', data: 2 });
  expect(done).toEqual(['charge', 'ship']);
  await worker.stop();
});

test('a deferred call whose process died is interrupted where no worker looks through its store', async () => {
  const [store, done] = [memoryStore(), [] as string[]];
  const first = processOn(store, done, never);
  const handle = handleOf(await first.toolbox.call('order', {}));
  first.store.stop();
  expect(kindOf(await processOn(store, done, never).toolbox.wait(handle, { timeoutMs: 60_000 }))).toBe('interrupted');
});

test('an equal call joins a deferred one whose process died while a worker can go on with it', async () => {
  const [store, done] = [memoryStore(), [] as string[]];
  const first = processOn(store, done, never);
  const handle = handleOf(await first.toolbox.call('order', {}, { runId: 'r1' }));
  const second = processOn(store, done, Promise.resolve());
  const worker = createWorker(second.toolbox, { everyMs: 20_000 });
  await worker.look();
  first.store.stop();
  await second.toolbox.wait(handle, { timeoutMs: 4000 });
  expect(handleOf(await second.toolbox.call('order', {}, { runId: 'r1' }))).toBe(handle);
  expect(await second.toolbox.wait(handle, { timeoutMs: 60_000 })).toMatchObject({ status: 'ok' });
  expect(done).toEqual(['charge', 'ship']);
  await worker.stop();
});

test('a worker leaves a call alone whose process could not sign while the store was away, if the process lives', async () => {
  const [store, done] = [memoryStore(), [] as string[]];
  const { promise, resolve } = Promise.withResolvers<void>();
  let isAway = false;
  const put: Store['put'] = (draft, version) => (isAway ? Promise.reject(new Error('away')) : store.put(draft, version));
  const handle = handleOf(await processOn({ ...store, put }, done, promise).toolbox.call('order', {}));
  const second = processOn(store, done, Promise.resolve());
  await withStoppedTime(async () => {
    isAway = true;
    await vi.advanceTimersByTimeAsync(3700);
    isAway = false;
    const worker = createWorker(second.toolbox, { everyMs: 100 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(done).toEqual(['charge']);
    await worker.stop();
  });
  resolve();
  expect(await second.toolbox.wait(handle)).toMatchObject({ status: 'ok', data: 2 });
  expect(done).toEqual(['charge', 'ship']);
});

test('a deferred call that sleeps is not lost, although its process has nothing to do meanwhile', async () => {
  const store = memoryStore();
  const nap = defineTool({
    name: 'nap',
    description: 'Naps.',
    steps: true,
    deferAfterMs: 10,
    async run(_, { step, sleep }) {
      await step('lie down', () => takes(50, 'down'));
      await sleep(3_600_000);
      return 'rested';
    },
  });
  const toolbox = createToolbox([nap], { use: [journal({ store }), defer({ store })], report: () => undefined });
  const handle = handleOf(await toolbox.call('nap', {}));
  await withStoppedTime(() => vi.advanceTimersByTimeAsync(600_000));
  expect(kindOf(await toolbox.wait(handle, { timeoutMs: 10_000 }))).toBe('pending');
  expect(await toolbox.wait(handle, { timeoutMs: 4_000_000 })).toMatchObject({ status: 'ok', data: 'rested' });
});

test('a process with a journal and deferred calls gives one sign of life', async () => {
  const store = memoryStore();
  const put = vi.fn(store.put);
  await processOn({ ...store, put }, [], never).toolbox.call('order', {});
  expect(new Set(put.mock.calls.flatMap(([{ space, key }]) => (space === 'owner' ? [key] : []))).size).toBe(1);
});
