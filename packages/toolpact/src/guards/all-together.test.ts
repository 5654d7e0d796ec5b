import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool, fail, type Outcome, pending } from '../index.ts';
import type { Ledger, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';
import { budget, circuitBreaker, concurrency, rateLimit, repeatBreaker, spill } from './public.ts';

skipTime();

const kindOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');
const input = z.object({ id: z.string() });
const key = { key: ({ id }: { id: string }) => id };

/** A store and every guard there is, around tools that need most of them. */
function openBox(store: Store = memoryStore()) {
  const ran: string[] = [];
  const tools = [
    defineTool({
      name: 'pay',
      description: 'Pays.',
      input,
      approval: ({ id }) => id.startsWith('ask'),
      idempotency: key,
      retry: { attempts: 3, baseMs: 0 },
      maxResultChars: 60,
      run: ({ id }, ctx) => {
        ran.push(id);
        if (id.startsWith('shy') && ctx.attempt === 1) throw fail('unreachable', 'Not yet.', { effect: 'none' });
        if (id.startsWith('lost')) throw fail('unreachable', 'The line went dead.');
        return { id, lines: Array.from({ length: 50 }, (_, line) => line) };
      },
    }),
    defineTool({
      name: 'order',
      description: 'Orders.',
      input,
      idempotency: key,
      run: ({ id }) => {
        ran.push(id);
        return pending({ handle: `order-${id}`, reason: 'host' });
      },
    }),
  ] as const;
  const use = [
    repeatBreaker(),
    budget({ store }),
    rateLimit({ limit: 1_000_000, store }),
    circuitBreaker({ store }),
    concurrency({ max: 16 }),
    spill({ store }),
  ] as const;
  const box = createToolbox(tools, { store, use, report: () => undefined }).with({ sessionId: 's', runId: 'r', budgetTokens: 1000 });
  return { box, ran, store };
}

/** Approves a call that asks, and makes it again. */
async function approved({ box }: Pick<ReturnType<typeof openBox>, 'box'>, id: string): Promise<Outcome> {
  const asked = await box.call('pay', { id });
  if (asked.status !== 'pending') return asked;
  await box.approvals.decide(asked.pending.handle, 'approve');
  return box.call('pay', { id });
}

describe('all guards in one toolbox', () => {
  test('answer a thousand calls at once, each key once', async () => {
    const { box, ran } = openBox();
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => box.call('pay', { id: `${n % 3 === 0 ? 'shy' : 'plain'}-${n % 500}` })),
    );
    const seen = Object.groupBy(outcomes, (outcome) => `${kindOf(outcome)} ${outcome.meta.replayed === true ? 'replayed' : 'run'}`);
    const shy = new Set(ran.filter((id) => id.startsWith('shy'))).size;
    expect(seen['ok run']?.length).toBe(new Set(ran).size);
    expect([Object.keys(seen).sort(), ran.length - new Set(ran).size]).toEqual([['ok replayed', 'ok run'], shy]);
  });

  test('replay a large result with the same reference, which can be read', async () => {
    const { box } = openBox();
    const [first, again] = [await box.call('pay', { id: 'o1' }), await box.call('pay', { id: 'o1' })];
    expect([again.meta.replayed, again.meta.resultRef]).toEqual([true, first.meta.resultRef]);
    expect(await box.readResult(first.meta.resultRef ?? '', { path: 'lines', offset: 49 })).toMatchObject({ data: { value: [49] } });
  });

  test('try a call of unknown effect again with its key, and then never again', async () => {
    const { box, ran } = openBox();
    const first = await box.call('pay', { id: 'lost' });
    expect(first.status === 'error' && [first.error.effect, first.error.retryable, first.meta.attempts]).toEqual(['unknown', false, 3]);
    const kinds: unknown[] = [];
    for (let n = 0; n < 3; n += 1) kinds.push(kindOf(await box.call('pay', { id: 'lost' })));
    // Two replays of the failure, and then the breaker.
    expect([kinds, ran.length]).toEqual([['unreachable', 'unreachable', 'denied'], 3]);
  });

  test('give the outcome of an approved call to the call that waits for the approval, and ask before it is made again', async () => {
    const { box, ran } = openBox();
    const asked = await box.call('pay', { id: 'ask-1' });
    await box.approvals.decide(handleOf(asked), 'approve');
    expect(kindOf(await box.call('pay', { id: 'ask-1' }))).toBe('ok');
    expect(await box.calls.wait(handleOf(asked))).toMatchObject({ status: 'ok', data: { id: 'ask-1' } });
    expect((await approved({ box }, 'ask-1')).meta.replayed).toBe(true);
    expect(ran).toEqual(['ask-1']);
  });

  test('let equal calls find what was settled meanwhile', async () => {
    const { box, ran } = openBox();
    expect([kindOf(await box.call('order', { id: '7' })), (await box.call('order', { id: '7' })).meta.replayed]).toEqual(['pending', true]);
    await box.calls.settle('order-7', { arrived: true });
    expect(await box.call('order', { id: '7' })).toMatchObject({ status: 'ok', data: { arrived: true }, meta: { replayed: true } });
    expect(ran).toEqual(['7']);
  });

  test('judge a batch before any of it runs, and give an approval back where a sibling has failed', async () => {
    const { box, ran } = openBox();
    await box.approvals.decide(handleOf(await box.call('pay', { id: 'ask-1' })), 'approve');
    const calls = ['lost', 'ask-1', 'ask-2'].map((id) => ({ id, tool: 'pay', args: { id } }));
    const answers = await box.batch(calls, { stopOnError: true, concurrency: 1 });
    expect(answers.map(({ outcome }) => kindOf(outcome))).toEqual(['unreachable', 'cancelled', 'pending']);
    expect([kindOf(await box.call('pay', { id: 'ask-1' })), new Set(ran)]).toEqual(['ok', new Set(['lost', 'ask-1'])]);
  });

  test('tell the whole run', async () => {
    const { box } = openBox();
    await box.call('pay', { id: 'o1' }, { callId: 'c1' });
    await box.call('pay', { id: 'ask-1' }, { callId: 'c2' });
    await box.answer({ name: 'pya', callId: 'c3' });
    expect((await box.calls.resume('r')).map(({ callId, how, outcome }) => [callId, how, kindOf(outcome)])).toEqual([
      ['c1', 'recorded', 'ok'],
      ['c2', 'recorded', 'pending'],
      ['c3', 'recorded', 'unknown_tool'],
    ]);
  });
});

type Fault = (ask: () => Promise<unknown>) => Promise<unknown>;

/** A store in which one question goes wrong, counted from the first. */
function breaking(store: Store, at: number, fault: Fault): { readonly store: Store; readonly asked: () => number } {
  let asked = 0;
  const wrap = <TArgs extends readonly unknown[], TResult>(ask: (...args: TArgs) => Promise<TResult>) =>
    ((...args: TArgs) => {
      asked += 1;
      return asked === at ? fault(async () => ask(...args)) : ask(...args);
    }) as (...args: TArgs) => Promise<TResult>;
  const ledger = store.calls as Ledger;
  const calls = { ...Object.fromEntries(Object.entries(ledger).map(([name, run]) => [name, wrap(run)])), watch: ledger.watch };
  return {
    store: {
      ...store,
      get: wrap(store.get),
      put: wrap(store.put),
      remove: wrap(store.remove),
      add: wrap(store.add),
      calls: calls as unknown as Ledger,
    },
    asked: () => asked,
  };
}

const foreign = { space: 'x', tenant: 'y', key: 'z', version: 1, value: {} };

describe('whichever question of theirs the store gets wrong, a call is never made twice and never said to be undone when it was done', () => {
  test.each<[string, Fault]>([
    ['it fails', () => Promise.reject(new Error('gone'))],
    [
      'it throws',
      () => {
        throw new Error('gone');
      },
    ],
    [
      'it fails after it has done it',
      async (ask) => {
        await ask();
        throw new Error('gone');
      },
    ],
    ['it gives nothing', async () => undefined],
    ['it says yes to everything', async () => ({ ok: true, version: 99 })],
    ['it says no to everything', async () => ({ ok: false })],
    ['it gives what belongs to another', async () => ({ ok: false, current: foreign, ...foreign })],
  ])('%s', async (_, fault) => {
    const found: string[] = [];
    for (let at = 1, asked = at; at <= asked; at += 1) {
      const store = memoryStore();
      await approved({ box: openBox(store).box }, 'ask-0');
      const asking = await openBox(store).box.call('pay', { id: 'ask-1' });
      await openBox(store).box.approvals.decide(handleOf(asking), 'approve');
      const broken = breaking(store, at, fault);
      const first = openBox(broken.store);
      const outcome = await first.box.call('pay', { id: 'ask-1' });
      asked = broken.asked();
      const second = openBox(store);
      const again = await approved(second, 'ask-1');
      const runs = first.ran.length + second.ran.length;
      const saidUndone = outcome.status === 'error' && outcome.error.effect === 'none';
      // Where the answer to taking the call got lost, nobody knows whether it began: it is not run, and its caller reads just that.
      const isGivenUp = runs === 0 && again.status === 'error' && again.error.kind === 'interrupted' && again.error.effect === 'unknown';
      if (runs !== 1 && !isGivenUp) found.push(`question ${at}: it ran ${runs} times`);
      if (saidUndone && first.ran.length > 0) found.push(`question ${at}: it ran, and was said not to have`);
      if (saidUndone && again.status !== 'ok') found.push(`question ${at}: it may be repeated, but is answered ${kindOf(again)}`);
    }
    expect(found).toEqual([]);
  });
});
