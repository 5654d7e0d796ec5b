import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deny, policy } from '../../guards/policy.ts';
import { type ApprovalRules, createToolbox, defineTool, type Outcome } from '../../index.ts';
import { toModelText } from '../../outcome/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const report = () => undefined;
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

function setUp(options: { readonly approval?: ApprovalRules<{ to: string; amount: number }>; readonly time?: () => number } = {}) {
  const ran: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ to: z.string(), amount: z.number().max(1000), note: z.string().optional() }),
    approval: { ask: ({ to, amount }) => `Pay ${amount} to ${to}?`, ...options.approval },
    run: (input) => {
      ran.push(input);
      return { paid: input.amount };
    },
  });
  const store = memoryStore(options.time && { now: options.time });
  const box = createToolbox([pay], { store, report });
  return { box, ran, store, ask: async (args = { to: 'A-1', amount: 80 }, context = {}) => handleOf(await box.call('pay', args, context)) };
}

describe('a person who changes the arguments', () => {
  test('lets the call run with them, once, and the model reads what was changed', async () => {
    const { box, ran, ask } = setUp();
    const handle = await ask();
    const facts = { by: 'ann', reason: 'half now', input: { to: 'A-1', amount: 40, note: 'first half' } };
    expect(await box.approvals.decide(handle, 'approve', facts)).toMatchObject({
      ok: true,
      approval: {
        input: { to: 'A-1', amount: 80 },
        edited: { to: 'A-1', amount: 40, note: 'first half' },
        changes: [
          { path: ['amount'], before: 80, after: 40 },
          { path: ['note'], after: 'first half' },
        ],
      },
    });
    const paid = await box.call('pay', { to: 'A-1', amount: 80 });
    expect(toModelText(paid)).toBe(
      'ann changed the arguments before it ran: amount is 40 instead of 80, note is "first half" (it was not given). Reason given: half now\n{"paid":40}',
    );
    expect(paid).toMatchObject({ input: { to: 'A-1', amount: 40, note: 'first half' }, data: { paid: 40 } });
    expect(ran).toEqual([{ to: 'A-1', amount: 40, note: 'first half' }]);
    expect((await box.calls.get(handle))?.approval?.changes).toHaveLength(2);
    expect((await box.calls.get(handle))?.waits).toMatchObject([
      {
        kind: 'approval',
        message: 'Pay 80 to A-1?',
        state: 'approved',
        by: 'ann',
        reason: 'half now',
        changes: [{}, {}],
        modelText: expect.stringMatching(/^\[pending: approval\] pay is waiting for approval and has not run\. Pay 80 to A-1\? /),
      },
    ]);
    expect((await box.calls.list()).calls.map(({ status }) => status)).toEqual(['ok']);
    // The next one is another call, whichever of the two arguments it has.
    expect(kindOf(await box.call('pay', { to: 'A-1', amount: 80 }))).toBe('pending');
    expect(kindOf(await box.call('pay', { to: 'A-1', amount: 40, note: 'first half' }))).toBe('pending');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['that break the schema', { to: 'A-1', amount: 2000 }, 'amount'],
    ['that are no longer complete', { to: 'A-1' }, 'amount'],
    ['that the schema would turn into others', { to: 'A-1', amount: 40, extra: 1 }, 'extra'],
    ['that hold a secret', { to: 'A-1', amount: 40, note: 'password=hunter2-hunter2' }, ''],
  ])('cannot give arguments %s: the question stays open', async (_, input, path) => {
    const { box, ran, ask } = setUp();
    const handle = await ask();
    const decided = await box.approvals.decide(handle, 'approve', { input: input as never });
    expect(decided).toMatchObject({ ok: false, why: 'invalid', approval: { state: 'waiting' } });
    expect(!decided.ok && decided.issues?.[0]?.path.join('.')).toBe(path);
    expect(await box.approvals.decide(handle, 'approve', { input: { to: 'A-1', amount: 80 } })).toMatchObject({ ok: true });
    const paid = await box.call('pay', { to: 'A-1', amount: 80 });
    expect([toModelText(paid), ran.length]).toEqual(['{"paid":80}', 1]);
  });

  test('cannot change what is hidden, and only an approval can change anything', async () => {
    const { box } = setUp();
    const handle = handleOf(await box.call('pay', { to: 'A-1', amount: 80, note: 'password=hunter2-hunter2' }));
    const input = { to: 'A-1', amount: 40 };
    expect(await box.approvals.decide(handle, 'approve', { input })).toMatchObject({ ok: false, why: 'invalid' });
    await expect(box.approvals.decide(handle, 'deny', { input })).rejects.toThrow('only an approval can change the arguments');
  });

  test('is held to the policies of the toolbox, and to its tools', async () => {
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ amount: z.number() }),
      approval: true,
      run: () => 'paid',
    });
    const store = memoryStore();
    const policies = [
      ({ input }: { input: unknown }) => ((input as { amount: number }).amount > 100 ? deny('too much') : ('allow' as const)),
    ];
    const box = createToolbox([tool], { store, use: [policy({ policies })], report });
    const handle = handleOf(await box.call('pay', { amount: 80 }));
    expect(await box.approvals.decide(handle, 'approve', { input: { amount: 500 } })).toMatchObject({
      why: 'invalid',
      issues: [{ message: expect.stringContaining('too much') }],
    });
    const office = createToolbox([], { store, report });
    expect(await office.approvals.decide(handle, 'approve', { input: { amount: 50 } })).toMatchObject({
      why: 'invalid',
      issues: [{ message: expect.stringContaining('does not have the tool pay') }],
    });
  });

  test('cannot make it a call with another key; with its key it keeps its identity', async () => {
    const ran: unknown[] = [];
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ invoice: z.string(), amount: z.number() }),
      idempotency: { key: ({ invoice }) => invoice },
      approval: true,
      run: (input, ctx) => {
        ran.push([input.amount, ctx.idempotencyKey]);
        return 'paid';
      },
    });
    const box = createToolbox([tool], { store: memoryStore(), report });
    const call = (amount: number) => box.call('pay', { invoice: 'I-1', amount });
    const handle = handleOf(await call(80));
    expect(await box.approvals.decide(handle, 'approve', { input: { invoice: 'I-2', amount: 80 } })).toMatchObject({ why: 'invalid' });
    expect(await box.approvals.decide(handle, 'approve', { input: { invoice: 'I-1', amount: 40 } })).toMatchObject({ ok: true });
    expect(await call(80)).toMatchObject({ status: 'ok', input: { amount: 40 } });
    expect(await call(80)).toMatchObject({
      status: 'ok',
      meta: { replayed: true },
      message: expect.stringContaining('amount is 40 instead of 80'),
    });
    expect(await call(40)).toMatchObject({ error: { kind: 'conflict', code: 'key_reused' } });
    expect(ran).toEqual([[40, expect.any(String)]]);
  });

  test('changes what a failure says too, and what a tool with steps gets when it goes on', async () => {
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ amount: z.number() }),
      approval: true,
      steps: true,
      async run({ amount }, ctx) {
        const sum = await ctx.waitFor('sum', z.number());
        return ctx.fail('not_found', `no account for ${amount + sum}`);
      },
    });
    const box = createToolbox([tool], { store: memoryStore(), report });
    const handle = handleOf(await box.call('pay', { amount: 80 }, { runId: 'r' }));
    await box.approvals.decide(handle, 'approve', { input: { amount: 40 } });
    await box.call('pay', { amount: 80 }, { runId: 'r' });
    await box.calls.settle(handle, 2);
    const ended = await box.calls.wait(handle);
    expect(toModelText(ended as Outcome)).toContain(
      '[error: not_found] The user changed the arguments before it ran: amount is 40 instead of 80. no account for 42',
    );
  });
});

describe('several questions', () => {
  test('are decided in one go: those that are named, each by itself', async () => {
    const { box, ask } = setUp({ approval: { by: ['finance'] } });
    const handles = [];
    for (const amount of [1, 2, 3]) handles.push(await ask({ to: 'A-1', amount }, { runId: 'r' }));
    const [first = '', second = '', third = ''] = handles;
    expect((await box.approvals.list({ runId: 'r' })).map(({ handle }) => handle)).toEqual(handles);
    await box.approvals.decide(second, 'deny', { roles: ['finance'] });
    const late = await ask({ to: 'A-1', amount: 4 }, { runId: 'r' });
    expect((await box.approvals.decideAll(handles, 'approve', { by: 'eve' })).map(({ decided }) => decided.ok || decided.why)).toEqual([
      'forbidden',
      'decided',
      'forbidden',
    ]);
    const all = await box.approvals.decideAll([...handles, first], 'approve', { by: 'ann', roles: ['finance'], reason: 'all fine' });
    expect(all).toMatchObject([
      { handle: first, decided: { ok: true, approval: { by: 'ann', reason: 'all fine' } } },
      { handle: second, decided: { ok: false, why: 'decided' } },
      { handle: third, decided: { ok: true } },
    ]);
    expect((await box.approvals.list()).map(({ handle }) => handle)).toEqual([late]);
    await expect(box.approvals.decideAll(handles, 'perhaps' as never)).rejects.toThrow("a decision is 'approve' or 'deny'");
  });

  test('that look alike are found by one of them', async () => {
    const { box, ask } = setUp();
    const one = await ask({ to: 'A-1', amount: 1 }, { runId: 'r', userId: 'ann' });
    const alike = await ask({ to: 'A-2', amount: 2 }, { runId: 'r', userId: 'ann' });
    await ask({ to: 'A-1', amount: 1, note: 'more' } as never, { runId: 'r', userId: 'ann' });
    await ask({ to: 'A-1', amount: 1 }, { runId: 'r', userId: 'eve' });
    await ask({ to: 'A-1', amount: 1 }, { runId: 'other', userId: 'ann' });
    expect((await box.approvals.list({ like: one })).map(({ handle }) => handle)).toEqual([one, alike]);
    expect(await box.approvals.list({ like: 'none' })).toEqual([]);
    expect(await box.approvals.list({ tool: 'other' })).toEqual([]);
  });
});

describe('who may decide', () => {
  test('is one of the roles that the tool names; anybody else leaves the question open', async () => {
    const { box, ask } = setUp({ approval: { by: ['finance', 'cfo'] } });
    const handle = await ask();
    expect(await box.approvals.get(handle)).toMatchObject({ roles: ['finance', 'cfo'] });
    for (const verdict of ['approve', 'deny'] as const) {
      expect(await box.approvals.decide(handle, verdict, { by: 'bob', roles: ['sales'] })).toMatchObject({
        ok: false,
        why: 'forbidden',
        message: 'Only finance or cfo may decide about pay.',
        approval: { state: 'waiting' },
      });
    }
    expect(await box.approvals.decide(handle, 'approve', { by: 'ann', roles: ['finance'] })).toMatchObject({ ok: true });
  });

  test('is not the one whose agent asked, where four eyes are needed', async () => {
    const { box, ask } = setUp({ approval: { fourEyes: true } });
    const handle = await ask(undefined, { userId: 'ann' });
    expect(await box.approvals.decide(handle, 'approve', { by: 'ann' })).toMatchObject({
      why: 'forbidden',
      message: 'pay needs four eyes: somebody other than ann has to approve it.',
    });
    for (const facts of [{}, { by: '' }, { by: ' ' }, { by: 'ann ' }, { by: ['ann'] as never }])
      expect(await box.approvals.decide(handle, 'approve', facts)).toMatchObject({ why: 'forbidden' });
    expect(await box.approvals.decide(handle, 'approve', { by: 'bob' })).toMatchObject({ ok: true });
    const second = await ask({ to: 'A-2', amount: 80 }, { userId: 'ann' });
    expect(await box.approvals.decide(second, 'deny', { by: 'ann' })).toMatchObject({ ok: true });
  });

  test('is not asked where nobody knows whose agent asks for four eyes', async () => {
    const { box } = setUp({ approval: { fourEyes: true } });
    expect(await box.call('pay', { to: 'A-1', amount: 80 })).toMatchObject({ error: { kind: 'not_configured', effect: 'none' } });
  });

  test.each(['ask', 'deny'] as const)('has as much time as the tool says, and then an equal call gets: %s', async (onExpiry) => {
    let time = 0;
    const { box, ask } = setUp({ approval: { expiresMs: 1000, onExpiry }, time: () => time });
    const handle = await ask();
    time = 1001;
    expect(await box.approvals.decide(handle, 'approve')).toMatchObject({ why: 'expired' });
    const again = await box.call('pay', { to: 'A-1', amount: 80 });
    if (onExpiry === 'ask') return expect(again.status).toBe('pending');
    const third = await box.call('pay', { to: 'A-1', amount: 80 });
    expect(third).toMatchObject({ error: { kind: 'denied', code: 'approval_expired', effect: 'none' } });
    time = 2002;
    expect((await box.call('pay', { to: 'A-1', amount: 80 })).status).toBe('pending');
  });

  test('is spelt right, or the tool is refused', () => {
    const define = (approval: object) =>
      defineTool({ name: 'pay', description: 'Pays.', input: z.object({}), approval: approval as never, run: () => 'paid' });
    expect(() => define({ foureyes: true })).toThrow('Did you mean "fourEyes"?');
    expect(() => define({ by: [] })).toThrow('by must be an array of roles');
  });
});
