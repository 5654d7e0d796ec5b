import { expect, test } from 'vitest';
import { mortalStore } from '../../../../test/mortal-store.ts';
import { skipTime, until } from '../../../../test/skip-time.ts';
import type { Store } from '../../../core/runtime/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from '../journal/journal.ts';
import { defer } from '../results/defer.ts';
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
