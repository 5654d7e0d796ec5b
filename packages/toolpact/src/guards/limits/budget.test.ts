import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { CallContext } from '../../contract/index.ts';
import { type ErrorOutcome, fail, type Outcome, ok, toModelText } from '../../outcome/index.ts';
import { withMeta } from '../../outcome/with-meta.ts';
import type { Guard, Store } from '../../ports/index.ts';
import { defineGuard, defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { nextTurn } from '../../time/index.ts';
import { createToolbox, type ToolboxOptions } from '../../toolbox/index.ts';
import { type BudgetOptions, budget, tokensIn, tokensLeft } from './budget.ts';

skipTime();

const silent: ToolboxOptions = { report: () => undefined };

/** A tool that spends what it is told to. */
function setUp(options: BudgetOptions = {}, more: readonly Guard[] = []) {
  let runs = 0;
  const spend = defineTool({
    name: 'spend',
    description: 'x',
    effects: 'none',
    input: z.object({ tokens: z.number() }),
    run: ({ tokens }) => {
      runs += 1;
      return tokens < 0 ? fail('upstream', 'Down.') : ok(tokens, { tokenUsage: { input: tokens - 1, output: 1 } });
    },
  });
  const toolbox = createToolbox([spend], { ...silent, use: [budget(options), ...more] });
  const call = (tokens: number, context?: CallContext): Promise<Outcome> => toolbox.call('spend', { tokens }, context);
  return { call, runs: () => runs };
}

const run: CallContext = { tenantId: 'acme', runId: 'r1', budgetTokens: 100 };
const kinds = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status));

describe('a run', () => {
  test('may spend its budget; the next call is refused', async () => {
    const { call, runs } = setUp();
    expect(kinds([await call(60, run), await call(39, run), await call(1, run)])).toEqual(['ok', 'ok', 'ok']);
    const refused = (await call(1, run)) as ErrorOutcome;
    expect(refused.error).toMatchObject({
      kind: 'budget_exhausted',
      recovery: 'stop',
      retryable: false,
      effect: 'none',
      details: { budgetTokens: 100, spentTokens: 100 },
    });
    expect(toModelText(refused)).toBe(
      '[error: budget_exhausted] The token budget of 100 is spent (100); spend did not run.\nNext: Repeating will not help until it is raised.',
    );
    expect(runs()).toBe(3);
  });

  test('goes on when its budget is raised', async () => {
    const { call } = setUp();
    await call(100, run);
    expect(kinds([await call(1, run), await call(1, { ...run, budgetTokens: 200 })])).toEqual(['budget_exhausted', 'ok']);
  });

  test.each([
    ['another run', { ...run, runId: 'r2' }, 'ok'],
    ['another tenant', { ...run, tenantId: 'other' }, 'ok'],
    ['a conversation of that name', { tenantId: 'acme', conversationId: 'r1', budgetTokens: 100 }, 'ok'],
    ['a call that belongs to nothing', { tenantId: 'acme', budgetTokens: 100 }, 'ok'],
    ['a call without a budget', { tenantId: 'acme', runId: 'r1' }, 'ok'],
    ['a call whose budget is no number', { ...run, budgetTokens: Number.NaN }, 'ok'],
    ['the same run in another conversation', { ...run, conversationId: 'c' }, 'budget_exhausted'],
    ['a call that may spend nothing', { budgetTokens: 0 }, 'budget_exhausted'],
  ])('that is over does not touch %s unless it is the same', async (_, context, kind) => {
    const { call } = setUp();
    await call(100, run);
    expect(kinds([await call(1, context)])).toEqual([kind]);
  });

  test('may count for ever', async () => {
    const { call } = setUp({ windowMs: Number.POSITIVE_INFINITY });
    expect(kinds([await call(100, run), await call(1, run)])).toEqual(['ok', 'budget_exhausted']);
  });

  test('is forgotten when its time is over', async () => {
    let time = 0;
    const { call } = setUp({ windowMs: 1000, now: () => time });
    await call(100, run);
    time = 999;
    expect(kinds([await call(1, run)])).toEqual(['budget_exhausted']);
    time = 1000;
    expect(kinds([await call(1, run)])).toEqual(['ok']);
  });

  test('spends nothing with a replayed outcome, or a failure that reports nothing', async () => {
    const replaying: Guard = defineGuard({
      name: 'replay',
      phase: 'key',
      around: async (_call, next) => withMeta(await next(), { replayed: true }),
    });
    const { call } = setUp({}, [replaying]);
    expect(kinds([await call(100, run), await call(100, run)])).toEqual(['ok', 'ok']);
    const plain = setUp();
    expect(kinds([await plain.call(-1, run), await plain.call(1, run)])).toEqual(['upstream', 'ok']);
  });

  test('counts a thousand calls at once without losing one', async () => {
    const { call } = setUp();
    const context = { ...run, budgetTokens: 10_000 };
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => call(10, context)));
    expect(new Set(kinds(outcomes))).toEqual(new Set(['ok']));
    expect(await call(1, context)).toMatchObject({ error: { details: { spentTokens: 10_000 } } });
  });

  test('is counted together by processes that share a store, and by a scope of one’s own', async () => {
    const store = memoryStore();
    const by: BudgetOptions['by'] = ({ context }) => context.ids?.caseId;
    const [one, two] = [setUp({ store, by }), setUp({ store, by })];
    const context = { ids: { caseId: 'c' }, budgetTokens: 100 };
    expect(kinds([await one.call(50, context), await two.call(50, { ...context, runId: 'x' }), await one.call(1, context)])).toEqual([
      'ok',
      'ok',
      'budget_exhausted',
    ]);
  });

  test('whose scope is not known is refused', async () => {
    const { call, runs } = setUp({
      by: () => {
        throw new Error('x');
      },
    });
    expect(kinds([await call(1, run)])).toEqual(['not_configured']);
    expect(runs()).toBe(0);
  });
});

describe('a store that', () => {
  const broken = (add: Store['add']): Store => ({ ...memoryStore(), add });
  const stores: readonly (readonly [string, Store, RegExp])[] = [
    ['throws', broken(() => Promise.reject(new Error('x'))), /the store failed/],
    ['hangs', broken(() => new Promise(() => undefined)), /did not answer within/],
    ['lies', broken(async () => ({ count: Number.NaN, leftMs: 0 })), /not a count/],
  ];

  test.each(stores)('%s keeps calls with a budget from running, and no others', async (_, store, why) => {
    const { call, runs } = setUp({ store });
    expect(await call(1, { ...run, timeoutMs: 200 })).toMatchObject({ error: { kind: 'not_ready', message: expect.stringMatching(why) } });
    expect(runs()).toBe(0);
    expect(kinds([await call(1)])).toEqual(['ok']);
  });

  test.each(stores)('%s lets calls run with a warning where that is asked for', async (_, store, why) => {
    const { call } = setUp({ store, whenStoreFails: 'allow' });
    expect(await call(1, { ...run, timeoutMs: 200 })).toMatchObject({ status: 'ok', meta: { warnings: [expect.stringMatching(why)] } });
  });

  test('fails when the call is over leaves a warning', async () => {
    const store = memoryStore();
    const { call } = setUp({
      store: broken((at, amount, windowMs) => (amount > 0 ? Promise.reject(new Error('x')) : store.add(at, amount, windowMs))),
    });
    expect(await call(7, run)).toMatchObject({
      status: 'ok',
      meta: { warnings: ['7 tokens were not counted: the store failed: internal error'] },
    });
  });
});

test.each([
  [{ input: 3, output: 4 }, 7],
  [{ input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 100 }, 7],
  [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }, 7],
  [{ promptTokenCount: 3, candidatesTokenCount: 4, thoughtsTokenCount: 5, totalTokenCount: 12 }, 12],
  [{ inputTokens: 3, outputTokens: 4, totalTokens: 9 }, 9],
  [{ total: 5 }, 5],
  [{ embedding: 5, rerank: 6 }, 11],
  [{ tokens: 8 }, 8],
  [{}, 0],
  [undefined, 0],
])('%j is worth %d tokens', (usage, tokens) => {
  expect(tokensIn(usage)).toBe(tokens);
});

test.each([
  [{ windowMs: 0 }, /windowMs must be a number above 0/],
  [{ by: 'run' }, /by must be a function/],
  [{ store: { add: 1 } }, /store must be a store/],
  [{ whenStoreFails: 'warn' }, /^budget: whenStoreFails must be "allow" or "refuse"$/],
])('mistakes %j are reported at once', (options, message) => {
  expect(() => budget(options as never)).toThrow(message);
});

describe('a tool', () => {
  test('learns what was left when its call began, and calls that it makes are held to the whole', async () => {
    const answers: (number | undefined)[] = [];
    const spend = defineTool({
      name: 'spend',
      description: 'x',
      run: (_, ctx) => {
        answers.push(tokensLeft(ctx));
        return ok('spent', { tokenUsage: { total: 30 } });
      },
    });
    const twice = defineTool({
      name: 'twice',
      description: 'x',
      run: async (_, ctx): Promise<string[]> => {
        answers.push(tokensLeft(ctx));
        const inner = [await inside.call('spend', {}, ctx), await inside.call('spend', {}, ctx)];
        answers.push(tokensLeft(ctx));
        return kinds(inner);
      },
    });
    const inside = createToolbox([spend, twice], { ...silent, use: [budget()] });
    await inside.call('spend', {}, run);
    expect(await inside.call('twice', {}, run)).toMatchObject({ status: 'ok', data: ['ok', 'ok'] });
    expect(answers).toEqual([100, 70, 70, 40, 70]);
  });

  test('whose call was stopped while the store was asked is not remembered', async () => {
    const inner = memoryStore();
    const stop = new AbortController();
    const add: Store['add'] = async (...given) => {
      stop.abort();
      return inner.add(...given);
    };
    const { call, runs } = setUp({ store: { ...inner, add } });
    expect(kinds([await call(1, { ...run, invocationId: 'stopped', signal: stop.signal })])).toEqual(['cancelled']);
    await nextTurn();
    expect([runs(), tokensLeft({ invocationId: 'stopped' })]).toEqual([0, undefined]);
  });

  test('that is not counted, or whose call is over, learns nothing', async () => {
    const ids: string[] = [];
    const answers: (number | undefined)[] = [];
    const look = defineTool({
      name: 'look',
      description: 'x',
      run: (_, ctx) => {
        ids.push(ctx.invocationId);
        answers.push(tokensLeft(ctx));
        return 'seen';
      },
    });
    const toolbox = createToolbox([look], { ...silent, use: [budget()] });
    await toolbox.call('look', {}, { runId: 'r1' });
    await toolbox.call('look', {}, run);
    expect([answers, ids.map((invocationId) => tokensLeft({ invocationId }))]).toEqual([
      [undefined, 100],
      [undefined, undefined],
    ]);
  });
});
