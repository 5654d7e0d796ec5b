import { fileURLToPath } from 'node:url';
import { checkStore } from '@toolpact/testing';
import { expect, test } from 'vitest';
import { bundle } from '../../../../scripts/bundle-size.ts';
import { createToolbox, defineTool } from '../index.ts';
import { memoryStore } from './memory.ts';

/** A clock that only moves when told. */
function clock(start = 1_000_000) {
  let time = start;
  const now = () => time;
  const wait = async (ms: number) => {
    time += ms;
  };
  return { now, wait };
}

const at = (key: string) => ({ space: 'test', tenant: 't', key });

test('keeps every promise of a store', async () => {
  const { now, wait } = clock();
  expect(await checkStore(() => memoryStore({ now }), { now, wait })).toEqual([]);
});

test('refuses to write when it is full, and forgets nothing for it', async () => {
  const store = memoryStore({ maxRecords: 2 });
  await store.put({ ...at('a'), value: 1 });
  await store.add(at('a'), 1, 1000);
  await expect(store.put({ ...at('b'), value: 2 })).rejects.toThrow(
    'The memory store is full: 2 records of 18 characters. Give it a retentionMs, or raise maxRecords and maxCharacters.',
  );
  await expect(store.add(at('b'), 1, 1000)).rejects.toThrow('full');
  expect(await store.put({ ...at('a'), value: 3 }, 1)).toEqual({ ok: true, version: 2 });
  expect(await store.add(at('a'), 1, 1000)).toMatchObject({ count: 2 });
});

test('refuses to write more characters than it may hold', async () => {
  const store = memoryStore({ maxCharacters: 100 });
  await store.put({ ...at('a'), value: 'x'.repeat(80) });
  await expect(store.put({ ...at('b'), value: 'x'.repeat(80) })).rejects.toThrow('full');
  await store.put({ ...at('a'), value: '' });
  expect(await store.put({ ...at('b'), value: 'x'.repeat(80) })).toEqual({ ok: true, version: 1 });
});

test('makes room by itself out of what has expired, records and counters', async () => {
  const { now, wait } = clock();
  const store = memoryStore({ maxRecords: 3, now });
  await store.put({ ...at('a'), value: 1, keepMs: 10 });
  await store.add(at('a'), 1, 10);
  await store.put({ ...at('b'), value: 1 });
  await wait(10);
  expect(await store.put({ ...at('c'), value: 1 })).toEqual({ ok: true, version: 1 });
  expect(await store.put({ ...at('d'), value: 1 })).toEqual({ ok: true, version: 1 });
  expect(await store.get(at('b'))).toMatchObject({ value: 1 });
});

test('holds no more than what is alive under a steady load', async () => {
  const { now, wait } = clock();
  const store = memoryStore({ maxRecords: 5000, now });
  for (let call = 0; call < 20_000; call += 1) {
    await store.put({ ...at(`${call}`), value: 1, keepMs: 1000 }, 0);
    await wait(1);
  }
  expect(await store.sweep()).toBeLessThanOrEqual(2000);
  const found = await Promise.all(Array.from({ length: 20_000 }, (_, call) => store.get(at(`${call}`))));
  expect(found.filter((record) => record !== undefined)).toHaveLength(999);
});

test('keeps no record longer than its retention', async () => {
  const { now, wait } = clock();
  const store = memoryStore({ retentionMs: 50, now });
  await store.put({ ...at('stays'), value: 1 });
  await store.put({ ...at('long'), value: 1, keepMs: 1000 });
  await store.put({ ...at('short'), value: 1, keepMs: 10 });
  const ends = async () => Promise.all(['stays', 'long', 'short'].map(async (key) => (await store.get(at(key)))?.leftMs));
  expect(await ends()).toEqual([50, 50, 10]);
  await wait(50);
  expect(await ends()).toEqual([undefined, undefined, undefined]);
});

test('refuses what is no JSON', async () => {
  await expect(memoryStore().put({ ...at('a'), value: undefined as never })).rejects.toThrow(TypeError);
});

test('runs wherever JavaScript does', async () => {
  const { externals, code } = await bundle(fileURLToPath(new URL('memory.ts', import.meta.url)));
  expect(externals).toEqual([]);
  expect(code).not.toMatch(/(?<![.\w])process\.|\b(Buffer|require)\b/);
});

test('that is full says so to the callers whose calls it cannot record, and the rest to operators', async () => {
  const causes: unknown[] = [];
  const pay = defineTool({ name: 'pay', description: 'Pays.', idempotency: {}, run: () => 'paid' });
  const toolbox = createToolbox([pay], {
    store: memoryStore({ maxRecords: 3 }),
    report: ({ error }) => void causes.push(error?.cause?.message),
  });
  const outcomes = [];
  for (const idempotencyKey of ['a', 'b', 'c']) outcomes.push(await toolbox.call('pay', {}, { idempotencyKey }));
  expect(outcomes.at(-1)).toMatchObject({
    status: 'error',
    error: {
      kind: 'not_ready',
      effect: 'none',
      message: 'pay did not run, because it could not be recorded: the store failed: it is full.',
    },
  });
  expect(causes.at(-1)).toContain('Give it a retentionMs, or raise maxRecords and maxCharacters.');
});
