import { expect, test, vi } from 'vitest';
import { skipTime, withStoppedTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { slowTool } from '../../../../../proofs/fixtures/slow-tool.ts';
import { createToolbox, type Outcome } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { type DeferOptions, defer } from './defer.ts';

skipTime();

const handleOf = (outcome: Outcome): string => (outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable());
const asked = { runId: 'run-1' };

/** A process with the slow tool, over a store whose writes can be made to fail. */
function processOn(store: Store, options: Omit<DeferOptions, 'store'> = {}) {
  const { slow, ends, end } = slowTool();
  let isAway = false;
  const put: Store['put'] = (draft, version) => (isAway ? Promise.reject(new Error('away')) : store.put(draft, version));
  const toolbox = createToolbox([slow], { use: [defer({ store: { ...store, put }, ...options })], report: () => undefined });
  const setAway = (is: boolean): void => {
    isAway = is;
  };
  return { toolbox, ends, end, setAway };
}

test('an equal call does not start again when the store was away for longer than a lease and the first process lives', async () => {
  const store = memoryStore();
  const first = processOn(store);
  const handle = handleOf(await first.toolbox.call('slow', {}, asked));
  const second = processOn(store);
  await withStoppedTime(async () => {
    first.setAway(true);
    await vi.advanceTimersByTimeAsync(12_000);
    first.setAway(false);
    const joined = second.toolbox.call('slow', {}, asked);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(handleOf(await joined)).toBe(handle);
  });
  expect(second.ends).toHaveLength(0);
});

test('an equal call starts again when the first process is gone', async () => {
  const store = memoryStore();
  const first = processOn(store);
  const handle = handleOf(await first.toolbox.call('slow', {}, asked));
  first.setAway(true);
  const second = processOn(store);
  await withStoppedTime(() => vi.advanceTimersByTimeAsync(12_000));
  expect(handleOf(await second.toolbox.call('slow', {}, asked))).not.toBe(handle);
  expect(second.ends).toHaveLength(1);
});

test.each([
  ['an hour', 3_600_000],
  ['a day', 86_400_000],
])('an equal call of a process whose clock is %s ahead joins, and the first one is not lost for it', async (_, aheadMs) => {
  const store = memoryStore();
  const first = processOn(store, { retentionMs: 7 * 86_400_000 });
  const handle = handleOf(await first.toolbox.call('slow', {}, asked));
  const second = processOn(seenFrom(store, aheadMs), { now: () => Date.now() + aheadMs });
  expect(handleOf(await second.toolbox.call('slow', {}, asked))).toBe(handle);
  expect((await second.toolbox.wait(handle, { timeoutMs: 10 })).status).toBe('pending');
  first.end('done');
  expect(await second.toolbox.wait(handle)).toMatchObject({ status: 'ok', data: 'done' });
});

/** The store as a process sees it whose clock is ahead: moments are translated, as on PostgreSQL. */
function seenFrom(store: Store, aheadMs: number): Store {
  return {
    ...store,
    async get(at) {
      const record = await store.get(at);
      return record?.expiresAt === undefined ? record : { ...record, expiresAt: record.expiresAt + aheadMs };
    },
    put: (draft, version) => store.put(draft.expiresAt === undefined ? draft : { ...draft, expiresAt: draft.expiresAt - aheadMs }, version),
    async add(...given) {
      const counted = await store.add(...given);
      return { ...counted, endsAt: counted.endsAt + aheadMs };
    },
  };
}
