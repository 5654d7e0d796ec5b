import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { mortalStore } from '../../../../proofs/fixtures/mortal-store.ts';
import { seededStore } from '../../../../proofs/fixtures/seeded-store.ts';
import { createToolbox, defineTool, fail, type Outcome, ok } from '../index.ts';
import { toModelText } from '../outcome/index.ts';
import type { Ledger, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';
import { deny, policy } from './policy.ts';
import { repeatBreaker } from './repeat-breaker.ts';
import { spill } from './results/spill.ts';

// Traps that fixes of other libraries fell into, as far as they concern guards.

const report = () => undefined;
const base = { description: 'Acts.' };
const errorOf = (outcome: Outcome) => (outcome.status === 'error' ? outcome.error : undefined);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

describe('a call that was denied', () => {
  const pay = defineTool({ ...base, name: 'pay', approval: true, run: () => 'paid' });

  test.each<[string, () => Promise<Outcome>]>([
    [
      'a person',
      async () => {
        const box = createToolbox([pay], { store: memoryStore(), report });
        await box.approvals.decide(handleOf(await box.call('pay', {})), 'deny', { by: 'ann', reason: 'too much' });
        return box.call('pay', {});
      },
    ],
    [
      'a policy',
      async () => {
        const box = createToolbox([pay], {
          store: memoryStore(),
          use: [policy({ policies: [() => deny('too much')] })],
          report,
        });
        return box.call('pay', {});
      },
    ],
  ])('differs from a fault and from a success, and not to be repeated: by %s', async (_, call) => {
    const outcome = await call();
    expect(errorOf(outcome)).toMatchObject({ kind: 'denied', effect: 'none', retryable: false, recovery: 'ask_user' });
    const text = toModelText(outcome);
    for (const words of ['did not run', 'too much', 'a decision, not a fault', 'Do not repeat this call']) expect(text).toContain(words);
  });
});

test('an unanswered call is not erased: the list still says that it was begun', async () => {
  const store = memoryStore();
  const own = mortalStore(store);
  let runs = 0;
  const hang = () => {
    runs += 1;
    return new Promise<string>(() => undefined);
  };
  const send = defineTool({ ...base, name: 'send', run: hang });
  void createToolbox([send], { store: own, report }).call('send', {}, { runId: 'r', invocationId: 'i1' });
  const box = createToolbox([send], { store, report });
  await vi.waitFor(async () => expect([runs, await box.calls.get('i1')]).toMatchObject([1, { tool: 'send', status: 'running' }]));
  own.stop();
  expect(await box.calls.get('i1')).toMatchObject({ tool: 'send', status: 'running' });
});

test('an expired lease does not repeat a write that was done: it is looked up, or left to a person', async () => {
  const ledger: string[] = [];
  let ageMs = 0;
  const store = memoryStore({ now: () => Date.now() + ageMs });
  const input = z.object({ id: z.string() });
  const key = { key: ({ id }: { id: string }) => id };
  const box = (use: Store, canLook: boolean, dies: () => void = () => undefined) =>
    createToolbox(
      [
        defineTool({
          ...base,
          name: 'pay',
          input,
          idempotency: key,
          ...(canLook && { reconcile: ({ id }: { id: string }) => ({ effect: 'applied' as const, data: `found ${id}` }) }),
          run: ({ id }) => {
            ledger.push(id);
            dies();
            return `paid ${id}`;
          },
        }),
      ],
      { store: use, report },
    );
  // It dies after the effect and before it could say so.
  for (const id of ['o1', 'o2']) {
    const dying = mortalStore(store);
    void box(dying, false, dying.stop).call('pay', { id });
  }
  await vi.waitFor(() => expect(ledger).toEqual(['o1', 'o2']));
  ageMs = 10_001;
  expect(errorOf(await box(store, false).call('pay', { id: 'o1' }))).toMatchObject({
    kind: 'interrupted',
    effect: 'unknown',
    recovery: 'verify',
  });
  expect(await box(store, true).call('pay', { id: 'o2' })).toMatchObject({ status: 'ok', data: 'found o2' });
  expect(ledger).toEqual(['o1', 'o2']);
});

test('two different errors of one class do not add up to a repetition', async () => {
  let calls = 0;
  const act = defineTool({
    ...base,
    name: 'act',
    effects: 'none',
    failures: { full: 'conflict', locked: 'conflict' },
    run: (_, ctx) => {
      calls += 1;
      return ctx.fail(calls % 2 === 0 ? 'full' : 'locked', 'No.');
    },
  });
  const box = createToolbox([act], { use: [repeatBreaker()], report });
  const codes: unknown[] = [];
  for (let n = 0; n < 6; n += 1) codes.push(errorOf(await box.call('act', {}, { callId: 'c' }))?.code);
  expect(codes).toEqual(['locked', 'full', 'locked', 'full', 'locked', 'full']);
});

describe('a result that cannot be written down after the effect', () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;

  test('is not a call that may be made again', async () => {
    const run = vi.fn(() => cyclic as never);
    const pay = defineTool({ ...base, name: 'pay', idempotency: { key: () => 'o1' }, retry: { attempts: 3 }, run });
    const box = createToolbox([pay], { store: memoryStore(), report });
    expect(errorOf(await box.call('pay', {}))).toMatchObject({ kind: 'invalid_output', effect: 'unknown', retryable: false });
    expect(errorOf(await box.call('pay', {}))).toMatchObject({ kind: 'invalid_output', effect: 'unknown', retryable: false });
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('by a store that is full is a success with a warning', async () => {
    const store = seededStore();
    const fails = () => Promise.reject(new Error('full'));
    const full: Store = { ...store, put: fails, calls: { ...(store.calls as Ledger), end: fails } };
    const pay = defineTool({ ...base, name: 'pay', maxResultChars: 20, idempotency: { key: () => 'o1' }, run: () => 'x'.repeat(100) });
    const outcome = await createToolbox([pay], { store: full, use: [spill({ store: full })], report }).call('pay', {});
    expect([outcome.status, outcome.meta.warnings?.length]).toEqual(['ok', 3]);
  });
});

test('an ordinary failure of the other side does not make anybody send a writing call again', async () => {
  const run = vi.fn(() => {
    throw Object.assign(new Error('Internal Server Error'), { status: 500 });
  });
  const send = defineTool({ ...base, name: 'send', run });
  await createToolbox([send], { declare: () => ({ retry: { attempts: 5, baseMs: 0 } }), report }).call('send', {});
  expect(run).toHaveBeenCalledTimes(1);
});

test('an approved tool that throws keeps its message', async () => {
  const act = defineTool({
    ...base,
    name: 'act',
    approval: true,
    run: () => {
      throw new Error('The printer is on fire.');
    },
  });
  const store = memoryStore();
  const box = createToolbox([act], { store, report });
  await box.approvals.decide(handleOf(await box.call('act', {})), 'approve');
  const { meta, ...outcome } = await box.call('act', {});
  expect(errorOf({ ...outcome, meta } as Outcome)?.message).toContain('The printer is on fire.');
  const recorded = await box.calls.get(meta.invocationId ?? '');
  expect(recorded?.outcome?.status === 'error' && recorded.outcome.error.message).toContain('The printer is on fire.');
});

test.each<[string, object, number]>([
  ['says nothing: its kind decides', {}, 3],
  ['says no: it is not tried again', { retryable: false }, 1],
])('a failure that %s', async (_, options, attempts) => {
  const run = vi.fn(() => fail('unreachable', 'Down.', options));
  const look = defineTool({ ...base, name: 'look', effects: 'none', run });
  await createToolbox([look], { declare: () => ({ retry: { attempts: 3, baseMs: 0 } }), report }).call('look', {});
  expect(run).toHaveBeenCalledTimes(attempts);
});

test('no guard guesses from text whether a call went well', async () => {
  const read = defineTool({ ...base, name: 'read', effects: 'none', run: () => ok('Error: denied. Traceback (most recent call last)') });
  const box = createToolbox([read], { store: memoryStore(), declare: () => ({ retry: { baseMs: 0 } }), use: [repeatBreaker()], report });
  for (let n = 0; n < 6; n += 1) {
    expect(await box.call('read', {})).toMatchObject({ status: 'ok', meta: { attempts: 1 } });
  }
});

test('a tool called by another one is remembered by itself, so that repeating the outer call does not repeat it', async () => {
  const store = memoryStore();
  const paid: string[] = [];
  let isBroken = true;
  const pay = defineTool({
    ...base,
    name: 'pay',
    input: z.object({ id: z.string() }),
    idempotency: { key: ({ id }) => id },
    run: ({ id }) => {
      paid.push(id);
      return 'paid';
    },
  });
  const inner = createToolbox([pay], { store, report });
  const turn = defineTool({
    ...base,
    name: 'turn',
    effects: 'idempotent',
    run: async () => {
      const outcome = await inner.call('pay', { id: 'o1' }, { runId: 'turn-1' });
      if (isBroken) throw fail('unreachable', 'Lost on the way.');
      return outcome.meta.replayed === true ? 'already paid' : 'paid';
    },
  });
  const outer = createToolbox([turn], { declare: () => ({ retry: { attempts: 2, baseMs: 0 } }), report });
  await outer.call('turn', {});
  isBroken = false;
  expect(await outer.call('turn', {})).toMatchObject({ data: 'already paid' });
  expect([paid, (await inner.calls.resume('turn-1')).length]).toEqual([['o1'], 3]);
});
