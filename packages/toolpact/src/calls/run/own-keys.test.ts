import { describe, expect, test, vi } from 'vitest';
import type { StandardSchemaV1 } from '../../contract/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { JsonValue } from '../../outcome/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const anything: StandardSchemaV1<{ id: JsonValue }, { id: JsonValue }> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as { id: JsonValue } }) },
};

function setUp(key: (input: { id: JsonValue }) => unknown, input = anything) {
  const run = vi.fn(() => 'paid');
  const store = memoryStore();
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    input,
    jsonSchema: { input: { type: 'object' } },
    idempotency: { key: key as () => JsonValue },
    run,
  });
  const box = createToolbox([tool], { store, calls: { list: false }, report: () => undefined });
  return { pay: (id: JsonValue) => box.answer({ name: 'pay', args: { id } }), run, store };
}

describe('a key that is none', () => {
  const cyclic: { self?: unknown; other?: unknown } = {};
  cyclic.self = cyclic;
  cyclic.other = cyclic;

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['empty', ''],
    ['no number', Number.NaN],
    ['a promise', Promise.resolve('o1')],
    ['a function', () => 'o1'],
    ['an object whose parts cannot be seen', new (class {})()],
    ['endless', cyclic],
  ])('(%s) would make all calls one, so none runs', async (_, key) => {
    const { pay, run } = setUp(() => key);
    expect([kindOf(await pay(1)), run.mock.calls.length]).toEqual(['not_configured', 0]);
  });

  test('but a promise that fails leaves nothing behind', async () => {
    const { pay, run } = setUp(() => Promise.reject(new Error('no')));
    expect([kindOf(await pay(1)), run.mock.calls.length]).toEqual(['not_configured', 0]);
  });

  test('because its function throws ends the call before it runs', async () => {
    const { pay, run } = setUp(() => {
      throw new Error('no key');
    });
    expect([await pay(1), run.mock.calls.length]).toMatchObject([{ status: 'error', error: { kind: 'failed', effect: 'none' } }, 0]);
  });

  test('in the context is no key', async () => {
    const tool = defineTool({ name: 'post', description: 'Posts.', run: vi.fn(() => 'posted') });
    const box = createToolbox([tool], { store: memoryStore() });
    await box.call('post', {}, { idempotencyKey: '' });
    expect((await box.call('post', {}, { idempotencyKey: '' })).meta.replayed).toBeUndefined();
  });
});

test.each<JsonValue>(['__proto__', 'constructor', '\0', '\ud800', ' ', 'x'.repeat(1_000_000), { a: [1] }, [], 0])(
  'any other key keeps its calls one, and apart from others: %j',
  async (id) => {
    const { pay, run } = setUp((input) => input.id);
    expect([(await pay(id)).meta.replayed, (await pay(id)).meta.replayed, (await pay('another')).meta.replayed]).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(run).toHaveBeenCalledTimes(2);
  },
);

test('a key made of the arguments is stored as a fingerprint, like they are', async () => {
  const { pay, store } = setUp(({ id }) => ['pay', id]);
  await pay('hunter2-hunter2');
  const tenant = '00000000-0000-0000-0000-000000000000';
  const { rows = [] } = (await store.calls?.list({ tenant, limit: 9 })) ?? {};
  const stored = await Promise.all(rows.map(async ({ id }) => store.calls?.get(tenant, id)));
  expect([stored.length, JSON.stringify(stored).includes('hunter2')]).toEqual([1, false]);
});

test('arguments of which a schema makes what cannot be compared are compared as received', async () => {
  class Sealed {
    readonly #id: unknown;
    constructor(id: unknown) {
      this.#id = id;
    }
    opened() {
      return this.#id;
    }
  }
  const sealing: StandardSchemaV1<{ id: JsonValue }, { id: JsonValue }> = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: new Sealed(value) as never }) },
  };
  const { pay } = setUp(() => 'same', sealing);
  expect([kindOf(await pay(1)), kindOf(await pay(2)), (await pay(1)).meta.replayed]).toEqual(['ok', 'conflict', true]);
});

test('arguments of which a schema makes something endless are compared all the same', async () => {
  const endless: StandardSchemaV1<{ id: JsonValue }, { id: JsonValue }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        const node: Record<string, unknown> = { ...(value as object) };
        node.parent = node;
        node.root = node;
        return { value: node as never };
      },
    },
  };
  const { pay } = setUp(() => 'same', endless);
  expect([kindOf(await pay(1)), kindOf(await pay(2))]).toEqual(['ok', 'conflict']);
});

test('of very many arguments that differ only some are named', async () => {
  const post = defineTool({
    name: 'post',
    description: 'Posts.',
    input: anything,
    jsonSchema: { input: { type: 'object' } },
    run: () => 1,
  });
  const box = createToolbox([post], { store: memoryStore(), report: () => undefined });
  const args = (value: number) => Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${1000 + index}`, value]));
  await box.answer({ name: 'post', args: args(1) }, { idempotencyKey: 'k' });
  const outcome = await box.answer({ name: 'post', args: args(2) }, { idempotencyKey: 'k' });
  expect(outcome.status === 'error' && [outcome.error.message, outcome.error.details?.fields]).toEqual([
    expect.stringMatching(/other arguments: "f1000", .*"f1019" and 980 more differ\.$/),
    Array.from({ length: 20 }, (_, index) => `f${1000 + index}`),
  ]);
});
