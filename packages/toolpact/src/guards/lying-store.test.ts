import { describe, expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { createToolbox, defineTool, type Outcome, pending } from '../index.ts';
import type { Ledger, Store, StoredCall } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';

// Stores that answer at once and always the same: whoever only asks again would never let anything else happen in this process.

skipTime();

const report = () => undefined;
const errorOf = (outcome: Outcome) => outcome.status === 'error' && [outcome.error.kind, outcome.error.effect, outcome.meta.attempts];
const tenant = '00000000-0000-0000-0000-000000000000';

/** The same store, which answers some questions about calls otherwise. */
function lying(store: Store, lies: (ledger: Ledger) => Partial<Ledger>): Store {
  const ledger = store.calls as Ledger;
  return { ...store, calls: { ...ledger, ...lies(ledger) } };
}

describe('a store that gives every key to a call of another process', () => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    timeoutMs: 50,
    idempotency: { key: () => 'o1' },
    reconcile: () => ({ effect: 'none' }),
    run: () => 'paid',
  });

  /** A call of the same key as another process left it. */
  async function leftCall(): Promise<StoredCall> {
    const store = memoryStore();
    await createToolbox([pay], { store, report }).call('pay', {}, { invocationId: 'i1' });
    return (await store.calls?.get(tenant, 'i1')) as StoredCall;
  }

  test.each<[string, Partial<StoredCall>, Partial<Ledger>, readonly unknown[]]>([
    ['runs', { stage: 'running', isDead: false }, {}, ['timeout', 'unknown', 0]],
    [
      'is dead, and cannot be taken',
      { stage: 'running', isDead: true },
      { take: async () => ({ is: 'lost', call: undefined }) },
      ['timeout', 'none', 0],
    ],
    ['has ended in a way that is not there', { stage: 'ended', outcome: undefined }, {}, ['not_ready', 'none', 0]],
  ])('that %s, does not hold up the process', async (_, facts, lies, expected) => {
    const call = { ...(await leftCall()), process: 'another', ...facts };
    const store = lying(memoryStore(), () => ({ begin: async () => ({ is: 'found', call }), ...lies }));
    expect(errorOf(await createToolbox([pay], { store, report }).call('pay', {}))).toEqual(expected);
  });
});

test('a store that always says that a call has changed does not keep those who wait for it from giving up', async () => {
  const store = memoryStore();
  const order = defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'h', reason: 'host' }) });
  await createToolbox([order], { store, report }).call('order', {});
  const liar = lying(store, () => ({ look: async () => [] }));
  const waited = createToolbox([order], { store: liar, report }).calls.wait('h', { timeoutMs: 500 });
  expect((await waited).status).toBe('pending');
});

test.each([
  ['without its failure', { status: 'error', meta: {} }],
  ['without its facts', { status: 'ok', data: 1, meta: null }],
  ['of no known status', { status: 'done', meta: {} }],
])('a store that gives a pending call an outcome %s is not believed', async (_, outcome) => {
  const store = memoryStore();
  const order = defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'h', reason: 'host' }) });
  await createToolbox([order], { store, report }).call('order', {});
  const liar = lying(store, (ledger) => ({
    get: async (...at) => {
      const call = await ledger.get(...at);
      return call && { ...call, stage: 'ended', outcome: outcome as never };
    },
  }));
  const box = createToolbox([order], { store: liar, report });
  expect([errorOf(await box.calls.wait('h')), errorOf(await box.calls.settle('h', 'here'))]).toEqual([
    ['not_ready', 'none', 0],
    ['not_ready', 'none', 0],
  ]);
});

describe('a store that never lets anybody change anything', () => {
  const refusing = (store: Store): Store =>
    lying(store, () => ({
      begin: async () => ({ is: 'full' }),
      take: async () => ({ is: 'lost', call: undefined }),
      end: async () => ({ is: 'lost', call: undefined }),
    }));

  test('keeps a call whose approval was given from running', async () => {
    const store = memoryStore();
    const tool = defineTool({ name: 'pay', description: 'Pays.', approval: true, run: () => 'paid' });
    const box = createToolbox([tool], { store, report });
    const asked = await box.call('pay', {});
    await box.approvals.decide(asked.status === 'pending' ? asked.pending.handle : '', 'approve');
    const outcome = await createToolbox([tool], { store: refusing(store), report }).call('pay', {});
    expect(errorOf(outcome)).toEqual(['rate_limited', 'none', 0]);
  });

  test('leaves a pending call pending', async () => {
    const store = memoryStore();
    const tool = defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'h', reason: 'host' }) });
    const box = createToolbox([tool], { store, report });
    await box.call('order', {});
    const settled = await createToolbox([tool], { store: refusing(store), report }).calls.settle('h', 'arrived');
    expect([errorOf(settled), (await box.calls.wait('h', { timeoutMs: 0 })).status]).toEqual([['conflict', 'none', 0], 'pending']);
  });
});
