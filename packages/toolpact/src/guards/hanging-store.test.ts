import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import { causeOf, createToolbox, defineTool, type Outcome, pending } from '../index.ts';
import type { Guard, Ledger, RecordKey, Store } from '../ports/index.ts';
import { memoryStore } from '../stores/memory.ts';
import type { ToolboxOptions } from '../toolbox/index.ts';
import { budget } from './limits/budget.ts';
import { circuitBreaker } from './limits/circuit-breaker.ts';
import { rateLimit } from './limits/rate-limit.ts';
import { spill } from './results/spill.ts';

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

/** A request to a store: an operation on calls, or on records. */
interface Asked {
  readonly operation: string;
  /** Of a record. */
  readonly space?: string;
}

/** A store that never answers some questions. */
function hanging(isSilent: (asked: Asked) => boolean): Store {
  const store = memoryStore();
  const ask = <TResult>(asked: Asked, answer: () => Promise<TResult>): Promise<TResult> =>
    isSilent(asked) ? new Promise(() => undefined) : answer();
  const ledger = store.calls as Ledger;
  const calls = Object.fromEntries(
    Object.entries(ledger).map(([operation, run]) => [
      operation,
      (...given: never[]) => ask({ operation }, () => (run as (...words: never[]) => Promise<unknown>)(...given)),
    ]),
  );
  const record = (operation: string, { space }: RecordKey): Asked => ({ operation, space });
  return {
    ...store,
    calls: { ...(calls as unknown as Ledger), watch: ledger.watch },
    get: (at) => ask(record('get', at), () => store.get(at)),
    put: (draft, expect) => ask(record('put', draft), () => store.put(draft, expect)),
    add: (at, amount, windowMs) => ask(record('add', at), () => store.add(at, amount, windowMs)),
  };
}

const common = { description: 'x', timeoutMs: 800 };
const tools = [
  defineTool({ ...common, name: 'look', effects: 'none', run: () => 'seen' }),
  defineTool({ ...common, name: 'write', run: () => 'written' }),
  defineTool({ ...common, name: 'list', effects: 'none', maxResultChars: 50, run: () => 'x'.repeat(1000) }),
  defineTool({ ...common, name: 'wait', run: () => pending({ handle: 'h', reason: 'host' }) }),
] as const;

async function answer(options: ToolboxOptions, name: string, idempotencyKey?: string): Promise<Outcome> {
  const box = createToolbox(tools, { ...options, report: () => undefined });
  const outcome = box.answer({ name }, idempotencyKey === undefined ? {} : { idempotencyKey });
  await vi.advanceTimersByTimeAsync(3000);
  return outcome;
}

const all = () => true;
const only =
  (...operations: readonly string[]) =>
  ({ operation }: Asked) =>
    operations.includes(operation);

/** The same store, which takes its time to write down how a call ended. */
const slowToEnd = (store: Store): Store => {
  const ledger = store.calls as Ledger;
  return { ...store, calls: { ...ledger, end: (run, end) => takes(100).then(() => ledger.end(run, end)) } };
};

describe('a store that hangs for longer than a call has time does not break one that does not need it', () => {
  test.each<[string, ToolboxOptions, string]>([
    ['the list of calls', { store: hanging(all) }, 'look'],
    ['the list, of a writing call', { store: hanging(all) }, 'write'],
    ['the list, at the end', { store: hanging(only('end')) }, 'write'],
  ])('%s, whose row is lost without a word', async (_, options, name) => {
    const outcome = await answer(options, name);
    expect([outcome.status, outcome.meta.warnings, outcome.meta.tookMs]).toEqual(['ok', undefined, 0.001]);
  });

  test.each<[string, ToolboxOptions, string, string, string | undefined]>([
    [
      'the end of a writing call with a key',
      { store: hanging(only('end')) },
      'write',
      'not_recorded: the end of this call could not be stored',
      'k',
    ],
    ['spill', { use: [spill({ store: hanging(all) })] }, 'list', 'the whole result was not kept', undefined],
    ['a call that waits for its host', { store: hanging(all) }, 'wait', 'not_recorded: it cannot be settled later', undefined],
  ])('%s', async (_, options, name, warning, key) => {
    const outcome = await answer(options, name, key);
    expect([outcome.status, outcome.meta.warnings?.at(-1)]).toEqual([
      name === 'wait' ? 'pending' : 'ok',
      expect.stringContaining(`${warning}: the store did not answer within`),
    ]);
  });
});

describe('and keeps one that does need it from running', () => {
  test.each(['write', 'look'])('a call with a key: %s', async (name) => {
    const outcome = await answer({ store: hanging(all) }, name, 'k');
    expect(outcome.status === 'error' && [outcome.error.effect, outcome.meta.attempts]).toEqual(['none', 0]);
  });

  test('a call that needs an approval', async () => {
    const tool = defineTool({ ...common, name: 'ask', approval: true, run: () => 'done' });
    const box = createToolbox([tool], { store: hanging(all), report: () => undefined });
    const outcome = box.call('ask', {});
    await vi.advanceTimersByTimeAsync(3000);
    expect(await outcome).toMatchObject({ status: 'error', error: { effect: 'none' }, meta: { attempts: 0 } });
  });
});

describe('all that a call asks of a store waits for it once', () => {
  const slow = { description: 'x', timeoutMs: 60_000 };
  const both = [
    defineTool({ ...slow, name: 'look', effects: 'none', cache: { ttlMs: 1000 }, maxResultChars: 50, run: () => 'x'.repeat(1000) }),
    defineTool({ ...slow, name: 'write', run: () => 'written' }),
  ] as const;
  const boxOn = (store: Store) => {
    const use: readonly Guard[] = [
      budget({ store, whenStoreFails: 'allow' }),
      rateLimit({ store, limit: 100 }),
      circuitBreaker({ store }),
      spill({ store }),
    ];
    return createToolbox(both, { store, use, report: () => undefined });
  };
  /** Gives the outcome there is after some time. */
  async function answerWithin(ms: number, store: Store, name: 'look' | 'write', key?: string): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined;
    void boxOn(store)
      .call(name, {}, { runId: 'r', budgetTokens: 100, ...(key !== undefined && { idempotencyKey: key }) })
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
        `the token budget was not checked: ${silent}`,
        `the rate limit was not checked: ${silent}`,
        `the circuit was not checked: ${silent}`,
        `the shared cache was not read: ${silent}`,
        'the result: 1000 characters, cut to 22',
        `the whole result was not kept: ${silent}`,
      ],
    ]);
  });

  test('one whose store says what keeps it from answering, to the caller as a kind and to operators in full', async () => {
    const trouble = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    const store = { ...hanging(all), trouble: () => trouble };
    const outcome = await answerWithin(2100, store, 'write', 'k');
    const { message, debugId } = outcome?.status === 'error' ? outcome.error : {};
    expect(message).toMatch(/: the store did not answer within 2000 ms: unreachable\.$/);
    expect(causeOf(debugId)?.error?.cause?.message).toBe(trouble.message);
  });

  test('one that needs it', async () => {
    const outcome = await answerWithin(2100, hanging(all), 'write', 'k');
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' }, meta: { attempts: 0 } });
  });

  test('and it is as good as ever once it has answered', async () => {
    let isSilent = true;
    const store = hanging(({ operation }) => {
      const wasSilent = isSilent && operation === 'add';
      if (wasSilent) isSilent = false;
      return wasSilent;
    });
    const outcome = await answerWithin(2300, slowToEnd(store), 'write', 'k');
    expect([outcome?.status, outcome?.meta.warnings]).toEqual([
      'ok',
      ['the token budget was not checked: the store did not answer within 2000 ms'],
    ]);
  });

  test('but not because the sign of life of its process could not be renewed meanwhile, for which no call waits', async () => {
    let beats = 0;
    const store = hanging(({ operation }) => {
      beats += operation === 'heartbeat' ? 1 : 0;
      return operation === 'heartbeat' && beats > 1;
    });
    const tool = defineTool({ ...slow, name: 'write', run: () => takes(5000, 'written') });
    const box = createToolbox([tool], { store: slowToEnd(store), calls: { leaseMs: 1500 }, report: () => undefined });
    const outcome = box.call('write', {}, { idempotencyKey: 'k' });
    await vi.advanceTimersByTimeAsync(8000);
    expect((await outcome).meta.warnings).toBeUndefined();
  });
});
