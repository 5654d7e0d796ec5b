import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { ToolpactEvent } from '../../events/index.ts';
import { rateLimit } from '../../guards/limits/rate-limit.ts';
import { allow, ask, deny, type Policy, policy } from '../../guards/policy.ts';
import { type ApprovalsOptions, type CallsOptions, createToolbox, defineTool, type Outcome } from '../../index.ts';
import { toModelText } from '../../outcome/index.ts';
import type { Ledger, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const report = () => undefined;
const tenant = '00000000-0000-0000-0000-000000000000';
const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

function setUp(
  store: Store = memoryStore(),
  options: ApprovalsOptions & { readonly policies?: readonly Policy[]; readonly calls?: CallsOptions } = {},
) {
  const ran: unknown[] = [];
  const events: ToolpactEvent[] = [];
  const tool = defineTool({
    name: 'send_mail',
    description: 'Sends a mail.',
    input: z.object({ to: z.string() }),
    approval: ({ to }) => (to.endsWith('@example.com') ? false : `Send a mail to ${to}?`),
    run: (input) => {
      ran.push(input.to);
      return 'sent';
    },
  });
  const { policies = [], calls = {}, ...rest } = options;
  const box = createToolbox([tool], {
    store,
    calls,
    approvals: { ...rest },
    use: [policy({ policies })],
    events: { emit: (event) => events.push(event) },
    report,
  });
  return { box, ran, events, store };
}

/** Gives all that a store holds of calls, as one text. */
async function everythingIn({ calls }: Store): Promise<string> {
  const { rows = [] } = (await calls?.list({ tenant, limit: 100 })) ?? {};
  return JSON.stringify(await Promise.all(rows.map(async ({ id }) => calls?.get(tenant, id))));
}

describe('a call that needs an approval', () => {
  test('waits, says what is asked, and runs once after the yes', async () => {
    const { box, ran, events } = setUp();
    const first = await box.call('send_mail', { to: 'a@b.c' }, { callId: 'c1' });
    expect(first.status === 'pending' && first.pending).toMatchObject({ reason: 'approval', ask: { message: 'Send a mail to a@b.c?' } });
    expect(ran).toEqual([]);
    expect(await box.approvals.decide(handleOf(first), 'approve', { by: 'ann' })).toMatchObject({
      ok: true,
      approval: { state: 'approved', by: 'ann' },
    });
    expect((await box.call('send_mail', { to: 'a@b.c' })).status).toBe('ok');
    expect((await box.call('send_mail', { to: 'a@b.c' })).status).toBe('pending');
    expect(ran).toEqual(['a@b.c']);
    expect(events.flatMap(({ type }) => (type.startsWith('approval') ? [type] : []))).toEqual([
      'approval-requested',
      'approval-granted',
      'approval-requested',
    ]);
  });

  test.each<[unknown, string]>([
    [true, 'Allow erase?'],
    ['Erase all drafts?', 'Erase all drafts?'],
    [{ ask: 'Erase?' }, 'Erase?'],
    [{ by: ['boss'] }, 'Allow erase?'],
    [() => 1, 'Allow erase?'],
    [() => Promise.resolve(false), 'Allow erase?'],
  ])('is asked about where its tool declares %j: only false lets it run at once', async (approval, question) => {
    const run = vi.fn(() => 'erased');
    const tool = defineTool({ name: 'erase', description: 'Erases.', approval: approval as string, run });
    const asked = await createToolbox([tool], { store: memoryStore(), report }).call('erase', {});
    expect([asked.status === 'pending' && asked.pending.ask?.message, run.mock.calls.length]).toEqual([question, 0]);
  });

  test('does not need one where its tool says so', async () => {
    const { box, ran } = setUp();
    expect((await box.call('send_mail', { to: 'a@example.com' })).status).toBe('ok');
    expect(ran).toEqual(['a@example.com']);
  });

  test('asked for again while it waits, waits under the same handle', async () => {
    const { box, events } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => box.call('send_mail', { to: 'a@b.c' })));
    expect(new Set(outcomes.map(handleOf)).size).toBe(1);
    expect(events.filter(({ type }) => type === 'approval-requested')).toHaveLength(1);
    expect((await box.approvals.list()).map(({ tool, input }) => [tool, input])).toEqual([['send_mail', { to: 'a@b.c' }]]);
  });

  test('used by many at once runs once', async () => {
    const { box, ran } = setUp();
    await box.approvals.decide(handleOf(await box.call('send_mail', { to: 'a@b.c' })), 'approve');
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => box.call('send_mail', { to: 'a@b.c' })));
    expect(ran).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(1);
  });

  test('that was denied does not run; the wording is fixed and says not to repeat it', async () => {
    const { box, ran } = setUp();
    await box.approvals.decide(handleOf(await box.call('send_mail', { to: 'a@b.c' })), 'deny', { by: 'ann', reason: 'not on Sundays' });
    const denied = await box.call('send_mail', { to: 'a@b.c' });
    expect(toModelText(denied)).toBe(
      '[error: denied] send_mail was denied by ann and did not run. Reason given: not on Sundays. This is a decision, not a fault.\nNext: Do not repeat this call.',
    );
    expect(denied.status === 'error' && denied.error).toMatchObject({
      effect: 'none',
      retryable: false,
      recovery: 'ask_user',
      details: { by: 'ann', reason: 'not on Sundays' },
    });
    expect(ran).toEqual([]);
  });

  test('is decided once', async () => {
    const { box } = setUp();
    const handle = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    const decisions = await Promise.all([
      box.approvals.decide(handle, 'approve', { by: 'ann' }),
      box.approvals.decide(handle, 'deny', { by: 'bob' }),
    ]);
    expect(decisions.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await box.approvals.decide(handle, 'deny')).toMatchObject({ ok: false, why: 'decided' });
    expect(await box.approvals.decide('approval_none', 'approve')).toEqual({ ok: false, why: 'unknown' });
  });

  test('survives a restart with its store', async () => {
    const store = memoryStore();
    const handle = handleOf(await setUp(store).box.call('send_mail', { to: 'a@b.c' }));
    await setUp(store).box.approvals.decide(handle, 'approve');
    const { box, ran } = setUp(store);
    expect((await box.call('send_mail', { to: 'a@b.c' })).status).toBe('ok');
    expect(ran).toEqual(['a@b.c']);
  });

  test('expires, waiting or approved, and is asked for anew', async () => {
    let time = 1000;
    const { box, ran } = setUp(memoryStore({ now: () => time }), { expiresMs: 100 });
    const first = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    time += 101;
    expect(await box.approvals.decide(first, 'approve')).toMatchObject({ ok: false, why: 'expired' });
    const second = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    expect(second).not.toBe(first);
    await box.approvals.decide(second, 'approve');
    time += 101;
    expect((await box.call('send_mail', { to: 'a@b.c' })).status).toBe('pending');
    expect(ran).toEqual([]);
    expect(await box.calls.wait(first)).toMatchObject({ status: 'error', error: { kind: 'denied', code: 'approval_expired' } });
  });

  test.each([
    ['other arguments', { to: 'x@b.c' }, {}],
    ['another tenant', { to: 'a@b.c' }, { tenantId: 't2' }],
    ['another conversation', { to: 'a@b.c' }, { sessionId: 's2' }],
  ])('is not allowed by the approval of %s', async (_, args, context) => {
    const { box, ran } = setUp();
    await box.approvals.decide(handleOf(await box.call('send_mail', { to: 'a@b.c' })), 'approve');
    expect((await box.call('send_mail', args, context)).status).toBe('pending');
    expect(ran).toEqual([]);
  });

  test('does not run once the clock of the store says that its time to be decided is over', async () => {
    let ageMs = 0;
    const { box, ran } = setUp(memoryStore({ now: () => Date.now() + ageMs }));
    const asked = await box.call('send_mail', { to: 'a@b.c' });
    ageMs = 7_200_000;
    expect(await box.approvals.decide(handleOf(asked), 'deny')).toMatchObject({ ok: false, why: 'expired' });
    const again = await box.call('send_mail', { to: 'a@b.c' });
    expect([again.status, handleOf(again) !== handleOf(asked), ran]).toEqual(['pending', true, []]);
  });

  test.each<[string, Partial<Ledger>]>([
    ['gives a call that cannot be read', { begin: async () => ({ is: 'found', call: { start: { v: 2 } } }) as never }],
    ['says nothing', { begin: async () => undefined as never }],
  ])('does not run where its store %s', async (_, faults) => {
    const store = memoryStore();
    const { box, ran } = setUp({ ...store, calls: { ...(store.calls as Ledger), ...faults } });
    expect([kindOf(await box.call('send_mail', { to: 'a@b.c' })), ran]).toEqual(['not_ready', []]);
  });

  test('is not allowed by the approval of a tool with another schema', async () => {
    const store = memoryStore();
    const { box } = setUp(store);
    await box.approvals.decide(handleOf(await box.call('send_mail', { to: 'a@b.c' })), 'approve');
    const changed = defineTool({
      name: 'send_mail',
      description: 'Sends.',
      input: z.object({ to: z.string(), bcc: z.string().optional() }),
      approval: true,
      run: () => 'sent',
    });
    expect((await createToolbox([changed], { store, report }).call('send_mail', { to: 'a@b.c' })).status).toBe('pending');
  });

  test('is asked about again where the policy has changed since', async () => {
    const store = memoryStore();
    const { box } = setUp(store);
    await box.approvals.decide(handleOf(await box.call('send_mail', { to: 'a@b.c' })), 'approve');
    const strict = setUp(store, { policies: [() => deny('mail is switched off')] });
    expect(kindOf(await strict.box.call('send_mail', { to: 'a@b.c' }))).toBe('denied');
    expect(strict.ran).toEqual([]);
  });

  test('gives those who wait for it the outcome: of the call, or of the denial', async () => {
    const { box } = setUp();
    const yes = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    const no = handleOf(await box.call('send_mail', { to: 'x@b.c' }));
    const waiting = [box.calls.wait(yes), box.calls.wait(no)];
    await box.approvals.decide(yes, 'approve');
    await box.approvals.decide(no, 'deny');
    await box.call('send_mail', { to: 'a@b.c' });
    expect((await Promise.all(waiting)).map(kindOf)).toEqual(['ok', 'denied']);
  });

  test('keeps its approval when a failed sibling keeps it from running', async () => {
    const store = memoryStore();
    const broken = defineTool({ name: 'broken', description: 'Breaks.', run: () => Promise.reject(new Error('no')) });
    const sent = vi.fn(() => 'sent');
    const mail = defineTool({ name: 'send_mail', description: 'Sends.', approval: true, run: sent });
    const box = createToolbox([broken, mail], { store, report });
    await box.approvals.decide(handleOf(await box.call('send_mail', {})), 'approve');
    const answers = await box.batch([{ tool: 'broken' }, { tool: 'send_mail' }], { stopOnError: true, concurrency: 1 });
    expect(answers[1]?.outcome.status === 'error' && answers[1].outcome.error.code).toBe('skipped');
    expect((await box.call('send_mail', {})).status).toBe('ok');
    expect(sent).toHaveBeenCalledTimes(1);
  });

  test('stores no secret of its arguments', async () => {
    const { box, store } = setUp();
    await box.call('send_mail', { to: 'Bearer sk-live-1234567890abcdefghij' });
    const all = await everythingIn(store);
    expect(all).toContain('redacted');
    expect(all).not.toContain('sk-live-1234567890abcdefghij');
  });

  test('does not run while its store throws, and others do', async () => {
    const store = memoryStore();
    const begin = () => Promise.reject(new Error('full'));
    const { box, ran } = setUp({ ...store, calls: { ...(store.calls as Ledger), begin } });
    expect(kindOf(await box.call('send_mail', { to: 'a@b.c' }))).toBe('not_ready');
    expect((await box.call('send_mail', { to: 'a@example.com' })).status).toBe('ok');
    expect(ran).toEqual(['a@example.com']);
  });
});

describe('policies', () => {
  const boxWith = (policies: readonly Policy[], store: Store | undefined = undefined) => {
    const run = vi.fn(() => 'ran');
    const tool = defineTool({ name: 'touch', description: 'Touches.', input: z.object({ path: z.string() }), run });
    return {
      run,
      box: createToolbox([tool], { use: [policy({ policies })], ...(store !== undefined && { store }), report }),
    };
  };

  test.each<[string, readonly Policy[], string]>([
    ['none', [], 'ok'],
    ['all allow', [() => allow, async () => allow], 'ok'],
    ['one denies', [() => allow, () => deny('no'), () => ask('really?')], 'denied'],
    ['one asks', [() => allow, () => ask('really?')], 'pending'],
    [
      'one throws',
      [
        () => {
          throw new Error('oops');
        },
      ],
      'denied',
    ],
    ['one rejects', [() => Promise.reject(new Error('oops'))], 'denied'],
    ['one says nothing', [() => undefined as never], 'denied'],
    ['one says true', [() => true as never], 'denied'],
  ])('of which %s', async (_, policies, kind) => {
    const { box, run } = boxWith(policies, memoryStore());
    expect(kindOf(await box.call('touch', { path: '/' }))).toBe(kind);
    expect(run).toHaveBeenCalledTimes(kind === 'ok' ? 1 : 0);
  });

  test('that ask where no person can be asked deny', async () => {
    const { box, run } = boxWith([() => ask('really?')]);
    const outcome = await box.call('touch', { path: '/' });
    expect([kindOf(outcome), run.mock.calls.length]).toEqual(['denied', 0]);
  });

  test('see the checked input, the tenant and the credentials', async () => {
    const seen = vi.fn(() => allow);
    await boxWith([seen]).box.call('touch', { path: '/' }, { tenantId: 't1', auth: { scopes: ['write'] } });
    expect(seen).toHaveBeenCalledWith(
      expect.objectContaining({
        tool: { name: 'touch', effects: 'writes' },
        input: { path: '/' },
        tenantId: 't1',
        context: expect.objectContaining({ auth: { scopes: ['write'] } }),
      }),
    );
  });

  test('that are no functions are a mistake of definition', () => {
    expect(() => policy({ policies: ['no' as never] })).toThrow('array of functions');
  });
});

describe('an approval that was given', () => {
  const pay = (extra: object = {}) =>
    defineTool({ name: 'pay', description: 'Pays.', input: z.object({ id: z.number() }), approval: true, run: () => 'paid', ...extra });

  test('is not used up by a call that a limit kept from running', async () => {
    const store = memoryStore();
    let time = 0;
    const limit = rateLimit({ limit: 1, windowMs: 1000, now: () => time });
    const box = createToolbox([pay()], { store, use: [limit], report });
    for (const id of [1, 2]) await box.approvals.decide(handleOf(await box.call('pay', { id })), 'approve');
    expect(kindOf(await box.call('pay', { id: 1 }))).toBe('ok');
    expect(kindOf(await box.call('pay', { id: 2 }))).toBe('rate_limited');
    time = 1001;
    expect(kindOf(await box.call('pay', { id: 2 }))).toBe('ok');
    expect(kindOf(await box.call('pay', { id: 2 }))).toBe('pending');
  });

  test('is not used up by a call that was stopped while its siblings were still being judged', async () => {
    const store = memoryStore();
    let judge: () => void = () => undefined;
    const slow = defineTool({ name: 'slow', description: 'Is judged slowly.', run: () => 'done' });
    const policies: Policy[] = [
      ({ tool }) =>
        tool.name === 'slow'
          ? new Promise((resolve) => {
              judge = () => resolve(allow);
            })
          : allow,
    ];
    const box = createToolbox([pay(), slow], { store, use: [policy({ policies })], report });
    const handle = handleOf(await box.call('pay', { id: 1 }));
    await box.approvals.decide(handle, 'approve');
    const stop = new AbortController();
    const answers = box.batch([{ tool: 'pay', args: { id: 1 } }, { tool: 'slow' }], {}, { signal: stop.signal });
    await vi.waitFor(async () => expect((await box.approvals.get(handle))?.state).toBe('used'), 60_000);
    stop.abort();
    expect((await answers).map(({ outcome }) => kindOf(outcome))).toEqual(['cancelled', 'cancelled']);
    await vi.waitFor(async () => expect((await box.approvals.get(handle))?.state).toBe('approved'), 60_000);
    judge();
    expect(kindOf(await box.call('pay', { id: 1 }))).toBe('ok');
  });

  test.each<[string, object, object]>([
    ['another user', { userId: 'u1' }, { userId: 'u2' }],
    ['another conversation of the user', { userId: 'u1', sessionId: 's1' }, { userId: 'u1', sessionId: 's2' }],
    ['no particular person', { userId: 'u1' }, {}],
    ['another tenant', { userId: 'u1', tenantId: 't1' }, { userId: 'u1', tenantId: 't2' }],
  ])('is used by who asked for it only, so not by %s', async (_, asking, using) => {
    const box = createToolbox([pay()], { store: memoryStore(), report });
    const asked = await box.call('pay', { id: 1 }, asking);
    await box.with(asking).approvals.decide(handleOf(asked), 'approve');
    expect(kindOf(await box.call('pay', { id: 1 }, using))).toBe('pending');
    expect(kindOf(await box.call('pay', { id: 1 }, asking))).toBe('ok');
  });

  test('does not count for other arguments, also where the schema hides what they are', async () => {
    class Amount {
      readonly #cents: number;
      constructor(cents: number) {
        this.#cents = cents;
      }
      cents() {
        return this.#cents;
      }
    }
    const input = z.object({ id: z.number() }).transform(({ id }) => new Amount(id));
    const box = createToolbox(
      [
        defineTool({
          name: 'pay',
          description: 'Pays.',
          input,
          jsonSchema: { input: { type: 'object' } },
          approval: true,
          run: (amount) => amount.cents(),
        }),
      ],
      { store: memoryStore(), report },
    );
    await box.approvals.decide(handleOf(await box.answer({ name: 'pay', args: { id: 1 } })), 'approve');
    expect(kindOf(await box.answer({ name: 'pay', args: { id: 1_000_000 } }))).toBe('pending');
    expect(await box.answer({ name: 'pay', args: { id: 1 } })).toMatchObject({ data: 1 });
  });
});

test('calls for which there is no room share the look for some, for a moment: it costs as much as all that waits', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const inner = memoryStore();
  const ledger = inner.calls as Ledger;
  let gets = 0;
  const calls: Ledger = {
    ...ledger,
    get: (tenant, handle) => {
      gets += 1;
      return ledger.get(tenant, handle);
    },
  };
  const { box } = setUp({ ...inner, calls }, { calls: { maxWaiting: 30 } });
  const callMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, id) => box.call('send_mail', { to: `${count}-${id}` }, { runId: 'r' })));
  await callMany(30);
  gets = 0;
  for (const outcome of [...(await callMany(20)), ...(await callMany(10))]) expect(kindOf(outcome)).toBe('rate_limited');
  expect(gets).toBe(30);
  vi.advanceTimersByTime(1_000);
  await callMany(10);
  expect(gets).toBe(60);
});

test('calls that wait are all listed, however many others expired without a decision', async () => {
  let time = Date.now();
  const { box } = setUp(memoryStore({ now: () => time }), { expiresMs: 1000, calls: { maxWaiting: 1001 } });
  await Promise.all(Array.from({ length: 1001 }, (_, n) => box.call('send_mail', { to: `${n}@b.c` })));
  const first = await box.approvals.list({ limit: 1000 });
  const second = await box.approvals.list({ limit: 1000, after: first.at(-1)?.handle ?? '' });
  expect([first.length, second.length]).toEqual([1000, 1]);
  time += 1000;
  // They make room only once others need it.
  const last = handleOf(await box.call('send_mail', { to: 'last@b.c' }));
  expect((await box.approvals.list()).map(({ handle }) => handle)).toEqual([last]);
});

describe('a decision', () => {
  test('is made where the tool is not', async () => {
    const { box, store } = setUp();
    const handle = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    const office = createToolbox([], { store, report });
    expect(await office.approvals.decide(handle, 'deny', { by: 'ann' })).toMatchObject({ ok: true, approval: { state: 'denied' } });
    expect(await office.calls.wait(handle)).toMatchObject({ error: { kind: 'denied', effect: 'none' } });
    expect(kindOf(await box.call('send_mail', { to: 'a@b.c' }))).toBe('denied');
  });

  test('that is neither yes nor no is a mistake, not a no', async () => {
    const { box } = setUp();
    const handle = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    await expect(box.approvals.decide(handle, 'aprove' as never)).rejects.toThrow("a decision is 'approve' or 'deny'");
    expect(await box.approvals.decide(handle, 'approve')).toMatchObject({ ok: true });
  });

  test('keeps no secret of its reason', async () => {
    const { box, store } = setUp();
    const handle = handleOf(await box.call('send_mail', { to: 'a@b.c' }));
    await box.approvals.decide(handle, 'deny', { reason: 'it has password=hunter2-hunter2' });
    expect(await everythingIn(store)).not.toContain('hunter2');
  });
});

test('the record of a call that waits keeps its arguments cut, however long they are', async () => {
  const store = memoryStore();
  const input = z.object({ lines: z.array(z.string()) });
  const print = defineTool({ name: 'print', description: 'Prints.', input, approval: true, run: () => 'printed' });
  const box = createToolbox([print], { store, report });
  await box.call('print', { lines: Array.from({ length: 800 }, () => 'abc def '.repeat(125)) });
  // The request itself, and the list with its preview.
  expect((await everythingIn(store)).length).toBeLessThan(100_000);
});

test('the model reads how the user approves a call, where that is known', async () => {
  const { box } = setUp(memoryStore(), { howToApprove: ({ handle, tenantId }) => `with \`approve ${handle}\` for ${tenantId}` });
  const outcome = await box.call('send_mail', { to: 'ann@x.com' }, { tenantId: 'acme' });
  expect(toModelText(outcome)).toContain(
    `Tell the user: only the user may approve it, with \`approve ${handleOf(outcome)}\` for acme; make the same call again once it is approved.`,
  );
});
