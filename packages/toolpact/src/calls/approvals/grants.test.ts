import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { policy } from '../../guards/policy.ts';
import { type ApprovalRules, createToolbox, defineTool, type GrantRequest, type Outcome } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';

const report = () => undefined;
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');
const context = { userId: 'ann', runId: 'r-1', sessionId: 's-1' };

interface Pay {
  readonly to: string;
  readonly amount: number;
  readonly note?: string | undefined;
}

function setUp(approval: ApprovalRules<Pay> = {}, use: Parameters<typeof policy>[0]['policies'] = []) {
  const ran: unknown[] = [];
  const input = z.object({ to: z.string(), amount: z.number(), note: z.string().optional() });
  const define = (description = 'Pays.', schema: z.ZodType<Pay, Pay> = input) =>
    defineTool({
      name: 'pay',
      description,
      input: schema,
      approval: { ask: ({ to, amount }) => `Pay ${amount} to ${to}?`, ...approval },
      run: (given) => {
        ran.push(given);
        return { paid: given.amount };
      },
    });
  let time = 0;
  const store = memoryStore({ now: () => time });
  const open = (tool = define()) => createToolbox([tool], { store, report, use: [policy({ policies: use })] });
  const box = open();
  const call = (args: Partial<Pay> = {}, extra: object = {}) =>
    box.call('pay', { to: 'A-1', amount: 80, ...args }, { ...context, ...extra });
  const grant = async (request: GrantRequest, args: Partial<Pay> = {}) =>
    box.approvals.decide(handleOf(await call(args)), 'approve', { by: 'bob', grant: request });
  const pass = (ms: number) => {
    time += ms;
  };
  return { box, call, grant, ran, pass, open, define, input };
}

describe('a standing grant', () => {
  test('lets equal calls of the run go on without a question, and each names it', async () => {
    const { box, call, grant, ran } = setUp();
    const decided = await grant({ for: 'run' });
    expect(decided).toMatchObject({
      ok: true,
      approval: { state: 'approved', grant: expect.stringMatching(/^grant_/) },
      grant: {
        words: 'pay with to "A-1", amount 80, in the run r-1 of ann',
        state: 'active',
        uses: 0,
        by: 'bob',
        runId: 'r-1',
        userId: 'ann',
      },
    });
    const id = decided.ok ? decided.grant?.id : '';
    // The approval itself is used first.
    expect(await call()).toMatchObject({ status: 'ok' });
    const [second, third] = [await call(), await call()];
    expect([second.status, third.status, ran.length]).toEqual(['ok', 'ok', 3]);
    expect(await box.calls.get(second.meta.invocationId ?? '')).toMatchObject({ grant: id, status: 'ok' });
    expect(await box.approvals.grants.list()).toMatchObject([{ id, uses: 2, usedAt: expect.any(Number), state: 'active' }]);
    expect(await box.approvals.list()).toEqual([]);
  });

  test.each<[string, Partial<Pay>, object]>([
    ['other arguments', { amount: 81 }, {}],
    ['an argument that the approved one did not have', { note: 'x' }, {}],
    ['another run', {}, { runId: 'r-2' }],
    ['no run', {}, { runId: undefined }],
    ['another user', {}, { userId: 'eve' }],
    ['no user', {}, { userId: undefined }],
    ['another tenant', {}, { tenantId: '11111111-1111-4111-8111-111111111111' }],
  ])('does not cover a call with %s', async (_, args, extra) => {
    const { call, grant } = setUp();
    await grant({ for: 'run' });
    await call();
    expect((await call(args, extra)).status).toBe('pending');
  });

  test.each<[GrantRequest, string, readonly (readonly [Partial<Pay>, object, boolean])[]]>([
    [
      { for: 'session', input: { amount: { max: 100 } } },
      'pay with to "A-1", amount up to 100, in the session s-1 of ann',
      [
        [{ amount: 100 }, { runId: 'r-9' }, true],
        [{ amount: -5 }, {}, true],
        [{ amount: 100.01 }, {}, false],
        [{ to: 'A-2' }, {}, false],
        [{}, { sessionId: 's-2' }, false],
      ],
    ],
    [
      { for: 'user', expiresMs: 1000, input: { to: { oneOf: ['A-1', 'A-2'] }, amount: { min: 10, max: 100 }, note: 'any' } },
      'pay with to "A-1" or "A-2", amount from 10 to 100, any note, in all runs of ann',
      [
        [{ to: 'A-2', amount: 10, note: 'hello' }, { runId: 'r-9', sessionId: 's-9' }, true],
        [{ to: 'A-3' }, {}, false],
        [{ amount: 9 }, {}, false],
        [{}, { userId: 'eve' }, false],
      ],
    ],
  ])('covers what its words say, and no more: %j', async (request, words, calls) => {
    const { call, grant } = setUp();
    expect(await grant(request)).toMatchObject({ grant: { words } });
    await call();
    for (const [args, extra, isCovered] of calls)
      expect([args, extra, (await call(args, extra)).status === 'ok']).toEqual([args, extra, isCovered]);
  });

  test.each<[object, string]>([
    [{ for: 'run', input: { amount: { max: 50 } } }, 'not covered'],
    [{ for: 'run', input: { amuont: { max: 100 } } }, 'not covered'],
    [{ for: 'run', input: { amount: { maximum: 100 } } }, 'a rule is'],
    [{ for: 'run', input: { amount: {} } }, 'a rule is'],
    [{ for: 'run', input: { to: { oneOf: [] } } }, 'a rule is'],
    [{ for: 'ever' }, "for 'run', 'session' or 'user'"],
    [{ for: 'user' }, 'needs expiresMs'],
    [{ for: 'run', expiresMs: -1 }, 'expiresMs'],
    [{ for: 'run', uses: 1.5 }, 'whole number'],
    [{ for: 'run', untill: 5 }, 'has no untill'],
  ])('is refused where it is not clear: %j; the question stays open', async (request, message) => {
    const { box, call } = setUp();
    const handle = handleOf(await call());
    const decided = await box.approvals.decide(handle, 'approve', { grant: request as never });
    expect(decided).toMatchObject({ ok: false, why: 'invalid', approval: { state: 'waiting' } });
    expect(!decided.ok && decided.issues?.[0]?.message).toContain(message);
    expect([!decided.ok && decided.issues?.[0]?.path[0], await box.approvals.grants.list({ all: true })]).toEqual(['grant', []]);
  });

  test('is given with a plain approval only, of a call that is shown whole and belongs to somebody', async () => {
    const { box, call } = setUp();
    const handle = handleOf(await call({ note: 'password=hunter2-hunter2' }));
    expect(await box.approvals.decide(handle, 'approve', { grant: { for: 'run' } })).toMatchObject({ why: 'invalid' });
    for (const [verdict, facts] of [
      ['deny', {}],
      ['approve', { input: { to: 'A-1', amount: 1 } }],
    ] as const) {
      await expect(box.approvals.decide(handle, verdict, { ...facts, grant: { for: 'run' } })).rejects.toThrow(
        'an approval that changes nothing',
      );
    }
    const alone = handleOf(await box.call('pay', { to: 'A-1', amount: 80 }));
    expect(await box.approvals.decide(alone, 'approve', { grant: { for: 'run' } })).toMatchObject({
      issues: [{ message: expect.stringContaining('belongs to no run') }],
    });
  });

  test('counts no more once it is revoked, over or used up', async () => {
    const { box, call, grant, pass } = setUp();
    const first = await grant({ for: 'run', expiresMs: 1000, uses: 1 });
    await call();
    expect([(await call()).status, (await call()).status]).toEqual(['ok', 'pending']);
    const second = await grant({ for: 'run', expiresMs: 1000 }, { amount: 81 });
    await call({ amount: 81 });
    pass(1000);
    expect((await call({ amount: 81 })).status).toBe('pending');
    const third = await grant({ for: 'run' }, { amount: 82 });
    await call({ amount: 82 });
    const id = third.ok ? (third.grant?.id ?? '') : '';
    expect(await box.approvals.grants.revoke(id, { by: 'cfo' })).toMatchObject({ state: 'revoked', revokedBy: 'cfo' });
    expect((await call({ amount: 82 })).status).toBe('pending');
    expect(await box.approvals.grants.revoke(id, { by: 'eve' })).toMatchObject({ state: 'revoked', revokedBy: 'cfo' });
    expect(await box.approvals.grants.revoke('grant_none')).toBeUndefined();
    expect(await box.approvals.grants.list()).toEqual([]);
    const all = await box.approvals.grants.list({ all: true });
    expect(all.map(({ id, state }) => [id, state])).toEqual([
      [first.ok && first.grant?.id, 'used_up'],
      [second.ok && second.grant?.id, 'expired'],
      [id, 'revoked'],
    ]);
    expect((await box.approvals.grants.list({ all: true, limit: 1, after: all[0]?.id ?? '' })).map(({ id }) => id)).toEqual([all[1]?.id]);
  });

  test('lets a call run that asked before there was the grant: it goes on as that call', async () => {
    const { box, call, grant, ran } = setUp();
    const waiting = handleOf(await call({ amount: 20 }));
    await grant({ for: 'run', input: { amount: { max: 100 } } });
    expect(await call({ amount: 20 })).toMatchObject({ status: 'ok', data: { paid: 20 } });
    expect(await box.calls.get(waiting)).toMatchObject({ status: 'ok', grant: expect.stringMatching(/^grant_/) });
    expect(await box.approvals.decide(waiting, 'deny')).toMatchObject({ ok: false, why: 'expired' });
    expect(ran).toEqual([{ to: 'A-1', amount: 20 }]);
  });

  test('does not undo a no about the very call', async () => {
    const { box, call, grant } = setUp();
    await box.approvals.decide(handleOf(await call({ amount: 20 })), 'deny', { by: 'cfo' });
    await grant({ for: 'run', input: { amount: { max: 100 } } });
    expect(await call({ amount: 20 })).toMatchObject({ error: { kind: 'denied' } });
    expect(await call({ amount: 21 })).toMatchObject({ status: 'ok' });
  });

  test('counts for a rerun, and for calls with a key only once', async () => {
    const ran: number[] = [];
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ invoice: z.string() }),
      idempotency: { key: ({ invoice }) => invoice },
      approval: true,
      run: () => ran.push(1),
    });
    const box = createToolbox([tool], { store: memoryStore(), report });
    const call = (invoice: string) => box.call('pay', { invoice }, context);
    const grant = { for: 'run', input: { invoice: 'any' } } as const;
    await box.approvals.decide(handleOf(await call('I-1')), 'approve', { grant });
    await call('I-1');
    expect([await call('I-2'), await call('I-2')]).toMatchObject([{ status: 'ok' }, { status: 'ok', meta: { replayed: true } }]);
    expect([ran.length, (await box.approvals.grants.list())[0]?.uses]).toEqual([2, 1]);
  });

  test.each(['its schema', 'who may decide', 'what a policy asks'])('does not cover a tool whose contract changed: %s', async (what) => {
    let asksMore = false;
    const { call, grant, open, define, input } = setUp({}, [() => (asksMore ? { ask: 'Is A-1 known?' } : 'allow')]);
    await grant({ for: 'run' });
    await call();
    expect((await call()).status).toBe('ok');
    if (what === 'what a policy asks') {
      asksMore = true;
      expect((await call()).status).toBe('pending');
      return;
    }
    const changed =
      what === 'its schema' ? define('Pays.', input.extend({ fast: z.boolean().optional() })) : setUp({ by: ['cfo'] }).define();
    expect((await open(changed).call('pay', { to: 'A-1', amount: 80 }, context)).status).toBe('pending');
  });

  test('of a tool that names roles is given by one of them', async () => {
    const { box, call } = setUp({ by: ['finance'] });
    const handle = handleOf(await call());
    expect(await box.approvals.decide(handle, 'approve', { by: 'eve', grant: { for: 'run' } })).toMatchObject({ why: 'forbidden' });
    expect(await box.approvals.grants.list()).toEqual([]);
    const facts = { by: 'bob', roles: ['finance'], grant: { for: 'run' as const } };
    expect(await box.approvals.decide(handle, 'approve', facts)).toMatchObject({ ok: true, grant: { by: 'bob' } });
  });

  test('lets many equal calls run at once, each counted, and never more than it may', async () => {
    const { box, call, grant, ran } = setUp();
    await grant({ for: 'run', uses: 5, input: { amount: 'any' } });
    await call();
    const outcomes = await Promise.all(Array.from({ length: 9 }, (_, index) => call({ amount: index })));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(5);
    expect(outcomes.filter(({ status }) => status === 'pending')).toHaveLength(4);
    expect([ran.length, (await box.approvals.grants.list({ all: true }))[0]?.uses]).toEqual([6, 5]);
  });
});

describe('a tool that takes no grants', () => {
  test('is asked about each time: a grant is refused, and the question stays open', async () => {
    const { box, grant, call } = setUp({ grants: false });
    expect(await grant({ for: 'run' })).toMatchObject({
      ok: false,
      why: 'invalid',
      issues: [{ path: ['grant'], message: 'pay asks about each call: it takes no grants' }],
      approval: { state: 'waiting', grants: false },
    });
    const [asked] = await box.approvals.list();
    expect(asked).toMatchObject({ grants: false });
    expect(await box.approvals.decide(asked?.handle ?? '', 'approve')).toMatchObject({ ok: true });
    expect(await call()).toMatchObject({ status: 'ok' });
    expect(await call()).toMatchObject({ status: 'pending' });
  });

  test('ends the grants that it took before', async () => {
    const { grant, call, open, input } = setUp();
    expect(await grant({ for: 'run', input: { amount: 'any' } })).toMatchObject({ ok: true });
    expect(await call({ amount: 1 })).toMatchObject({ status: 'ok' });
    const strict = defineTool({
      name: 'pay',
      description: 'Pays.',
      input,
      approval: { ask: ({ to, amount }) => `Pay ${amount} to ${to}?`, grants: false },
      run: ({ amount }) => ({ paid: amount }),
    });
    expect(await open(strict as never).call('pay', { to: 'A-1', amount: 2 }, context)).toMatchObject({ status: 'pending' });
  });

  test('may say so only in words that count', () => {
    const make = (approval: object) => defineTool({ name: 'pay', description: 'Pays.', approval, run: () => 'paid' });
    expect(() => make({ grant: false })).toThrow('Did you mean "grants"?');
    expect(() => make({ grants: 'no' })).toThrow('grants must be a boolean');
  });
});
