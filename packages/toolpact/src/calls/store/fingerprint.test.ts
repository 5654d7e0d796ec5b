import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { seed, seededStore } from '../../../../../proofs/fixtures/seeded-store.ts';
import { createToolbox, defineTool } from '../../index.ts';
import { canonicalJson } from '../../json/index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';
import { askStore } from './ask-store.ts';
import { createFingerprints, fingerprint, loadFingerprints } from './fingerprint.ts';

const pin = '4711';
const { secret } = seed.value;
const printsOf = async (store: Store) => {
  const loaded = await loadFingerprints(store, askStore);
  return loaded.ok ? loaded.value.of('x') : loaded.why;
};

/** A store that also keeps a list of all that was written to it: records, and calls. */
function watched(store: Store) {
  const written: { readonly space: string; readonly value: unknown }[] = [];
  const put: Store['put'] = (draft, by) => {
    written.push({ space: draft.space, value: draft });
    return store.put(draft, by);
  };
  const ledger = store.calls as Ledger;
  const asked = Object.entries(ledger).map(([name, run]) => [
    name,
    (...given: never[]) => {
      written.push({ space: `call: ${name}`, value: given });
      return (run as (...words: never[]) => unknown)(...given);
    },
  ]);
  return { written, store: { ...store, put, calls: Object.fromEntries(asked) as Ledger } };
}

/** A box whose guards store fingerprints of a PIN. */
function boxOn(store: Store) {
  const runs: string[] = [];
  const input = z.object({ pin: z.string() });
  const run = ({ pin: given }: { pin: string }) => runs.push(given);
  const tools = [
    defineTool({ name: 'pay', description: 'x', input, idempotency: { key: (args) => args.pin }, run }),
    defineTool({ name: 'send', description: 'x', input, approval: true, run }),
    defineTool({ name: 'find', description: 'x', input, effects: 'none', cache: { ttlMs: 60_000 }, run }),
  ] as const;
  return { runs, box: createToolbox(tools, { store, report: () => undefined }) };
}

test.each([[''], [{ pin }], [['ä', '😀', 1, null]], ['x'.repeat(100_000)]])('a fingerprint of %j is the HMAC of its JSON', (value) => {
  const expected = createHmac('sha256', secret).update(canonicalJson(value)).digest('hex');
  expect(createFingerprints(secret).of(value)).toBe(expected);
});

test('fields are compared one by one', () => {
  const { of, ofFields } = createFingerprints(secret);
  expect(ofFields({ a: 1, b: pin })).toEqual({ a: of(1).slice(0, 32), b: of(pin).slice(0, 32) });
  expect(ofFields(pin)).toEqual({ '': of(pin).slice(0, 32) });
});

test('no stored fingerprint can be found by trying values without the secret', async () => {
  const { written, store } = watched(memoryStore());
  const { box } = boxOn(store);
  for (const tool of ['pay', 'send', 'find'] as const) await box.call(tool, { pin }, { idempotencyKey: 'k' });
  const text = JSON.stringify(written.filter(({ space }) => space !== 'secret'));
  const tenant = seed.tenant;
  const tried = [pin, { pin }, canonicalJson({ pin }), canonicalJson([tenant, canonicalJson(['pay', pin])])];
  const guesses = tried.flatMap((value) => [fingerprint(value), fingerprint(value).slice(0, 32)]);
  expect(written.map(({ space }) => space)).toEqual(expect.arrayContaining(['cache', 'call: begin', 'call: end']));
  expect(guesses.filter((guess) => text.includes(guess))).toEqual([]);
});

test('all processes of one store have one secret, another store has another', async () => {
  const [one, two] = [memoryStore(), memoryStore()];
  const [a, b, other] = [await printsOf({ ...one }), await printsOf({ ...one }), await printsOf(two)];
  expect([a === b, a === other]).toEqual([true, false]);
});

test('of two processes that make it at the same time the first one counts', async () => {
  const store = memoryStore();
  const blind = { ...store, get: async () => undefined };
  const [a, b] = await Promise.all([printsOf({ ...blind }), printsOf({ ...blind })]);
  expect(a).toBe(b);
  expect(await printsOf({ ...store })).toBe(a);
});

test('a key stays the same after a restart', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'prints-')), 'store.db');
  const first = sqliteStore({ path });
  expect((await boxOn(first).box.call('pay', { pin })).status).toBe('ok');
  await first.close();
  const second = sqliteStore({ path });
  const { box, runs } = boxOn(second);
  expect([(await box.call('pay', { pin })).meta.replayed, runs]).toEqual([true, []]);
  await second.close();
});

test('the key that a service gets does not depend on the store', async () => {
  const keys: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'x',
    idempotency: { key: () => pin },
    run: (_, ctx) => keys.push(ctx.idempotencyKey),
  });
  for (const store of [memoryStore(), memoryStore()]) await createToolbox([pay], { store }).call('pay', {});
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test.each([
  ['memory', (now: () => number) => memoryStore({ retentionMs: 1000, now })],
  ['sqlite', (now: () => number) => sqliteStore({ path: ':memory:', retentionMs: 1000, now })],
] as const)('the secret outlives the retention of a %s store', async (_, open) => {
  let time = 1_000_000;
  const store = open(() => time);
  const before = await printsOf({ ...store });
  await store.put({ space: 'other', tenant: 't', key: 'k', value: 1 });
  time += 10_000;
  await store.sweep();
  expect([await printsOf({ ...store }), await store.get({ space: 'other', tenant: 't', key: 'k' })]).toEqual([before, undefined]);
  await store.close();
});

test.each([[{ v: 2, secret }], [{ v: 1, secret: 'short' }], [null]])(
  'a secret that cannot be read here (%j) is not used: a writing call is refused',
  async (value) => {
    const store = memoryStore();
    await store.put({ ...seed, value });
    const { box, runs } = boxOn(store);
    const refused = await box.call('pay', { pin });
    expect(refused.status === 'error' && [refused.error.kind, refused.error.message]).toEqual([
      'not_ready',
      expect.stringContaining('the store gave a secret that cannot be read here'),
    ]);
    expect((await box.call('send', { pin })).status).toBe('error');
    const found = await box.call('find', { pin });
    expect([found.status, found.meta.warnings]).toEqual(['ok', [expect.stringContaining('the shared cache was not read')]]);
    expect(runs).toEqual([pin]);
  },
);

test('a secret that is read later is used then', async () => {
  const store = seededStore();
  let isDown = true;
  const flaky: Store = { ...store, get: (at) => (isDown && at.space === 'secret' ? Promise.reject(new Error('down')) : store.get(at)) };
  const { box, runs } = boxOn(flaky);
  expect((await box.call('pay', { pin })).status).toBe('error');
  isDown = false;
  expect([(await box.call('pay', { pin })).status, runs]).toEqual(['ok', [pin]]);
});
