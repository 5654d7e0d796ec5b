import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { storeFailingOnce, storeUntil } from '../../../../proofs/fixtures/failing-ledger.ts';
import { mortalStore } from '../../../../proofs/fixtures/mortal-store.ts';
import { skipTime, takes, until } from '../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, createWorker, defineTool, fail, type Outcome } from '../index.ts';
import type { Notice, Notifier } from '../ports/index.ts';
import { insideOf } from '../runtime/index.ts';
import { memoryStore, type Store } from '../stores/memory.ts';
import { defineNotifier } from './define-notifier.ts';

skipTime();

const report = () => undefined;
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ to: z.string(), amount: z.number(), password: z.string().optional() }),
  approval: { ask: ({ to, amount }) => `Pay ${amount} to ${to}?`, expiresMs: 3_600_000 },
  run: ({ amount }) => ({ paid: amount }),
});
const book = defineTool({
  name: 'book',
  description: 'Books a seat.',
  steps: true,
  run: async (_, ctx) => ({
    seat: await ctx.waitFor('seat', z.string(), { message: 'Which seat? sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
  }),
});
const closeMonth = defineTool({
  name: 'close_month',
  description: 'Closes.',
  approval: true,
  preview: () => ({ invoices: 2 }),
  run: () => 'closed',
});
const tools = [pay, book, closeMonth] as const;

/** A notifier that keeps what it is given, and what it is to throw. */
function listener(name = 'hook', throws: (notice: Notice, tries: number) => unknown = () => undefined) {
  const tried: Notice[] = [];
  const sent: Notice[] = [];
  const notifier = defineNotifier({
    name,
    async send(notice) {
      tried.push(notice);
      const thrown = throws(notice, tried.filter(({ id }) => id === notice.id).length);
      if (thrown !== undefined) throw thrown;
      sent.push(notice);
    },
  });
  return { notifier, tried, sent, types: () => sent.map(({ type }) => type) };
}

const boxOf = (store: Store, ...notifiers: Notifier[]) => createToolbox(tools, { store, report, notify: notifiers });
const look = async (toolbox: object): Promise<void> => {
  const worker = createWorker(toolbox, { everyMs: 3_600_000 });
  await worker.look();
  await worker.stop();
};
const args = { to: 'A-1', amount: 80 };

describe('a question', () => {
  test('is told once it is asked, as the page shows it, and so is what a person decided', async () => {
    const hook = listener();
    const box = boxOf(memoryStore(), hook.notifier);
    const handle = handleOf(await box.with({ userId: 'ann', tenantId: 'acme' }).call('pay', { ...args, password: 'hunter2' }));
    await until(() => expect(hook.sent).toHaveLength(1));
    expect(hook.sent[0]).toMatchObject({
      id: expect.stringMatching(/^notice_[0-9a-f]{32}$/),
      type: 'approval.requested',
      data: {
        handle,
        tool: 'pay',
        tenantId: 'acme',
        userId: 'ann',
        question: expect.stringContaining('Pay 80 to A-1?'),
        state: 'waiting',
        redactions: 1,
      },
    });
    expect(JSON.stringify(hook.sent)).not.toContain('hunter2');
    await box.with({ tenantId: 'acme' }).approvals.decide(handle, 'deny', { by: 'bob', reason: 'too much' });
    await until(() => expect(hook.sent).toHaveLength(2));
    expect(hook.sent[1]).toMatchObject({ type: 'approval.decided', data: { handle, state: 'denied', by: 'bob', reason: 'too much' } });
    expect(hook.sent[1]?.id).not.toBe(hook.sent[0]?.id);
  });

  test('tells what it would do, and what a person changed', async () => {
    const hook = listener();
    const box = boxOf(memoryStore(), hook.notifier);
    await box.call('close_month', {});
    const handle = handleOf(await box.call('pay', args));
    await box.approvals.decide(handle, 'approve', { by: 'ann', input: { to: 'A-1', amount: 40 } });
    await until(() => expect(hook.sent).toHaveLength(3));
    expect(hook.sent).toMatchObject([
      { data: { preview: { invoices: 2 } } },
      { data: { state: 'waiting' } },
      { data: { state: 'approved', edited: { amount: 40 }, changes: [{ path: ['amount'], before: 80, after: 40 }] } },
    ]);
  });

  test.each([
    ['approved', 'approval.decided', (box: ReturnType<typeof boxOf>, handle: string) => box.approvals.decide(handle, 'approve')],
    ['cancelled', 'approval.withdrawn', (box: ReturnType<typeof boxOf>, handle: string) => box.calls.cancel(handle)],
    ['left alone', 'approval.expired', () => takes(3_600_001)],
  ] as const)('that is %s is told as %s', async (_, type, close) => {
    const hook = listener();
    const box = boxOf(memoryStore(), hook.notifier);
    const handle = handleOf(await box.call('pay', args));
    await until(() => expect(hook.types()).toEqual(['approval.requested']));
    await close(box, handle);
    await until(() => expect(hook.types()).toEqual(['approval.requested', type]));
  });

  test('that is not asked any more under a standing grant is told as withdrawn', async () => {
    const hook = listener();
    const box = boxOf(memoryStore(), hook.notifier).with({ userId: 'ann', runId: 'r1' });
    const first = handleOf(await box.call('pay', args));
    await box.call('pay', { to: 'A-1', amount: 50 });
    await box.approvals.decide(first, 'approve', { grant: { for: 'run', input: { amount: { max: 100 } } } });
    expect((await box.call('pay', { to: 'A-1', amount: 50 })).status).toBe('ok');
    await until(() =>
      expect(hook.types().toSorted()).toEqual(['approval.decided', 'approval.requested', 'approval.requested', 'approval.withdrawn']),
    );
  });

  test('in the middle of a call is told without secrets, and without its answer', async () => {
    const hook = listener();
    const box = boxOf(memoryStore(), hook.notifier);
    const asked = await box.call('book', {});
    await until(() => expect(hook.sent).toHaveLength(1));
    expect(hook.sent[0]).toMatchObject({
      type: 'input.requested',
      data: { tool: 'book', state: 'waiting', question: expect.stringMatching(/^Which seat\?/) },
    });
    await box.calls.settle(handleOf(asked), '12C');
    await until(() => expect(hook.types()).toEqual(['input.requested', 'input.answered']));
    expect(JSON.stringify(hook.sent)).not.toMatch(/sk-ant|12C/);
  });

  test('of a call that needs none is not told, nor is one that nobody is to be told of', async () => {
    const [hook, store] = [listener(), memoryStore()];
    const quiet = createToolbox(tools, { store, report });
    await quiet.call('pay', args);
    const box = boxOf(store, hook.notifier);
    await box.call('pay', { to: 'B-1', amount: 1 });
    await until(() => expect(hook.sent).toHaveLength(1));
    await look(box);
    expect(hook.sent).toMatchObject([{ data: { input: { to: 'B-1' } } }]);
  });

  test('is told to each notifier under the same id', async () => {
    const [one, other] = [listener('one'), listener('other')];
    await boxOf(memoryStore(), one.notifier, other.notifier).call('pay', args);
    await until(() => expect([one.sent, other.sent]).toMatchObject([[{}], [{}]]));
    expect(one.sent[0]?.id).toBe(other.sent[0]?.id);
  });
});

describe('a notifier that fails', () => {
  test('is asked again with growing pauses, with the same notice, and given up after nine tries', async () => {
    const times: number[] = [];
    const hook = listener('hook', () => {
      times.push(Date.now());
      return new Error('500');
    });
    const problems: string[] = [];
    const box = boxOf(memoryStore(), hook.notifier);
    box.subscribe((event) => event.type === 'problem' && problems.push(event.message));
    await box.call('close_month', {});
    await takes(24 * 3_600_000);
    const asked = hook.tried.filter(({ type }) => type === 'approval.requested');
    expect(asked).toHaveLength(9);
    expect(new Set(asked.map((notice) => JSON.stringify(notice))).size).toBe(1);
    const pauses = times.slice(0, 9).map((time, index) => (time - (times[index - 1] ?? time)) / 1000);
    expect(pauses.slice(1).every((pause, index) => pause > (pauses[index] as number))).toBe(true);
    expect(problems[8]).toBe('close_month, asked: 500. It is given up');
    // How it was closed is told all the same.
    expect(hook.tried.filter(({ type }) => type === 'approval.expired').length).toBeGreaterThan(0);
  });

  test('holds up none of the others', async () => {
    const hook = listener('slow', () => new Promise(() => undefined));
    const stuck = defineNotifier({ name: 'stuck', send: () => new Promise(() => undefined) });
    const other = listener('other');
    await boxOf(memoryStore(), stuck, hook.notifier, other.notifier).call('pay', args);
    await until(() => expect(other.sent).toHaveLength(1), 100);
  });

  test('is given up at once where it says that no other try can help, and asked later where it says when', async () => {
    const gone = listener('gone', () => fail('not_found', 'gone'));
    const busy = listener('busy', (_, tries) => (tries === 1 ? fail('rate_limited', 'slow down', { retryAfterMs: 600_000 }) : undefined));
    await boxOf(memoryStore(), gone.notifier, busy.notifier).call('pay', args);
    await until(() => expect([gone.tried, busy.tried]).toMatchObject([[{}], [{}]]));
    await takes(590_000);
    expect([gone.tried.length, busy.tried.length]).toEqual([1, 1]);
    await until(() => expect(busy.sent).toHaveLength(1), 15_000);
    expect(gone.tried).toHaveLength(1);
  });

  test('that never answers is stopped after 15 seconds', async () => {
    const signals: AbortSignal[] = [];
    const stuck = defineNotifier({ name: 'stuck', send: (_, signal) => new Promise(() => void signals.push(signal)) });
    await boxOf(memoryStore(), stuck).call('pay', args);
    await until(() => expect(signals).toHaveLength(1), 100);
    await takes(14_000);
    expect(signals[0]?.aborted).toBe(false);
    await takes(2_000);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('a process that dies', () => {
  /** Asks in a process that dies when the store has written the question, before it hears of that. */
  async function askAndDie(store: Store, notifier: Notifier): Promise<void> {
    let begun = 0;
    const isSecond = (): boolean => {
      begun += 1;
      return begun === 2;
    };
    const dying = storeUntil(store, { operation: 'begin', when: isSecond, isDone: true });
    const box = boxOf(dying, notifier);
    await box.call('pay', { to: 'A-1', amount: 1 });
    await takes(100);
    void box.call('pay', { to: 'A-1', amount: 2 });
    await dying.reached;
  }

  test('between writing the question and sending it loses nothing: the next worker sends it', async () => {
    const [store, first, next] = [memoryStore(), listener(), listener()];
    await askAndDie(store, first.notifier);
    await look(boxOf(store, next.notifier));
    expect([first.sent, next.sent]).toMatchObject([[{ data: { input: { amount: 1 } } }], [{ data: { input: { amount: 2 } } }]]);
  });

  test('leaves its notices to whoever makes the next call, without a worker', async () => {
    const [store, next] = [memoryStore(), listener()];
    await askAndDie(store, listener().notifier);
    await boxOf(store, next.notifier).call('pay', { to: 'A-1', amount: 3 });
    await until(() => expect(next.sent.map(({ data }) => 'input' in data && data.input)).toMatchObject([{ amount: 2 }, { amount: 3 }]));
  });

  test('while it sends, and after it did, makes another send the same notice once its time is over', async () => {
    const store = memoryStore();
    const dying = mortalStore(store);
    const first = listener('hook', () => void dying.stop());
    await boxOf(dying, first.notifier).call('pay', args);
    await until(() => expect(first.sent).toHaveLength(1));
    const next = listener();
    const box = boxOf(store, next.notifier);
    await look(box);
    expect(next.sent).toEqual([]);
    await takes(60_000);
    await look(box);
    expect(next.sent).toEqual(first.sent);
    // A late report of the first one changes nothing.
    dying.wake();
    await takes(60_000);
    await look(box);
    expect(next.sent).toHaveLength(1);
  });
});

test('many processes that look at once send each notice once', async () => {
  const store = memoryStore();
  const asking = createToolbox(tools, {
    store,
    report,
    notify: [defineNotifier({ name: 'hook', send: () => Promise.reject(fail('rate_limited', 'later')) })],
  });
  for (let amount = 0; amount < 30; amount += 1) await asking.call('pay', { to: 'A-1', amount });
  await takes(5_600);
  const hooks = Array.from({ length: 5 }, () => listener('hook', () => undefined));
  await Promise.all(hooks.map(({ notifier }) => look(boxOf(store, notifier))));
  const ids = hooks.flatMap(({ sent }) => sent.map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
});

describe('a store that fails', () => {
  test.each(['takeNotices', 'settleNotice'] as const)('once in %s neither loses a notice nor the call', async (operation) => {
    for (const isDone of [false, true]) {
      const hook = listener();
      const store = storeFailingOnce(memoryStore(), { operation, isDone });
      const box = boxOf(store, hook.notifier);
      const handle = handleOf(await box.call('pay', args));
      await until(() => expect(hook.sent.length).toBeGreaterThan(0), 70_000);
      await takes(70_000);
      expect(new Set(hook.sent.map(({ id }) => id)).size).toBe(1);
      expect(hook.sent).toHaveLength(1);
      await box.approvals.decide(handle, 'approve');
      expect((await box.call('pay', args)).status).toBe('ok');
    }
  });
});

test.each([
  [{ notify: [] }, undefined],
  [{ notify: [listener().notifier] }, /notify needs a store/],
  [{ store: memoryStore(), notify: listener().notifier }, /notify must be an array/],
  [{ store: memoryStore(), notify: [{ name: 'a' }] }, /notify must be an array of notifiers: webhook/],
  [{ store: memoryStore(), notify: [listener().notifier, listener().notifier] }, /two notifiers are named "hook"/],
  [{ store: memoryStore(), notfy: [] }, /the option "notfy" does not exist. Did you mean "notify"\?/],
])('createToolbox with %o says %s', (options, message) => {
  const make = () => createToolbox(tools.slice(0, 0), options as never);
  if (message === undefined) expect(make).not.toThrow();
  else expect(make).toThrow(message);
});

test('a program that ends waits for what it is about to send, and not for all that is left', async () => {
  const [store, tried] = [memoryStore(), [] as Notice[]];
  const mute = {
    ...store,
    calls: { ...(store.calls as NonNullable<Store['calls']>), takeNotices: async () => ({ notices: [], areLeft: false }) },
  };
  for (let amount = 0; amount < 20; amount += 1) await boxOf(mute, listener().notifier).call('pay', { to: 'A-1', amount });
  const gone = defineNotifier({
    name: 'hook',
    async send(notice) {
      tried.push(notice);
      await takes(10_000);
      throw new Error('no answer');
    },
  });
  const box = boxOf(store, gone);
  await box.call('close_month', {});
  await insideOf(box).idle?.();
  expect(tried).toHaveLength(8);
});

test('a store that is closed while questions are open is told of by events, and not on the console', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [store, problems] = [memoryStore(), [] as string[]];
  const box = boxOf(store, listener().notifier);
  box.subscribe((event) => event.type === 'problem' && problems.push(event.where));
  await box.call('pay', args);
  await store.close();
  await takes(130_000);
  expect(problems).toContain('the outbox');
  expect(print.mock.calls.flat().join()).not.toContain('outbox');
  print.mockRestore();
});
