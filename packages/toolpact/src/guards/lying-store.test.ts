import { describe, expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { approvals } from '../calls/approvals/approvals.ts';
import { idempotency } from '../calls/idempotency/idempotency.ts';
import { defer } from '../calls/waits/defer.ts';
import { noTenant } from '../contract/index.ts';
import { createToolbox, defineTool, type Outcome, pending } from '../index.ts';
import type { RecordDraft, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';

// Stores that answer at once and always the same: a guard that only asks again would never let anything else happen in this process.

skipTime();

const report = () => undefined;
const errorOf = (outcome: Outcome) => outcome.status === 'error' && [outcome.error.kind, outcome.error.effect, outcome.meta.attempts];

/** A claim of another process, in some state. */
function claimOf(draft: RecordDraft, state: string) {
  const outcome = { status: 'error', error: { kind: 'internal', message: 'Lost.', effect: 'unknown' }, meta: { tookMs: 1, attempts: 1 } };
  const value = { ...(draft.value as object), state, owner: 'another', writtenAt: 0, leaseMs: 1, outcome };
  return { ...draft, value, version: 5, seq: 1 };
}

describe('a store that gives every key to another process', () => {
  test.each([
    ['free', ['not_ready', 'none', 0]],
    ['unknown', ['timeout', 'unknown', 0]],
    ['running', ['timeout', 'unknown', 0]],
  ])('who is said to be %s, does not hold up the process', async (state, expected) => {
    const store: Store = { ...memoryStore(), put: async (draft) => ({ ok: false, current: claimOf(draft, state) }) };
    const tool = defineTool({
      name: 'pay',
      description: 'Pays.',
      timeoutMs: 50,
      idempotency: { key: () => 'o1' },
      reconcile: () => ({ effect: 'none' }),
      run: () => 'paid',
    });
    expect(errorOf(await createToolbox([tool], { use: [idempotency({ store })], report }).call('pay', {}))).toEqual(expected);
  });
});

test.each([
  ['without its failure', { status: 'error', meta: {} }],
  ['without its facts', { status: 'ok', data: 1, meta: null }],
  ['of no known status', { status: 'done', meta: {} }],
])('a store that gives a pending call an outcome %s is not believed', async (_, outcome) => {
  const store = memoryStore();
  const [at, pendingCall] = [
    { space: 'pending', tenant: noTenant, key: 'h' },
    { handle: 'h', reason: 'host' },
  ];
  await store.put({ ...at, value: { v: 1, tool: 'order', invocationId: 'i', pending: pendingCall, input: {}, outcome } });
  const order = defineTool({ name: 'order', description: 'Orders.', run: () => 'ordered' });
  const box = createToolbox([order], { use: [defer({ store })], report });
  expect([errorOf(await box.wait('h')), errorOf(await box.settle('h', 'here'))]).toEqual([
    ['not_found', 'none', 0],
    ['not_found', 'none', 0],
  ]);
});

describe('a store that never lets anybody change anything', () => {
  const refusing = (store: Store): Store => ({ ...store, put: async () => ({ ok: false, current: undefined }) });

  test('keeps a call whose approval was given from running', async () => {
    const store = memoryStore();
    const tool = defineTool({ name: 'pay', description: 'Pays.', approval: true, run: () => 'paid' });
    const box = createToolbox([tool], { use: [approvals({ store })], report });
    const asked = await box.call('pay', {});
    await box.decide(asked.status === 'pending' ? asked.pending.handle : '', 'approve');
    const outcome = await createToolbox([tool], { use: [approvals({ store: refusing(store) })], report }).call('pay', {});
    expect(errorOf(outcome)).toEqual(['not_ready', 'none', 0]);
  });

  test('leaves a pending call pending', async () => {
    const store = memoryStore();
    const tool = defineTool({ name: 'order', description: 'Orders.', run: () => pending({ handle: 'h', reason: 'host' }) });
    await createToolbox([tool], { use: [defer({ store })], report }).call('order', {});
    const settled = await createToolbox([tool], { use: [defer({ store: refusing(store) })], report }).settle('h', 'arrived');
    expect(errorOf(settled)).toEqual(['not_ready', 'none', 0]);
  });
});
