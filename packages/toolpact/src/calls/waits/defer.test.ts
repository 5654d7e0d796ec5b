import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { skipTime, takes, until } from '../../../../../proofs/fixtures/skip-time.ts';
import type { ToolpactEvent } from '../../events/index.ts';
import { spill } from '../../guards/results/spill.ts';
import { createToolbox, defineTool, fail, type Outcome, ok, pending } from '../../index.ts';
import type { Awaitable, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { approvals } from '../approvals/approvals.ts';
import { idempotency } from '../idempotency/idempotency.ts';
import { journal } from '../journal/journal.ts';
import { defer } from './defer.ts';

skipTime();

const report = () => undefined;
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

function longCall(store: Store = memoryStore(), timeoutMs = 5000) {
  let finish: (value: unknown) => void = () => undefined;
  let signal: AbortSignal | undefined;
  const tool = defineTool({
    name: 'render',
    description: 'Renders.',
    output: z.object({ frames: z.number() }),
    deferAfterMs: 10,
    timeoutMs,
    run: (_, ctx) => {
      signal = ctx.signal;
      return new Promise<never>((resolve) => {
        finish = resolve as (value: unknown) => void;
      });
    },
  });
  const events: ToolpactEvent[] = [];
  const box = createToolbox([tool], { use: [defer({ store })], events: { emit: (event) => events.push(event) }, report });
  return { box, events, finish: (value: unknown) => finish(value), signal: () => signal };
}

test.each([
  ['a symbol', Symbol('x')],
  ['an object that cannot be written', { toString: () => expect.unreachable() }],
  ['nothing', undefined],
  ['a number', 7],
])('%s is the handle of no call', async (_, handle) => {
  const { box } = longCall();
  for (const outcome of [await box.wait(handle as never), await box.settle(handle as never, 1)]) expect(kindOf(outcome)).toBe('not_found');
  expect(await box.findPending(handle as never)).toBeUndefined();
});

test('of a handle that is none, only a short and clean part is repeated', async () => {
  const { box } = longCall();
  const outcome = await box.wait(`\u0000\u009b${'x'.repeat(50_000)}`);
  const message = outcome.status === 'error' ? outcome.error.message : '';
  expect([message.slice(0, 30), message.length < 300]).toEqual(['There is no pending call \ufffd\ufffdxxx', true]);
});

test('a call that waits for an approval is not ended by a made-up result', async () => {
  const store = memoryStore();
  const run = vi.fn(() => 'sent');
  const send = defineTool({ name: 'send', description: 'Sends.', approval: true, run });
  const box = createToolbox([send], { use: [defer({ store }), approvals({ store })], report });
  const handle = handleOf(await box.call('send', {}));
  expect(kindOf(await box.settle(handle, 'made up'))).toBe('forbidden');
  expect(kindOf(await box.wait(handle, { timeoutMs: 1 }))).toBe('pending');
  await box.decide(handle, 'approve', { by: 'ann' });
  expect(await box.call('send', {})).toMatchObject({ status: 'ok', data: 'sent' });
  expect(run).toHaveBeenCalledTimes(1);
});

test.each([
  [
    'goes on elsewhere',
    defineTool({ name: 'act', description: 'Acts.', approval: true, run: () => pending({ handle: 'ext', reason: 'host' }) }),
  ],
  [
    'asks in its middle',
    defineTool({
      name: 'act',
      description: 'Acts.',
      approval: true,
      steps: true,
      run: (_input, { waitFor }) => waitFor('answer', z.unknown()),
    }),
  ],
])('those who wait with the handle of an approval get the end of a call that then %s', async (_, act) => {
  const store = memoryStore();
  const box = createToolbox([act], { use: [journal({ store }), approvals({ store }), defer({ store })], report });
  const asked = await box.call('act', {});
  const waiting = box.wait(handleOf(asked));
  await box.decide(handleOf(asked), 'approve');
  const second = await box.call('act', {});
  expect(await box.wait(handleOf(asked), { timeoutMs: 1 })).toMatchObject({ status: 'pending', pending: { handle: handleOf(second) } });
  expect(kindOf(await box.settle(handleOf(second), 'done'))).toBe('ok');
  for (const outcome of [await waiting, await box.wait(handleOf(asked))]) expect(outcome).toMatchObject({ status: 'ok', data: 'done' });
  expect(await box.findCall(asked.meta.invocationId ?? '')).toMatchObject({ status: 'ok' });
});

describe('a call that takes long', () => {
  test('answers pending, goes on, and gives its outcome to every caller that waits', async () => {
    const { box, finish, events } = longCall();
    const first = await box.call('render', {}, { callId: 'c1' });
    expect(first.status === 'pending' && first.pending.reason).toBe('running');
    const waiting = box.wait(handleOf(first));
    finish({ frames: 3 });
    expect(await waiting).toMatchObject({ status: 'ok', data: { frames: 3 }, meta: { callId: 'c1' } });
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'attempt-end', 'call-end']);
  });

  test('is checked like any other', async () => {
    const { box, finish } = longCall();
    const handle = handleOf(await box.call('render', {}));
    finish({ frames: 'many' });
    expect(kindOf(await box.wait(handle))).toBe('invalid_output');
  });

  test('still has its deadline', async () => {
    const { box, signal } = longCall(memoryStore(), 30);
    const handle = handleOf(await box.call('render', {}));
    expect(await box.wait(handle)).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'unknown' } });
    expect(signal()?.aborted).toBe(true);
  });

  test('is not stopped by its first caller any more', async () => {
    const { box, finish } = longCall();
    const stop = new AbortController();
    const handle = handleOf(await box.call('render', {}, { signal: stop.signal }));
    stop.abort();
    finish({ frames: 1 });
    expect(kindOf(await box.wait(handle))).toBe('ok');
  });

  test('is not deferred any more once its caller has stopped it, and leaves no sign of life behind', async () => {
    const inner = memoryStore();
    const put = vi.fn((...given: Parameters<Store['put']>) => inner.put(...given));
    const { box, finish, signal } = longCall({ ...inner, put });
    const stop = new AbortController();
    const call = box.call('render', {}, { signal: stop.signal });
    await until(() => expect(signal()).toBeDefined());
    stop.abort();
    expect(kindOf(await call)).toBe('cancelled');
    await takes(30_000);
    expect(put.mock.calls.map(([{ space }]) => space)).toEqual([]);
    finish({ frames: 1 });
  });

  test('sees no stop of its first caller either, when it looks for one only later, and may still begin', async () => {
    let go: () => void = () => undefined;
    const tool = defineTool({
      name: 'render',
      description: 'Renders.',
      deferAfterMs: 5,
      steps: true,
      run: async (_: object, ctx) => {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        return ctx.step('render', () => ctx.signal.aborted);
      },
    });
    const box = createToolbox([tool], { use: [defer({ store: memoryStore() })], report });
    const stop = new AbortController();
    const handle = handleOf(await box.call('render', {}, { signal: stop.signal }));
    stop.abort();
    go();
    expect(await box.wait(handle)).toMatchObject({ status: 'ok', data: false });
  });

  test('whose process died is answered as interrupted once its lease is over, and may still be settled', async () => {
    const store = memoryStore();
    let isDead = false;
    const forgotten = <TResult>(ask: () => Awaitable<TResult>): Awaitable<TResult> => (isDead ? new Promise(() => undefined) : ask());
    const dying: Store = {
      ...store,
      get: (at) => forgotten(() => store.get(at)),
      put: (draft, by) => forgotten(() => store.put(draft, by)),
    };
    const first = longCall(dying, 1000);
    const handle = handleOf(await first.box.call('render', {}));
    isDead = true;
    const { box } = longCall(store, 1000);
    expect(kindOf(await box.wait(handle, { timeoutMs: 1 }))).toBe('pending');
    expect(await box.wait(handle)).toMatchObject({ error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify' } });
    // Also to those who do not wait at all.
    expect(await box.wait(handle, { timeoutMs: 0 })).toMatchObject({ error: { kind: 'interrupted' } });
    expect(await box.settle(handle, { frames: 2 })).toMatchObject({ data: { frames: 2 } });
    expect(await box.wait(handle)).toMatchObject({ data: { frames: 2 } });
  });

  test.each([
    ['writes', {}, 'unknown'],
    ['changes nothing', { effects: 'none' }, 'none'],
  ] as const)('that is cancelled ends so although its handler, which %s, goes on', async (_, options, effect) => {
    const store = memoryStore();
    const run = () => new Promise<never>(() => undefined);
    const deaf = defineTool({ name: 'deaf', description: 'Hears nothing.', deferAfterMs: 5, timeoutMs: 600_000, ...options, run });
    const box = createToolbox([deaf], { use: [journal({ store }), defer({ store })], report });
    const handle = handleOf(await box.call('deaf', {}, { invocationId: 'i1' }));
    expect(await box.cancel('i1')).toBe(true);
    expect(await box.wait(handle)).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect } });
    expect(await box.findCall('i1')).toMatchObject({ status: 'error', kind: 'cancelled', effect });
  });

  test('that ends soon is not deferred', async () => {
    const store = memoryStore();
    const tool = defineTool({ name: 'quick', description: 'Quick.', deferAfterMs: 1000, run: () => 'done' });
    const outcome = await createToolbox([tool], { use: [defer({ store })], report }).call('quick', {});
    expect([outcome.status, await store.list({ space: 'pending', tenant: '00000000-0000-0000-0000-000000000000' })]).toEqual(['ok', []]);
  });

  test('is not deferred while its store is broken, and says so', async () => {
    const put = vi.fn(() => Promise.reject(new Error('full')));
    const { box, finish } = longCall({ ...memoryStore(), put });
    const call = box.call('render', {});
    await until(() => expect(put).toHaveBeenCalled());
    finish({ frames: 1 });
    expect((await call).meta.warnings).toEqual(['not deferred in time: the store failed: internal']);
  });

  test.each([
    ['is broken', () => Promise.reject(new Error('down'))],
    ['hangs', () => new Promise<never>(() => undefined)],
    ['answers after four seconds', (put: () => Promise<unknown>) => takes(4000).then(put)],
  ] as const)('is deferred later when its store %s at that moment', async (_, during) => {
    const memory = memoryStore();
    const brokenUntil = performance.now() + 10_000;
    const store: Store = {
      ...memory,
      put: (draft, version) => {
        const put = () => memory.put(draft, version);
        return performance.now() < brokenUntil && draft.space === 'pending' ? (during(put as never) as ReturnType<typeof put>) : put();
      },
    };
    const { box, finish } = longCall(store, 600_000);
    const outcome = await box.call('render', {});
    expect(outcome).toMatchObject({ status: 'pending', meta: { warnings: [expect.stringContaining('not deferred in time')] } });
    finish({ frames: 1 });
    expect(await box.wait(handleOf(outcome))).toMatchObject({ status: 'ok', data: { frames: 1 } });
    expect((await box.listPending()).calls).toHaveLength(1);
  });
});

describe('a call that ends elsewhere', () => {
  const hosted = (store: Store = memoryStore()) => {
    const tool = defineTool({
      name: 'order',
      description: 'Orders.',
      input: z.object({ id: z.string() }),
      output: z.object({ number: z.number() }),
      idempotency: { key: ({ id }) => id },
      run: ({ id }) => pending({ handle: `order-${id}`, reason: 'host' }),
    });
    return createToolbox([tool], { use: [defer({ store }), idempotency({ store })], report });
  };

  test.each<[string, unknown, object]>([
    ['data', { number: 7 }, { status: 'ok', data: { number: 7 } }],
    ['a reply', ok({ number: 7 }, { message: 'done' }), { status: 'ok', data: { number: 7 }, message: 'done' }],
    ['a failure', fail('not_found', 'No such order.'), { status: 'error', error: { kind: 'not_found' } }],
    ['data that breaks the schema', { number: 'seven' }, { status: 'error', error: { kind: 'invalid_output' } }],
    ['an outcome', { status: 'ok', data: { number: 8 }, meta: { tookMs: 1, attempts: 1 } }, { status: 'ok', data: { number: 8 } }],
    [
      'an outcome that breaks the schema',
      { status: 'ok', data: { number: 8n }, meta: { tookMs: 1, attempts: 1 } },
      { status: 'error', error: { kind: 'invalid_output' } },
    ],
    [
      'an outcome that failed',
      { status: 'error', error: { kind: 'conflict', message: 'Taken, token=abc123secret.' }, meta: { tookMs: 1, attempts: 1 } },
      { status: 'error', error: { kind: 'conflict', message: 'Taken, token=[redacted].' } },
    ],
    [
      'something that only looks like an outcome',
      { status: 'error', meta: { tookMs: 1, attempts: 1 } },
      { status: 'error', error: { kind: 'invalid_output' } },
    ],
  ])('is settled with %s', async (_, given, expected) => {
    const box = hosted();
    await box.call('order', { id: '1' });
    expect(await box.settle('order-1', given)).toMatchObject(expected);
    expect(await box.wait('order-1')).toMatchObject(expected);
  });

  test('is not settled with a promise of more', async () => {
    const box = hosted();
    await box.call('order', { id: '1' });
    expect((await box.settle('order-1', pending({ handle: 'elsewhere', reason: 'host' }))).status).toBe('pending');
    expect(await box.settle('order-1', { number: 7 })).toMatchObject({ data: { number: 7 } });
  });

  test('is not settled where its tool is not there to check the result', async () => {
    const store = memoryStore();
    await hosted(store).call('order', { id: '1' });
    expect(kindOf(await createToolbox([], { use: [defer({ store })] }).settle('order-1', { number: 7 }))).toBe('not_configured');
    expect(await hosted(store).settle('order-1', { number: 7 })).toMatchObject({ data: { number: 7 } });
  });

  test('has a large result kept whole where large results are', async () => {
    const store = memoryStore();
    const tool = defineTool({
      name: 'report',
      description: 'Reports.',
      maxResultChars: 200,
      run: () => pending({ handle: 'report-1', reason: 'host' }),
    });
    const box = createToolbox([tool], { use: [defer({ store }), spill({ store })], report });
    await box.call('report', {});
    const { meta } = await box.settle(
      'report-1',
      Array.from({ length: 100 }, (_, row) => row),
    );
    expect(await box.readResult(meta.resultRef ?? '', { offset: 98 })).toMatchObject({ data: { total: 100, value: [98, 99] } });
  });

  test('is settled once: every further outcome gets the first back', async () => {
    const box = hosted();
    await box.call('order', { id: '1' });
    const settled = await Promise.all([box.settle('order-1', { number: 1 }), box.settle('order-1', { number: 2 })]);
    expect(settled[0]).toEqual(settled[1]);
    expect(await box.settle('order-1', { number: 3 })).toMatchObject({ data: { number: 1 } });
  });

  test('is seen by another process, and by a caller that repeats the call with its key', async () => {
    const store = memoryStore();
    await hosted(store).call('order', { id: '1' });
    const waiting = hosted(store).wait('order-1');
    await hosted(store).settle('order-1', { number: 7 });
    expect(await waiting).toMatchObject({ data: { number: 7 } });
    expect(await hosted(store).call('order', { id: '1' })).toMatchObject({ status: 'ok', data: { number: 7 }, meta: { replayed: true } });
  });

  test('belongs to its tenant', async () => {
    const box = hosted();
    await box.call('order', { id: '1' }, { tenantId: 't1' });
    expect(kindOf(await box.with({ tenantId: 't2' }).settle('order-1', { number: 7 }))).toBe('not_found');
    expect(kindOf(await box.with({ tenantId: 't1' }).settle('order-1', { number: 7 }))).toBe('ok');
  });

  test('still pending when the time to wait is over, is answered so', async () => {
    const box = hosted();
    await box.call('order', { id: '1' });
    expect(await box.wait('order-1', { timeoutMs: 5 })).toMatchObject({
      status: 'pending',
      pending: { handle: 'order-1' },
      meta: { tool: 'order' },
    });
    expect((await box.wait('order-1', { timeoutMs: Number.NaN })).status).toBe('pending');
    expect((await box.wait('order-1', { signal: AbortSignal.abort() })).status).toBe('pending');
  });

  test('that is not known is not found', async () => {
    expect(kindOf(await hosted().settle('nothing', 1))).toBe('not_found');
    expect(kindOf(await hosted().wait('nothing'))).toBe('not_found');
    expect(kindOf(await hosted({ ...memoryStore(), get: () => Promise.reject(new Error('gone')) }).wait('x'))).toBe('not_ready');
  });
});
