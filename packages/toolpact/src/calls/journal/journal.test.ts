import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime, until } from '../../../../../proofs/fixtures/skip-time.ts';
import type { CallContext } from '../../contract/index.ts';
import type { ToolpactEvent } from '../../events/index.ts';
import { createToolbox, defineTool, type Outcome, pending } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { idempotency } from '../idempotency/idempotency.ts';
import { defer } from '../waits/defer.ts';
import { journal } from './journal.ts';

skipTime();

const report = () => undefined;
const tenant = '00000000-0000-0000-0000-000000000000';
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);

function tools() {
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(name);
    return name;
  };
  const input = z.object({ id: z.string() });
  const base = { description: 'Does it.', input };
  return {
    ran,
    all: [
      defineTool({ ...base, name: 'read', effects: 'none', run: note('read') }),
      defineTool({ ...base, name: 'put', effects: 'idempotent', run: note('put') }),
      defineTool({ ...base, name: 'pay', run: note('pay') }),
      defineTool({ ...base, name: 'pay_keyed', idempotency: { key: ({ id }) => id }, run: note('pay_keyed') }),
      defineTool({
        ...base,
        name: 'pay_checked',
        reconcile: ({ id }) => (id === 'gone' ? { effect: 'none' } : { effect: 'applied', data: `found ${id}` }),
        run: note('pay_checked'),
      }),
    ] as const,
  };
}

/** A toolbox that begins calls and dies in the middle of them: nothing is reported any more. */
async function crash(store: Store, calls: readonly (readonly [string, unknown])[], leaseMs = 1, context: CallContext = {}): Promise<void> {
  const hung = tools().all.map((tool) =>
    defineTool({
      name: tool.name,
      description: tool.description,
      input: z.looseObject({ id: z.string() }),
      effects: tool.effects,
      ...(tool.name === 'pay_keyed' ? { idempotency: { key: ({ id }: { id: string }) => id } } : {}),
      run: () => new Promise<string>(() => undefined),
    }),
  );
  const before = (await store.list({ space: 'call', tenant })).length;
  const dying: Store = {
    ...store,
    put: (record, expect) => {
      // Claims are never renewed.
      if (record.space === 'claim' && expect !== 0) return new Promise(() => undefined);
      return store.put({ ...record, ...(record.space === 'owner' && { expiresAt: 1 }) }, expect);
    },
  };
  const box = createToolbox(hung, { use: [journal({ store: dying, leaseMs: 1e9 }), idempotency({ store: dying, leaseMs })], report });
  for (const [index, [name, args]] of calls.entries()) void box.answer({ name, args, callId: `c${index}` }, { runId: 'run_1', ...context });
  await until(async () => expect(await store.list({ space: 'call', tenant })).toHaveLength(before + calls.length));
  if (calls.some(([name]) => name === 'pay_keyed')) {
    await until(async () => expect(await store.list({ space: 'claim', tenant })).toHaveLength(1));
  }
}

const boxOn = (store: Store, all: ReturnType<typeof tools>['all'] = tools().all) =>
  createToolbox(all, { use: [journal({ store }), idempotency({ store, leaseMs: 1 })], report });

describe('the journal', () => {
  test('is the events that begin and end each call, as everybody hears them', async () => {
    const store = memoryStore();
    const heard: ToolpactEvent[] = [];
    const box = createToolbox(tools().all, {
      use: [journal({ store }), idempotency({ store })],
      events: { emit: (event) => heard.push(event) },
      report,
    });
    await box.call('read', { id: '1' }, { runId: 'run_1' });
    const [start] = await store.list({ space: 'call', tenant, group: 'run_1' });
    const [end] = await store.list({ space: 'call-end', tenant, group: 'run_1' });
    expect(start?.value).toMatchObject({ v: 1, event: JSON.parse(JSON.stringify(heard[0])) });
    const { input: _, ...outcome } = (heard.at(-1) as { outcome: { input?: unknown } }).outcome;
    expect(end?.value).toEqual({ v: 1, event: JSON.parse(JSON.stringify({ ...heard.at(-1), outcome })), trace: expect.any(Object) });
  });

  test('records calls that never ran: unknown tools and wrong arguments', async () => {
    const store = memoryStore();
    const box = boxOn(store);
    await box.answer({ name: 'nothing_like_it', args: {} }, { runId: 'run_1' });
    await box.answer({ name: 'read', args: { id: 7 } }, { runId: 'run_1' });
    const resumed = await box.resume('run_1');
    expect(resumed.map(({ outcome, how }) => [kindOf(outcome), how])).toEqual([
      ['unknown_tool', 'recorded'],
      ['invalid_input', 'recorded'],
    ]);
  });

  test('finds a call by its invocation id, of its own tenant only', async () => {
    const store = memoryStore();
    const box = boxOn(store);
    const { meta } = await box.call('read', { id: '1' }, { tenantId: 't1' });
    const found = await box.with({ tenantId: 't1' }).findCall(meta.invocationId ?? '');
    expect([found?.tool, found?.status, found?.outcome?.status]).toEqual(['read', 'ok', 'ok']);
    expect(await box.with({ tenantId: 't2' }).findCall(meta.invocationId ?? '')).toBeUndefined();
  });

  test('keeps two calls apart that share an invocation id', async () => {
    const store = memoryStore();
    const box = boxOn(store);
    await box.call('read', { id: '1' }, { runId: 'run_1', invocationId: 'same' });
    await box.call('read', { id: '2' }, { runId: 'run_1', invocationId: 'same' });
    expect((await box.resume('run_1')).map(({ how }) => how)).toEqual(['recorded', 'recorded']);
  });

  test('records the end of a call at its deadline, while its tool goes on', async () => {
    const store = memoryStore();
    const hang = defineTool({ name: 'hang', description: 'Hangs.', timeoutMs: 5, run: () => new Promise<string>(() => undefined) });
    const box = createToolbox([hang], { use: [journal({ store })], report });
    await box.call('hang', {}, { runId: 'run_1' });
    await until(async () =>
      expect((await box.resume('run_1')).map(({ outcome, how }) => [kindOf(outcome), how])).toEqual([['timeout', 'recorded']]),
    );
  });

  test('stores no secret of the arguments', async () => {
    const store = memoryStore();
    await boxOn(store).call('read', { id: 'Bearer sk-live-1234567890abcdefghij' }, { runId: 'run_1' });
    const all = [...(await store.list({ space: 'call', tenant })), ...(await store.list({ space: 'call-end', tenant }))];
    expect(JSON.stringify(all)).not.toContain('sk-live-1234567890abcdefghij');
  });

  test('answers a thousand calls at once and has them all, in order', async () => {
    const store = memoryStore();
    const box = boxOn(store);
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => box.call('read', { id: String(index) }, { runId: 'run_1', callId: String(index) })),
    );
    const resumed = await box.resume('run_1');
    expect(resumed.map(({ callId }) => callId)).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)));
  });

  test.each([
    [
      'throws',
      {
        put: () => {
          throw new Error('full');
        },
      },
    ],
    ['lies', { put: async () => ({}) as never }],
  ])('whose store %s costs the record, not the call', async (_, faults) => {
    const box = createToolbox(tools().all.slice(0, 1), { use: [journal({ store: { ...memoryStore(), ...faults } })], report });
    const outcome = await box.answer({ name: 'read', args: { id: '1' } });
    expect([outcome.status, outcome.meta.warnings?.[0]?.slice(0, 13)]).toEqual(['ok', 'not recorded:']);
  });
});

describe('a resumed run', () => {
  test('has recorded outcomes as they were, repeats what is safe, settles what can be settled, and marks the rest', async () => {
    const store = memoryStore();
    await boxOn(store).answer({ name: 'pay', args: { id: 'done' }, callId: 'c-done' }, { runId: 'run_1' });
    await crash(
      store,
      [
        ['read', { id: '1' }],
        ['put', { id: '2' }],
        ['pay', { id: '3' }],
        ['pay_keyed', { id: '4' }],
        ['pay_checked', { id: '5' }],
        ['pay_checked', { id: 'gone' }],
      ].map(([name, args]) => [name as string, args] as const),
      1,
    );
    const { all, ran } = tools();
    const resumed = await boxOn(store, all).resume('run_1');
    expect(resumed.map(({ tool, how, outcome }) => [tool, how, outcome.status === 'ok' ? outcome.data : kindOf(outcome)])).toEqual([
      ['pay', 'recorded', 'pay'],
      ['read', 'repeated', 'read'],
      ['put', 'repeated', 'put'],
      ['pay', 'interrupted', 'interrupted'],
      ['pay_keyed', 'interrupted', 'interrupted'],
      ['pay_checked', 'reconciled', 'found 5'],
      ['pay_checked', 'repeated', 'pay_checked'],
    ]);
    expect(resumed.flatMap(({ outcome }) => (outcome.status === 'error' ? [[outcome.error.effect, outcome.error.recovery]] : []))).toEqual([
      ['unknown', 'verify'],
      ['unknown', 'verify'],
    ]);
    expect(ran).toEqual(['read', 'put', 'pay_checked']);
    const again = await boxOn(store, all).resume('run_1');
    expect(again.map(({ how }) => how)).toEqual(Array.from({ length: 7 }, () => 'recorded'));
    expect(ran).toHaveLength(3);
  });

  test('repeats calls as they were made, with all that is known of their caller', async () => {
    const store = memoryStore();
    const made = {
      userId: 'u',
      agentName: 'a',
      conversationId: 'c',
      promptName: 'p',
      adapter: 'x',
      requestId: 'q',
      traceId: 'f'.repeat(32),
    };
    await crash(store, [['read', { id: '1' }]], 1, made);
    const heard: ToolpactEvent[] = [];
    const events = { emit: (event: ToolpactEvent) => heard.push(event) };
    await createToolbox(tools().all, { use: [journal({ store }), idempotency({ store })], events, report }).resume('run_1');
    expect(heard[0]).toMatchObject({ type: 'call-start', runId: 'run_1', callId: 'c0', ...made });
  });

  test('keeps call ids, so that the history can be filled from it', async () => {
    const store = memoryStore();
    await crash(store, [['read', { id: '1' }]]);
    const [resumed] = await boxOn(store).resume('run_1');
    expect([resumed?.callId, resumed?.outcome.meta.callId]).toEqual(['c0', 'c0']);
  });

  test('leaves alone what a living process still runs', async () => {
    const store = memoryStore();
    let runs = 0;
    const slow = defineTool({
      name: 'slow',
      description: 'Slow.',
      effects: 'none',
      run: () => {
        runs += 1;
        return new Promise<string>(() => undefined);
      },
    });
    const one = createToolbox([slow], { use: [journal({ store })], report });
    const two = createToolbox([slow], { use: [journal({ store })], report });
    void one.call('slow', {}, { runId: 'run_1' });
    await until(() => expect(runs).toBe(1));
    for (const box of [one, two]) {
      expect((await box.resume('run_1')).map(({ how, outcome }) => [how, outcome.status])).toEqual([['running', 'pending']]);
    }
    expect(runs).toBe(1);
  });

  test('by many processes at once repeats each call once', async () => {
    const store = memoryStore();
    await crash(store, [['put', { id: '1' }]]);
    const { all, ran } = tools();
    await Promise.all(Array.from({ length: 10 }, () => boxOn(store, all).resume('run_1')));
    expect(ran).toEqual(['put']);
  });

  test('does not repeat a call whose arguments were too secret to store', async () => {
    const store = memoryStore();
    await crash(store, [['read', { id: 'Bearer sk-live-1234567890abcdefghij' }]]);
    const { all, ran } = tools();
    const resumed = await boxOn(store, all).resume('run_1');
    expect([resumed.map(({ how }) => how), ran]).toEqual([['interrupted'], []]);
  });

  test('rejects when the store does not answer: half a journal is none', async () => {
    const box = boxOn({ ...memoryStore(), list: () => Promise.reject(new Error('gone')) });
    await expect(box.resume('run_1')).rejects.toThrow('The journal cannot be read: the store failed');
  });
});

test('a call that was pending when it was recorded is resumed as what it has become', async () => {
  const store = memoryStore();
  const tool = defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'order-1', reason: 'host' }) });
  const box = createToolbox([tool], { use: [journal({ store }), defer({ store })], report });
  await box.call('order', {}, { runId: 'r1' });
  expect((await box.resume('r1')).map(({ how, outcome }) => [how, kindOf(outcome)])).toEqual([['recorded', 'pending']]);
  await box.settle('order-1', 'arrived');
  expect(await box.resume('r1')).toMatchObject([{ how: 'recorded', outcome: { status: 'ok', data: 'arrived' } }]);
});

test('a run that its store lists without end is not resumed', async () => {
  const store = memoryStore();
  const { all } = tools();
  await createToolbox(all, { use: [journal({ store }), idempotency({ store })], report }).call('read', { id: '1' }, { runId: 'r1' });
  const endless: Store = { ...store, list: ({ after: _, ...query }) => store.list(query) };
  const resumed = createToolbox(all, { use: [journal({ store: endless }), idempotency({ store })], report }).resume('r1');
  await expect(resumed).rejects.toThrow('the store lists the same records again and again');
});

test('what is no run is not resumed, least of all as all runs', async () => {
  const store = memoryStore();
  const { all, ran } = tools();
  await crash(store, [['read', { id: '1' }]]);
  const resumed = createToolbox(all, { use: [journal({ store }), idempotency({ store })], report }).resume(undefined as unknown as string);
  await expect(resumed).rejects.toThrow('resume needs the id of a run');
  expect(ran).toEqual([]);
});

describe('what callers send', () => {
  const echo = defineTool({
    name: 'echo',
    description: 'Echoes.',
    effects: 'none',
    input: z.object({ text: z.string() }),
    run: () => 'ok',
  });

  test('is stored cut where it is long, so that no call fills the store', async () => {
    const store = memoryStore();
    const box = createToolbox([echo], { use: [journal({ store, maxInputChars: 1000 })], report: () => undefined });
    await box.call('echo', { text: 'abc def '.repeat(100_000) }, { runId: 'r1' });
    const [record] = await store.list({ space: 'call', tenant: '00000000-0000-0000-0000-000000000000' });
    expect(JSON.stringify(record?.value).length).toBeLessThan(2500);
  });

  test('has a share per tenant: beyond it calls run unrecorded and say so, those of others are recorded', async () => {
    const store = memoryStore();
    const box = createToolbox([echo], { use: [journal({ store, maxCharsPerHour: 3000 })], report: () => undefined });
    const call = (tenantId: string) => box.call('echo', { text: 'abc def '.repeat(100) }, { tenantId });
    const outcomes = [await call('t1'), await call('t1'), await call('t1'), await call('t2')];
    expect(outcomes.map(({ status, meta }) => [status, meta.warnings?.length ?? 0])).toEqual([
      ['ok', 0],
      ['ok', 0],
      ['ok', 1],
      ['ok', 0],
    ]);
    expect([
      (await store.list({ space: 'call', tenant: 't1' })).length,
      (await store.list({ space: 'call', tenant: 't2' })).length,
    ]).toEqual([2, 1]);
  });

  test.each(['runId', 'callId', 'userId', 'agentName'])(
    'does not give the whole share to a call whose %s holds odd characters',
    async (name) => {
      const store = memoryStore();
      const box = createToolbox([echo], { use: [journal({ store })], report: () => undefined });
      await box.call('echo', { text: 'hi' }, { [name]: '\u001b\ud800' });
      const next = await box.call('echo', { text: 'hi' });
      expect(next.meta.warnings).toBeUndefined();
    },
  );

  test('counts for the share where it is kept whole, for tools with steps; beyond it those do not run', async () => {
    const store = memoryStore();
    const order = defineTool({
      name: 'order',
      description: 'Orders.',
      steps: true,
      input: z.object({ text: z.string() }),
      run: () => 'done',
    });
    const use = [journal({ store, maxInputChars: 100, maxCharsPerHour: 10_000 })];
    const box = createToolbox([order, echo], { use, report: () => undefined });
    const context = { tenantId: 't1' };
    expect(await box.call('order', { text: 'abc def '.repeat(1200) }, context)).toMatchObject({ status: 'ok' });
    expect(await box.call('order', { text: 'hi' }, context)).toMatchObject({
      error: {
        kind: 'rate_limited',
        effect: 'none',
        message: 'order did not run: its tenant has used its share of the journal for this hour.',
      },
    });
    expect(await box.call('echo', { text: 'hi' }, context)).toMatchObject({ status: 'ok', meta: { warnings: [expect.any(String)] } });
    expect(await box.call('order', { text: 'hi' }, { tenantId: 't2' })).toMatchObject({ status: 'ok' });
  });

  test('has one share per tenant for all processes of a store', async () => {
    const store = memoryStore();
    const start = () => createToolbox([echo], { use: [journal({ store, maxCharsPerHour: 3000 })], report: () => undefined });
    const call = (box: ReturnType<typeof start>) => box.call('echo', { text: 'abc def '.repeat(100) }, { tenantId: 't1' });
    const boxes = [start(), start()] as const;
    const outcomes = [await call(boxes[0]), await call(boxes[1]), await call(boxes[1]), await call(boxes[0]), await call(boxes[0])];
    // The first process learns what the second one has used when it reports its own next use.
    expect(outcomes.map(({ meta }) => meta.warnings !== undefined)).toEqual([false, false, true, false, true]);
    expect(await store.list({ space: 'call', tenant: 't1' })).toHaveLength(3);
  });
});
