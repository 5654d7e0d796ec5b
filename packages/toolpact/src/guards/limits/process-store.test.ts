import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../stores/memory.ts';
import { createProcessStore } from './process-store.ts';

const at = { space: 's', tenant: 't', key: 'k' };

/** Does the same to a store as every store must answer to. */
describe.each([
  ['the store of one process', (now: () => number) => createProcessStore(now)],
  ['the memory store, for comparison', (now: () => number) => memoryStore({ now })],
])('%s', (_, make) => {
  test('writes only over the version that is expected', async () => {
    const store = make(() => 0);
    expect(await store.put({ ...at, value: 1 }, 0)).toEqual({ ok: true, version: 1 });
    expect(await store.put({ ...at, value: 2 }, 0)).toMatchObject({ ok: false, current: { value: 1, version: 1 } });
    expect(await store.put({ ...at, value: 2 }, 1)).toEqual({ ok: true, version: 2 });
    expect(await store.put({ ...at, value: 3 })).toEqual({ ok: true, version: 3 });
    expect(await store.get(at)).toMatchObject({ ...at, value: 3, version: 3 });
    expect(await store.get({ ...at, tenant: 'other' })).toBeUndefined();
  });

  test('removes only the version that is expected', async () => {
    const store = make(() => 0);
    await store.put({ ...at, value: 1 });
    expect([await store.remove(at, 2), await store.remove(at, 1), await store.remove(at)]).toEqual([false, true, false]);
  });

  test('forgets what has expired', async () => {
    let time = 0;
    const store = make(() => time);
    await store.put({ ...at, value: 1, keepMs: 10 });
    time = 9;
    expect(await store.get(at)).toMatchObject({ value: 1 });
    time = 10;
    expect(await store.get(at)).toBeUndefined();
    expect(await store.put({ ...at, value: 2 }, 0)).toEqual({ ok: true, version: 1 });
  });

  test('counts, up and down, until the window is over', async () => {
    let time = 0;
    const store = make(() => time);
    expect(await store.add(at, 2, 10)).toEqual({ count: 2, leftMs: 10 });
    time = 9;
    expect(await store.add(at, -1, 10)).toEqual({ count: 1, leftMs: 1 });
    expect(await store.add(at, 0, 10)).toEqual({ count: 1, leftMs: 1 });
    time = 10;
    expect(await store.add(at, 1, 10)).toEqual({ count: 1, leftMs: 10 });
  });
});

test('the store of one process forgets the oldest when it is full', async () => {
  const store = createProcessStore(() => 0, 2);
  for (const key of ['a', 'b', 'c']) await store.add({ ...at, key }, 1, 10);
  expect(await store.add({ ...at, key: 'c' }, 0, 10)).toMatchObject({ count: 1 });
  expect(await store.add({ ...at, key: 'a' }, 0, 10)).toMatchObject({ count: 0 });
});
