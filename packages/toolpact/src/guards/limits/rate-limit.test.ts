import { describe, expect, test } from 'vitest';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { CallContext } from '../../contract/index.ts';
import { type ErrorOutcome, type Outcome, toModelText } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox, type ToolboxOptions } from '../../toolbox/index.ts';
import { type RateLimitOptions, rateLimit } from './rate-limit.ts';

skipTime();

const silent: ToolboxOptions = { report: () => undefined };
const named = (name: string, run: () => unknown = () => name) => defineTool({ name, description: 'x', effects: 'none', run });

function setUp(options: RateLimitOptions) {
  let runs = 0;
  const run = () => {
    runs += 1;
    return runs;
  };
  const toolbox = createToolbox([named('a', run), named('b', run)], { ...silent, use: [rateLimit(options)] });
  const call = (name = 'a', context?: CallContext) => toolbox.answer({ name }, context);
  return { call, runs: () => runs };
}

function clock(start = 1_000_000) {
  let time = start;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

const kinds = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status));

describe('a window', () => {
  test('may never end', async () => {
    const { call } = setUp({ limit: 2, windowMs: Number.POSITIVE_INFINITY });
    expect(kinds([await call(), await call(), await call()])).toEqual(['ok', 'ok', 'rate_limited']);
  });

  test('is not longer because the clock was set back', async () => {
    const { now, pass } = clock(10_000_000);
    const { call } = setUp({ limit: 1, windowMs: 1000, now });
    expect(kinds([await call(), await call()])).toEqual(['ok', 'rate_limited']);
    pass(-3_600_000);
    expect(kinds([await call(), await call()])).toEqual(['ok', 'rate_limited']);
  });

  test('lets so many calls through and tells the others when it ends; they do not run', async () => {
    const { now, pass } = clock();
    const { call, runs } = setUp({ limit: 2, windowMs: 10_000, now });
    expect(kinds([await call(), await call()])).toEqual(['ok', 'ok']);
    pass(3500);
    const refused = (await call()) as ErrorOutcome;
    expect(refused.error).toMatchObject({ kind: 'rate_limited', retryAfterMs: 6500, retryable: true, recovery: 'wait', effect: 'none' });
    expect(refused.meta.attempts).toBe(0);
    expect(toModelText(refused)).toBe(
      '[error: rate_limited] a may be called 2 times in 10 s; this call is one too many and did not run.\nNext: Wait 7 s before trying again.',
    );
    expect(runs()).toBe(2);
    pass(6500);
    expect(kinds([await call()])).toEqual(['ok']);
  });

  test('holds when a thousand calls come at once', async () => {
    const { call, runs } = setUp({ limit: 100 });
    const seen = kinds(await Promise.all(Array.from({ length: 1000 }, () => call())));
    expect(seen.filter((kind) => kind === 'ok')).toHaveLength(100);
    expect(seen.filter((kind) => kind === 'rate_limited')).toHaveLength(900);
    expect(runs()).toBe(100);
  });

  test('is shared by all who share a store', async () => {
    const store = memoryStore();
    const [one, two] = [setUp({ limit: 10, store }), setUp({ limit: 10, store })];
    const calls = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).call());
    expect(kinds(await Promise.all(calls)).filter((kind) => kind === 'ok')).toHaveLength(10);
    expect(one.runs() + two.runs()).toBe(10);
  });
});

describe('what counts together', () => {
  const calls: readonly (readonly [string, CallContext])[] = [
    ['a', { tenantId: 'x', userId: '1' }],
    ['a', { tenantId: 'y', userId: '2' }],
    ['b', { tenantId: 'x', userId: '2' }],
    ['b', { tenantId: 'y', userId: '1' }],
    ['a', { tenantId: 'x', userId: '2' }],
  ];

  test.each([
    ['calls of one tool and tenant, by default', {}, ['ok', 'ok', 'ok', 'ok', 'rate_limited']],
    ['calls of one tenant', { by: 'tenant' }, ['ok', 'ok', 'rate_limited', 'rate_limited', 'rate_limited']],
    ['calls of one tool', { by: 'tool' }, ['ok', 'rate_limited', 'ok', 'rate_limited', 'rate_limited']],
    [
      'calls for which a function says the same, and tenants never',
      { by: ({ context }: { context: CallContext }) => context.userId ?? '' },
      ['ok', 'ok', 'ok', 'ok', 'rate_limited'],
    ],
    ['a tool with a limit of its own, apart', { by: 'tenant', tools: { a: 2 } }, ['ok', 'ok', 'ok', 'ok', 'ok']],
    ['nothing of a tool without limit', { by: 'tool', tools: { a: Number.POSITIVE_INFINITY } }, ['ok', 'ok', 'ok', 'rate_limited', 'ok']],
  ] as const)('%s', async (_, options, seen) => {
    const { call } = setUp({ limit: 1, ...options });
    const outcomes: Outcome[] = [];
    for (const [name, context] of calls) outcomes.push(await call(name, context));
    expect(kinds(outcomes)).toEqual(seen);
  });

  test('a function that fails refuses the call', async () => {
    const { call, runs } = setUp({
      limit: 1,
      by: () => {
        throw new Error('x');
      },
    });
    expect(kinds([await call()])).toEqual(['not_configured']);
    expect(runs()).toBe(0);
  });
});

describe('a store that', () => {
  const broken = (add: Store['add']): Store => ({ ...memoryStore(), add });
  const stores: readonly (readonly [string, Store, RegExp])[] = [
    ['throws', broken(() => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))), /the store failed: unreachable/],
    [
      'throws at once',
      broken(() => {
        throw new Error('x');
      }),
      /the store failed: internal error/,
    ],
    ['hangs', broken(() => new Promise(() => undefined)), /did not answer within/],
    ['lies', broken(async () => ({ count: 'many' }) as never), /not a count/],
    ['gives nothing', broken(async () => undefined as never), /not a count/],
  ];

  test.each(stores)('%s lets calls run, with a warning', async (_, store, why) => {
    const { call, runs } = setUp({ limit: 1, store });
    const outcome = await call('a', { timeoutMs: 200 });
    expect(outcome).toMatchObject({ status: 'ok', meta: { warnings: [expect.stringMatching(why)] } });
    expect(outcome.meta.warnings?.[0]).toMatch(/^the rate limit was not checked: /);
    expect(runs()).toBe(1);
  });

  test.each(stores)('%s keeps calls from running where that is asked for', async (_, store, why) => {
    const { call, runs } = setUp({ limit: 1, store, whenStoreFails: 'refuse' });
    const outcome = (await call('a', { timeoutMs: 200 })) as ErrorOutcome;
    expect(outcome.error).toMatchObject({ kind: 'not_ready', retryable: true, effect: 'none', message: expect.stringMatching(why) });
    expect(runs()).toBe(0);
  });

  test.each([
    ['in the past', -1e12, 1],
    ['far away', 1e12, 10_000],
  ])('says that the window ends %s makes no caller wait longer than a window', async (_, offset, retryAfterMs) => {
    const { now } = clock();
    const { call } = setUp({ limit: 1, windowMs: 10_000, now, store: broken(async () => ({ count: 99, leftMs: offset })) });
    expect(await call()).toMatchObject({ error: { kind: 'rate_limited', retryAfterMs } });
  });
});

test.each([
  [{ limit: 0 }, /limit must be a number above 0/],
  [{}, /limit must be a number above 0/],
  [{ limit: 1, windowMs: 0 }, /windowMs must be a number above 0/],
  [{ limit: 1, windowMs: '5' as never }, /windowMs must be a number above 0/],
  [{ limit: 1, tools: { a: -1 } }, /tools.a must be a number above 0/],
  [{ limit: 1, by: 'user' }, /^rateLimit: by must be a function or one of tool-and-tenant, tenant, tool$/],
  [{ limit: 1, store: {} }, /store must be a store/],
  [{ limit: 1, whenStoreFails: 'open' }, /^rateLimit: whenStoreFails must be "allow" or "refuse"$/],
])('mistakes %j are reported at once', (options, message) => {
  expect(() => rateLimit(options as never)).toThrow(message);
});
