import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { budget } from '../../guards/limits/budget.ts';
import { circuitBreaker } from '../../guards/limits/circuit-breaker.ts';
import { concurrency } from '../../guards/limits/concurrency.ts';
import { rateLimit } from '../../guards/limits/rate-limit.ts';
import { ask, policy } from '../../guards/policy.ts';
import { repeatBreaker } from '../../guards/repeat-breaker.ts';
import { spill } from '../../guards/results/spill.ts';
import { createToolbox, defineTool, fail, type Outcome, ToolpactError } from '../../index.ts';
import type { Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

function setUp({ store = memoryStore(), run = () => 'paid' as unknown, byPolicy = false, reconcile = false } = {}) {
  let runs = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({ order: z.string(), amount: z.number() }),
    idempotency: { key: ({ order }) => order },
    ...(byPolicy ? {} : { approval: true }),
    ...(reconcile && { reconcile: () => ({ effect: 'applied' as const, data: 'found' }) }),
    run: () => {
      runs += 1;
      return run() as string;
    },
  });
  const policies = byPolicy ? [policy({ policies: [() => ask('Pay?')] })] : [];
  const box = createToolbox([pay], {
    store,
    calls: { leaseMs: 50 },
    use: [...policies],
    report: () => undefined,
  });
  return { box, store, runs: () => runs, pay: (amount = 1, order = 'o1') => box.call('pay', { order, amount }) };
}

describe.each([
  ['its tool', false],
  ['a policy', true],
])('a call that %s asks a person about', (_, byPolicy) => {
  test('is answered with what it did when it is made again, and asks no person', async () => {
    const { pay, box, runs } = setUp({ byPolicy });
    await box.approvals.decide(handleOf(await pay()), 'approve');
    expect(await pay()).toMatchObject({ status: 'ok', data: 'paid' });
    expect(await pay()).toMatchObject({ status: 'ok', data: 'paid', meta: { replayed: true } });
    expect([runs(), await box.approvals.list()]).toEqual([1, []]);
  });

  test('with other arguments under the same key is refused before a person is asked', async () => {
    const { pay, box } = setUp({ byPolicy });
    await box.approvals.decide(handleOf(await pay(1)), 'approve');
    await pay(1);
    expect(await pay(2)).toMatchObject({ status: 'error', error: { code: 'key_reused', effect: 'none' } });
    expect(await box.approvals.list()).toEqual([]);
  });
});

test('a call joins the one that runs in this process or another, and asks no person', async () => {
  const store = memoryStore();
  let end: (data: string) => void = () => undefined;
  const working = new Promise<string>((resolve) => {
    end = resolve;
  });
  const one = setUp({ store, run: () => working });
  const other = setUp({ store });
  await one.box.approvals.decide(handleOf(await one.pay()), 'approve');
  const first = one.pay();
  await vi.waitFor(() => expect(one.runs()).toBe(1));
  const joined = [one.pay(), other.pay()];
  end('paid once');
  expect((await Promise.all([first, ...joined])).map((outcome) => outcome.status === 'ok' && outcome.data)).toEqual([
    'paid once',
    'paid once',
    'paid once',
  ]);
  expect([one.runs(), other.runs(), await one.box.approvals.list()]).toEqual([1, 0, []]);
});

test('a call whose effect is not known is settled by its tool, or answered with that, and asks no person', async () => {
  const lost = () => {
    throw new Error('the line went dead');
  };
  for (const [reconcile, answer] of [
    [true, { status: 'ok', data: 'found' }],
    [false, { status: 'error', error: { effect: 'unknown' }, meta: { replayed: true } }],
  ] as const) {
    const { pay, box } = setUp({ run: lost, reconcile });
    await box.approvals.decide(handleOf(await pay()), 'approve');
    expect(await pay()).toMatchObject({ status: 'error', error: { effect: 'unknown' } });
    expect(await pay()).toMatchObject(answer);
    expect(await box.approvals.list()).toEqual([]);
  }
});

test('a key that was freed asks again', async () => {
  const { pay, box } = setUp({ run: () => fail('unreachable', 'Not now.', { effect: 'none' }) });
  await box.approvals.decide(handleOf(await pay()), 'approve');
  expect(await pay()).toMatchObject({ error: { kind: 'unreachable' } });
  expect((await pay()).status).toBe('pending');
});

test('a store that does not answer refuses the call, and asks no person', async () => {
  const memory = memoryStore();
  const broken: Store = { ...memory, get: () => Promise.reject(new Error('down')), put: () => Promise.reject(new Error('down')) };
  expect(await setUp({ store: broken }).pay()).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
});

describe('a guard that is given twice', () => {
  const store = memoryStore();
  const tool = defineTool({ name: 'tell', description: 'Tells.', effects: 'none', run: () => 'done' });
  test.each([
    ['repeat-breaker', () => [repeatBreaker(), repeatBreaker()]],
    ['spill', () => [spill({ store }), spill({ store })]],
    ['rate-limit', () => Array(2).fill(rateLimit({ limit: 1, windowMs: 1000 }))],
    ['budget', () => Array(2).fill(budget({ store }))],
    ['circuit-breaker', () => Array(2).fill(circuitBreaker())],
    ['concurrency', () => Array(2).fill(concurrency({ max: 1 }))],
    ['policy', () => Array(2).fill(policy({ policies: [] }))],
  ] as const)('is refused: %s', (name, use) => {
    const make = () => createToolbox([tool], { use: use() as never });
    expect(make).toThrow(ToolpactError);
    expect(make).toThrow(`the guard "${name}" is given twice in \`use\``);
  });

  test('may count twice in different ways', () => {
    const use = [rateLimit({ limit: 1, windowMs: 1000 }), rateLimit({ limit: 10, windowMs: 60_000, by: 'tenant' })];
    expect(() => createToolbox([tool], { use })).not.toThrow();
  });
});
