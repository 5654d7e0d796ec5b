import { expect, test, vi } from 'vitest';
import { skipTime, until } from '../../../../test/skip-time.ts';
import { createToolbox, defineTool, type Store } from '../../../core/runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { defer } from '../results/defer.ts';

skipTime();

/** A call that is deferred and ends when the test says so, over a store whose reads are counted and can be made to fail. */
async function deferred() {
  const inner = memoryStore();
  let end: (word: string) => void = () => undefined;
  let isDown = false;
  const get = vi.fn((...given: Parameters<Store['get']>) => (isDown ? Promise.reject(new Error('down')) : inner.get(...given)));
  const run = () =>
    new Promise<string>((resolve) => {
      end = resolve;
    });
  const slow = defineTool({ name: 'slow', description: 'Takes long.', effects: 'none', deferAfterMs: 1, timeoutMs: 600_000, run });
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner, get } })], report: () => undefined });
  const outcome = await toolbox.call('slow', {});
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  const setDown = (is: boolean): void => {
    isDown = is;
  };
  return { toolbox, handle, get, end: (word: string) => end(word), setDown };
}

test('a thousand who wait for one call look at the store together', async () => {
  const { toolbox, handle, get, end } = await deferred();
  const waiting = Array.from({ length: 1000 }, () => toolbox.wait(handle, { timeoutMs: 600_000 }));
  await until(() => expect(get.mock.calls.length).toBeGreaterThanOrEqual(2_000));
  const before = get.mock.calls.length;
  const later = performance.now() + 10_000;
  await until(() => expect(performance.now()).toBeGreaterThan(later));
  // Each looked once for itself; in ten seconds all together looked at most four times a second, at the call and at its process.
  expect(get.mock.calls.length - before).toBeLessThanOrEqual(100);
  end('done');
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set(['ok']));
});

test('a store that fails for a while does not end the waiting; one that fails at once is reported', async () => {
  const { toolbox, handle, get, end, setDown } = await deferred();
  const waiting = toolbox.wait(handle, { timeoutMs: 600_000 });
  await until(() => expect(get.mock.calls.length).toBeGreaterThan(4));
  setDown(true);
  expect(await toolbox.wait(handle)).toMatchObject({ status: 'error', error: { kind: 'not_ready' } });
  const failed = get.mock.calls.length;
  await until(() => expect(get.mock.calls.length).toBeGreaterThan(failed + 4));
  setDown(false);
  end('done');
  expect(await waiting).toMatchObject({ status: 'ok', data: 'done' });
});
