import { expect, test, vi } from 'vitest';
import { skipTime, until } from '../../../../../proofs/fixtures/skip-time.ts';
import { toModelText } from '../../outcome/index.ts';
import type { Guard, Store } from '../../ports/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { journal } from '../journal/journal.ts';
import { defer } from '../waits/defer.ts';

skipTime();

const report = () => undefined;

/** A call that has been deferred and reports what the test says. */
async function deferred(store: Store, use: readonly Guard[]) {
  let say: (progress: string | { message?: string; done?: number; total?: number }) => void = () => undefined;
  let end: (word: string) => void = () => undefined;
  const crawl = defineTool({
    name: 'crawl',
    description: 'Crawls.',
    effects: 'none',
    deferAfterMs: 5,
    timeoutMs: 600_000,
    run: (_, { progress }) => {
      say = progress;
      return new Promise<string>((resolve) => {
        end = resolve;
      });
    },
  });
  const guard = defer({ store });
  const box = createToolbox([crawl], { use: [guard, ...use] as [typeof guard], report });
  const outcome = await box.call('crawl', {}, { invocationId: 'i1' });
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  return { box, handle, say: (given: Parameters<typeof say>[0]) => say(given), end: (word: string) => end(word) };
}

test.each([
  ['with a journal', (store: Store) => [journal({ store })]],
  ['without one', () => []],
])('the last report of a deferred call is shown to those who wait, %s', async (_, others) => {
  const store = memoryStore();
  const { box, handle, say, end } = await deferred(store, others(store));
  say('first');
  say({ message: 'page 4', done: 4, total: 10 });
  const shown = { status: 'pending', pending: { handle, progress: { message: 'page 4', percent: 40 } } };
  await until(async () => expect(await box.wait(handle, { timeoutMs: 0 })).toMatchObject(shown));
  const read = await box.answer({ name: 'wait_for_result', args: { handle, waitMs: 0 } });
  expect(read).toMatchObject(shown);
  expect(toModelText(read)).toContain('crawl still runs (40 %: page 4). Call wait_for_result with the same handle again.');
  end('done');
  expect(await box.wait(handle)).toMatchObject({ status: 'ok', data: 'done' });
  await until(async () => expect(await store.list({ space: 'call-progress', tenant: '00000000-0000-0000-0000-000000000000' })).toEqual([]));
});

test('the journal shows it too, in any process of the store, until the call has ended', async () => {
  const store = memoryStore();
  const { box, handle, say, end } = await deferred(store, [journal({ store })]);
  const other = createToolbox([], { use: [journal({ store })], report });
  say({ message: `x${'y'.repeat(1_000_000)}`, done: 7, total: 0 });
  await until(async () => expect(await other.findCall('i1')).toMatchObject({ status: 'running', progress: { done: 7 } }));
  const { calls } = await other.calls({ status: 'running' });
  expect(calls[0]?.progress).toEqual({ message: `x${'y'.repeat(298)}…`, done: 7, total: 0, at: expect.any(String) });
  end('done');
  await box.wait(handle);
  expect((await other.findCall('i1'))?.progress).toBeUndefined();
});

test('however often a call reports, few reports are written, and a store that fails costs only those', async () => {
  const inner = memoryStore();
  const put = vi.fn((...given: Parameters<Store['put']>) =>
    given[0].space === 'call-progress' ? Promise.reject(new Error('full')) : inner.put(...given),
  );
  const { box, handle, say, end } = await deferred({ ...inner, put }, []);
  for (let count = 0; count < 10_000; count += 1) say({ done: count, total: 10_000 });
  const reports = () => put.mock.calls.filter(([{ space }]) => space === 'call-progress').length;
  await until(() => expect(reports()).toBe(1));
  expect((await box.wait(handle, { timeoutMs: 0 })).status).toBe('pending');
  end('done');
  expect(await box.wait(handle)).toMatchObject({ status: 'ok' });
  expect(reports()).toBe(1);
});

test('a message of millions of characters is cut before it is looked through, and no secret shows at its end', async () => {
  const heard: string[] = [];
  const shout = defineTool({
    name: 'shout',
    description: 'Shouts.',
    effects: 'none',
    run: (_, { progress }) => {
      progress(`${'y '.repeat(4_990)} token=abc123secretabc123secret ${'z'.repeat(50_000_000)}`);
      progress({ message: 7 as never });
      return 'done';
    },
  });
  await createToolbox([shout]).call('shout', {}, { onProgress: ({ message = '' }) => heard.push(message) });
  expect([heard[0]?.length, heard[0]?.includes('abc123'), heard[1]]).toEqual([8_000, false, '7']);
});
