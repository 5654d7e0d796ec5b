import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import { approvals } from '../calls/approvals/approvals.ts';
import { idempotency } from '../calls/idempotency/idempotency.ts';
import { journal } from '../calls/journal/journal.ts';
import { defer } from '../calls/waits/defer.ts';
import { causeOf, createToolbox, defineTool, type Outcome, pending } from '../index.ts';
import type { Awaitable, Guard, RecordDraft, RecordKey, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';
import { budget } from './limits/budget.ts';
import { circuitBreaker } from './limits/circuit-breaker.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { cache } from './results/cache.ts';
import { spill } from './results/spill.ts';

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

type Asked = RecordKey & Partial<RecordDraft>;

/** A store that never answers some questions. */
function hanging(isSilent: (asked: Asked) => boolean): Store {
  const store = memoryStore();
  const ask = <TResult>(asked: Asked, answer: () => Awaitable<TResult>): Awaitable<TResult> =>
    isSilent(asked) ? new Promise(() => undefined) : answer();
  return {
    ...store,
    get: (at) => ask(at, () => store.get(at)),
    put: (draft, expect) => ask(draft, () => store.put(draft, expect)),
    add: (at, amount, windowMs) => ask(at, () => store.add(at, amount, windowMs)),
  };
}

const common = { description: 'x', timeoutMs: 800 };
const tools = [
  defineTool({ ...common, name: 'look', effects: 'none', run: () => 'seen' }),
  defineTool({ ...common, name: 'write', run: () => 'written' }),
  defineTool({ ...common, name: 'list', effects: 'none', maxResultChars: 50, run: () => 'x'.repeat(1000) }),
  defineTool({ ...common, name: 'wait', run: () => pending({ handle: 'h', reason: 'host' }) }),
] as const;

async function answer(guard: Guard, name: string): Promise<Outcome> {
  const box = createToolbox(tools, { use: [guard], report: () => undefined });
  const outcome = box.answer({ name }, { idempotencyKey: 'k' });
  await vi.advanceTimersByTimeAsync(3000);
  return outcome;
}

const all = () => true;

const stateOf = ({ value }: Asked) => (value as { state?: string } | undefined)?.state;

/** The same store, which takes its time to write down how a claimed call ended. */
const slowToEnd = (store: Store): Store => ({
  ...store,
  async put(draft, expect) {
    if (stateOf(draft) === 'done') await takes(100);
    return store.put(draft, expect);
  },
});

describe('a store that hangs for longer than a call has time does not break one that does not need it', () => {
  test.each<[string, Guard, string, string]>([
    ['journal, at the start', journal({ store: hanging(all) }), 'look', 'not recorded'],
    ['journal, of a writing call', journal({ store: hanging(all) }), 'write', 'not recorded'],
    ['journal, at the end', journal({ store: hanging(({ space }) => space === 'call-end') }), 'write', 'its end is not recorded'],
    ['idempotency, of a call that may be repeated', idempotency({ store: hanging(all) }), 'look', 'not protected against repetition'],
    [
      'idempotency, after a writing call has run',
      idempotency({ store: hanging((asked) => stateOf(asked) === 'done') }),
      'write',
      'the outcome could not be stored',
    ],
    ['spill', spill({ store: hanging(all) }), 'list', 'the whole result was not kept'],
    ['defer', defer({ store: hanging(all) }), 'wait', 'it cannot be settled later'],
  ])('%s', async (_, guard, name, warning) => {
    const outcome = await answer(guard, name);
    expect([outcome.status, outcome.meta.warnings?.at(-1)]).toEqual([
      name === 'wait' ? 'pending' : 'ok',
      expect.stringContaining(`${warning}: the store did not answer within`),
    ]);
  });
});

describe('and keeps one that does need it from running', () => {
  test('a writing call with a key', async () => {
    const outcome = await answer(idempotency({ store: hanging(all) }), 'write');
    expect(outcome.status === 'error' && [outcome.error.effect, outcome.meta.attempts]).toEqual(['none', 0]);
  });

  test('a call that needs an approval', async () => {
    const tool = defineTool({ ...common, name: 'ask', approval: true, run: () => 'done' });
    const box = createToolbox([tool], { use: [approvals({ store: hanging(all) })], report: () => undefined });
    const outcome = box.call('ask', {});
    await vi.advanceTimersByTimeAsync(3000);
    expect(await outcome).toMatchObject({ status: 'error', error: { effect: 'none' }, meta: { attempts: 0 } });
  });
});

describe('all guards of a call together wait for it once', () => {
  const slow = { description: 'x', timeoutMs: 60_000 };
  const both = [
    defineTool({ ...slow, name: 'look', effects: 'none', cache: { ttlMs: 1000 }, maxResultChars: 50, run: () => 'x'.repeat(1000) }),
    defineTool({ ...slow, name: 'write', run: () => 'written' }),
  ] as const;
  const boxOn = (store: Store) =>
    createToolbox(both, {
      use: [
        journal({ store }),
        budget({ store, whenStoreFails: 'allow' }),
        rateLimit({ store, limit: 100 }),
        circuitBreaker({ store }),
        idempotency({ store }),
        cache({ store }),
        spill({ store }),
      ],
      report: () => undefined,
    });
  /** Gives the outcome there is after some time. */
  async function answerWithin(ms: number, store: Store, name: 'look' | 'write'): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined;
    void boxOn(store)
      .call(name, {}, { idempotencyKey: 'k', runId: 'r', budgetTokens: 100 })
      .then((given) => {
        outcome = given;
      });
    await vi.advanceTimersByTimeAsync(ms);
    return outcome;
  }

  test('one that can do without it', async () => {
    const outcome = await answerWithin(2100, hanging(all), 'look');
    const silent = 'the store did not answer within 2000 ms';
    expect([outcome?.status, outcome?.meta.warnings]).toEqual([
      'ok',
      [
        `not recorded: ${silent}`,
        `the token budget was not checked: ${silent}`,
        `the rate limit was not checked: ${silent}`,
        `the circuit was not checked: ${silent}`,
        `not protected against repetition: ${silent}`,
        `the shared cache was not read: ${silent}`,
        'the result: 1000 characters, cut to 22',
        `the whole result was not kept: ${silent}`,
      ],
    ]);
  });

  test('one whose store says what keeps it from answering, to the caller as a kind and to operators in full', async () => {
    const trouble = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    const store = { ...hanging(all), trouble: () => trouble };
    const outcome = await answerWithin(2100, store, 'write');
    const { message, debugId } = outcome?.status === 'error' ? outcome.error : {};
    expect(message).toMatch(/: the store did not answer within 2000 ms: unreachable\.$/);
    expect(causeOf(debugId)?.error?.cause?.message).toBe(trouble.message);
  });

  test('one that needs it', async () => {
    const outcome = await answerWithin(2100, hanging(all), 'write');
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' }, meta: { attempts: 0 } });
  });

  test('and it is as good as ever once it has answered', async () => {
    let asked = 0;
    const store = hanging(() => {
      asked += 1;
      return asked === 1;
    });
    const outcome = await answerWithin(2300, slowToEnd(store), 'write');
    expect([outcome?.status, outcome?.meta.warnings]).toEqual(['ok', ['not recorded: the store did not answer within 2000 ms']]);
  });

  test('but not because a claim could not be renewed meanwhile, for which no call waits', async () => {
    let claims = 0;
    const store = hanging((asked) => {
      claims += stateOf(asked) === 'running' ? 1 : 0;
      return stateOf(asked) === 'running' && claims > 1;
    });
    const tool = defineTool({ ...slow, name: 'write', run: () => takes(5000, 'written') });
    const box = createToolbox([tool], { use: [idempotency({ store: slowToEnd(store), leaseMs: 1500 })], report: () => undefined });
    const outcome = box.call('write', {}, { idempotencyKey: 'k' });
    await vi.advanceTimersByTimeAsync(8000);
    expect((await outcome).meta.warnings).toBeUndefined();
  });
});
