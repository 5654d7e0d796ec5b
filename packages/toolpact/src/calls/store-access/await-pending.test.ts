import { expect, test, vi } from 'vitest';
import { skipTime, until, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { slowTool } from '../../../../../proofs/fixtures/slow-tool.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { defer } from '../waits/defer.ts';

skipTime();

/** A call that is deferred and ends when the test says so, over a store whose reads are counted and can be made to fail. */
async function deferred() {
  const inner = memoryStore();
  const { slow, end } = slowTool();
  let isDown = false;
  const get = vi.fn((...given: Parameters<Store['get']>) => (isDown ? Promise.reject(new Error('down')) : inner.get(...given)));
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner, get } })], report: () => undefined });
  const outcome = await toolbox.call('slow', {});
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  const setDown = (is: boolean): void => {
    isDown = is;
  };
  return { toolbox, handle, get, end, setDown };
}

test('a thousand who wait for one call look at the store together', async () => {
  const { toolbox, handle, get, end } = await deferred();
  const waiting = Array.from({ length: 1000 }, () => toolbox.wait(handle, { timeoutMs: 600_000 }));
  await until(() => expect(get.mock.calls.length).toBeGreaterThanOrEqual(1_000));
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
  await until(() => expect(get.mock.calls.length).toBeGreaterThan(2));
  setDown(true);
  expect(await toolbox.wait(handle)).toMatchObject({ status: 'error', error: { kind: 'not_ready' } });
  const failed = get.mock.calls.length;
  await until(() => expect(get.mock.calls.length).toBeGreaterThan(failed + 4));
  setDown(false);
  end('done');
  expect(await waiting).toMatchObject({ status: 'ok', data: 'done' });
});

test('two thousand who wait for as many calls of another process ask the store a few times a second, and only the one whose call ended looks', async () => {
  const inner = memoryStore();
  const { slow, ends } = slowTool();
  const working = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
  const count = 2_000;
  const outcomes = await Promise.all(Array.from({ length: count }, () => working.call('slow', {})));
  const get = vi.fn((...given: Parameters<Store['get']>) => inner.get(...given));
  const list = vi.fn((...given: Parameters<Store['list']>) => inner.list(...given));
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner, get, list } })], report: () => undefined });
  const waiting = outcomes.map((outcome) =>
    toolbox.wait(outcome.status === 'pending' ? outcome.pending.handle : '', { timeoutMs: 600_000 }),
  );
  await until(() => expect(get.mock.calls.length).toBeGreaterThanOrEqual(count));
  const asked = () => get.mock.calls.length + list.mock.calls.length;
  const pass = (ms: number) => withStoppedTime(() => vi.advanceTimersByTimeAsync(ms));
  const before = asked();
  await pass(5_000);
  // Four looks a second at what changed, and one at the only process that runs them.
  expect(asked() - before).toBeLessThanOrEqual(30);
  const later = asked();
  await pass(60_000);
  // Each call is looked at by itself every half a minute, because hints can get lost.
  expect(asked() - later).toBeLessThanOrEqual(2 * count + 60 * 6);
  const quiet = asked();
  ends[7]?.('done');
  expect(await waiting[7]).toMatchObject({ status: 'ok', data: 'done' });
  expect(asked() - quiet).toBeLessThanOrEqual(5);
  for (const end of ends) end('done');
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set(['ok']));
});

test('a hint that gets lost costs time and no result', async () => {
  const inner = memoryStore();
  const { slow, end } = slowTool();
  const mute: Store = {
    ...inner,
    put: (draft, version) => (draft.space === 'pending-change' ? Promise.reject(new Error('down')) : inner.put(draft, version)),
  };
  const working = createToolbox([slow], { use: [defer({ store: mute })], report: () => undefined });
  const outcome = await working.call('slow', {});
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
  const waiting = toolbox.wait(outcome.status === 'pending' ? outcome.pending.handle : '', { timeoutMs: 600_000 });
  end('done');
  expect(await waiting).toMatchObject({ status: 'ok', data: 'done' });
});

test('a call whose process could not sign for a while is not lost, if the process still lives', async () => {
  const inner = memoryStore();
  const { slow, end } = slowTool();
  let isAway = false;
  const away: Store = { ...inner, put: (draft, version) => (isAway ? Promise.reject(new Error('away')) : inner.put(draft, version)) };
  const working = createToolbox([slow], { use: [defer({ store: away, leaseMs: 3_000 })], report: () => undefined });
  const outcome = await working.call('slow', {});
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  await withStoppedTime(async () => {
    isAway = true;
    await vi.advanceTimersByTimeAsync(3_500);
    const waiting = toolbox.wait(handle, { timeoutMs: 600_000 });
    await vi.advanceTimersByTimeAsync(100);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    end('done');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toMatchObject({ status: 'ok', data: 'done' });
  });
});

test('waiting for a call whose process died ends at the time that was asked for, and a later wait says that it was lost', async () => {
  const inner = memoryStore();
  const { slow } = slowTool();
  let isDead = false;
  const dying: Store = { ...inner, put: (draft, version) => (isDead ? Promise.reject(new Error('dead')) : inner.put(draft, version)) };
  const working = createToolbox([slow], { use: [defer({ store: dying, leaseMs: 3_000 })], report: () => undefined });
  const outcome = await working.call('slow', {});
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  await withStoppedTime(async () => {
    isDead = true;
    await vi.advanceTimersByTimeAsync(3_500);
    let ended: string | undefined;
    void toolbox.wait(handle, { timeoutMs: 500 }).then(({ status }) => {
      ended = status;
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(ended).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2);
    expect(ended).toBe('pending');
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await toolbox.wait(handle, { timeoutMs: 0 })).toMatchObject({ status: 'error', error: { kind: 'interrupted' } });
  });
});

test('a process that looks only once can wait until it is sure that a call was lost', async () => {
  const inner = memoryStore();
  const { slow } = slowTool();
  let isDead = false;
  const dying: Store = { ...inner, put: (draft, version) => (isDead ? Promise.reject(new Error('dead')) : inner.put(draft, version)) };
  const outcome = await createToolbox([slow], { use: [defer({ store: dying, leaseMs: 3_000 })], report: () => undefined }).call('slow', {});
  const handle = outcome.status === 'pending' ? outcome.pending.handle : '';
  await withStoppedTime(async () => {
    const { wait } = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
    expect(await wait(handle, { timeoutMs: 0, untilSure: true })).toMatchObject({ status: 'pending' });
    isDead = true;
    await vi.advanceTimersByTimeAsync(3_500);
    const waiting = wait(handle, { timeoutMs: 0, untilSure: true });
    await vi.advanceTimersByTimeAsync(3_001);
    expect(await waiting).toMatchObject({ status: 'error', error: { kind: 'interrupted' } });
  });
});

test('a pending call is given whenever it changes, until it has ended', async () => {
  const { toolbox, handle, end } = await deferred();
  const states: unknown[] = [];
  for await (const { outcome } of toolbox.watchPending(handle)) {
    states.push(outcome?.status);
    if (states.length === 1) end('done');
  }
  expect(states).toEqual([undefined, 'ok']);
  for await (const state of toolbox.watchPending('unknown')) expect.unreachable(JSON.stringify(state));
});

test('the outcome of a call that ended while the store was away is stored once the store is back', async () => {
  const inner = memoryStore();
  const { slow, end } = slowTool();
  let isAway = false;
  const away: Store = { ...inner, put: (draft, version) => (isAway ? Promise.reject(new Error('away')) : inner.put(draft, version)) };
  const working = createToolbox([slow], { use: [defer({ store: away })], report: () => undefined });
  const outcome = await working.call('slow', {});
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...inner } })], report: () => undefined });
  await withStoppedTime(async () => {
    isAway = true;
    end('done');
    await vi.advanceTimersByTimeAsync(300_000);
    isAway = false;
    const waiting = toolbox.wait(outcome.status === 'pending' ? outcome.pending.handle : '', { timeoutMs: 0 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await waiting).status).toBe('pending');
    expect(await toolbox.wait(outcome.status === 'pending' ? outcome.pending.handle : '')).toMatchObject({ status: 'ok', data: 'done' });
  });
});
