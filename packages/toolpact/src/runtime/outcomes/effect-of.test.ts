import { describe, expect, test, vi } from 'vitest';
import type { RunContext, StepRunContext } from '../../contract/index.ts';
import { type Effect, fail } from '../../outcome/index.ts';
import { createToolbox } from '../../toolbox/create-toolbox.ts';
import { defineTool } from '../define-tool.ts';

const report = () => undefined;
const base = { name: 'pay', description: 'Pays.' };

type Run = (input: object, ctx: StepRunContext) => unknown;

async function failureOf(
  run: Run,
  options: { readonly steps?: true; readonly effects?: 'none' | 'idempotent'; readonly timeoutMs?: number } = {},
) {
  const tool = defineTool({ ...base, timeoutMs: 1000, ...options, run: run as (input: object, ctx: RunContext) => unknown });
  const outcome = await createToolbox([tool], { report }).answer({ name: 'pay' });
  return outcome.status === 'error' ? [outcome.error.effect, outcome.error.recovery, outcome.error.retryable] : outcome.status;
}

const reset = (): never => {
  throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
};
const pay = (ctx: StepRunContext) => ctx.step('pay', () => 'paid');
const never = () => new Promise<never>(() => undefined);
const steps = true;

const none = ['none', 'wait', true];
const applied = ['applied', 'verify', false];
const unknown = ['unknown', 'verify', false];

describe('the effect of a failure of a writing tool that declares nothing', () => {
  test.each<[string, Run]>([
    ['says nothing', reset],
    [
      'only mentions steps in a comment',
      () => {
        // ctx.step('pay', …) and ctx.effect.begin() are only words here.
        reset();
      },
    ],
    ['has a step in a branch that is not taken', (input: { late?: boolean }, ctx) => (input.late === true ? pay(ctx) : reset())],
    ['states that it was applied', () => fail('unreachable', 'Sent, then cut off.', { effect: 'applied' })],
  ])('is not safe to repeat where it %s', async (_, run) => {
    expect((await failureOf(run)).slice(1)).toEqual(['verify', false]);
  });

  test('is none where it states so', async () => {
    expect(await failureOf(() => fail('unreachable', 'Not sent.', { effect: 'none' }))).toEqual(none);
  });
});

describe('the effect of a failure of a tool with steps', () => {
  const helper = async (ctx: StepRunContext): Promise<void> => {
    await ctx.step('pay', reset);
  };
  test.each<[string, unknown[], Run]>([
    ['no step has begun', none, reset],
    ['a step is in a branch that is not taken', none, (input: { late?: boolean }, ctx) => (input.late === true ? pay(ctx) : reset())],
    ['a step breaks off', unknown, (_, ctx) => ctx.step('pay', reset)],
    ['a step that a helper runs breaks off', unknown, (_, ctx) => helper(ctx)],
    [
      'a helper would run a step, and the failure comes before',
      none,
      (input: { late?: boolean }, ctx) => (input.late === true ? helper(ctx) : reset()),
    ],
    ['all steps have returned', applied, (_, ctx) => pay(ctx).then(() => reset())],
    [
      'a step states that it did nothing',
      none,
      (_, ctx) =>
        ctx.step('pay', () => {
          throw fail('unreachable', 'x', { effect: 'none' });
        }),
    ],
    [
      'a step states that it was applied',
      applied,
      (_, ctx) =>
        ctx.step('pay', () => {
          throw fail('unreachable', 'x', { effect: 'applied' });
        }),
    ],
    [
      'a step did nothing after another one returned',
      applied,
      async (_, ctx) => {
        await pay(ctx);
        await ctx.step('ship', () => {
          throw fail('unreachable', 'x', { effect: 'none' });
        });
      },
    ],
    [
      'the handler states none after a step returned',
      applied,
      (_, ctx) => pay(ctx).then(() => fail('unreachable', 'x', { effect: 'none' })),
    ],
    ['the handler states unknown before any step', unknown, () => fail('unreachable', 'x', { effect: 'unknown' })],
    [
      'a failed step is caught and another error thrown',
      unknown,
      async (_, ctx) => {
        await Promise.resolve(ctx.step('pay', reset)).catch(() => undefined);
        reset();
      },
    ],
    [
      'one of two parallel steps is under way',
      unknown,
      (_, ctx) =>
        Promise.all([
          ctx.step('a', never),
          ctx.step('b', () => {
            throw fail('unreachable', 'x', { effect: 'none' });
          }),
        ]),
    ],
    ['only a step without effects has run', none, (_, ctx) => ctx.step('find', () => 'x', { effects: 'none' }).then(() => reset())],
    ['a step without effects breaks off', none, (_, ctx) => ctx.step('find', reset, { effects: 'none' })],
    ['an idempotent step has returned', applied, (_, ctx) => ctx.step('put', () => 'x', { effects: 'idempotent' }).then(() => reset())],
    ['the result cannot be sent', ['applied', 'verify', false], (_, ctx) => pay(ctx).then(() => Symbol('no JSON'))],
  ])('where %s is %j', async (_, effect, run) => {
    expect(await failureOf(run, { steps })).toEqual(effect);
  });

  test.each<[Effect, unknown[]]>([
    ['none', none],
    ['applied', applied],
    ['unknown', unknown],
  ])('whose step gives a failed outcome with effect %s counts so', async (effect, expected) => {
    const inner = defineTool({ ...base, name: 'inner', run: () => fail('unreachable', 'x', { effect }) });
    const given: Run = async (_, ctx) => {
      const outcome = await ctx.step('inner', () => inner.call({}));
      expect(outcome.status).toBe('error');
      return reset();
    };
    expect(await failureOf(given, { steps })).toEqual(expected);
  });

  test('holds at the deadline too', async () => {
    expect(await failureOf(never, { steps, timeoutMs: 5 })).toEqual(none);
    expect(await failureOf((_, ctx) => ctx.step('pay', never), { steps, timeoutMs: 5 })).toEqual(unknown);
    expect(await failureOf((_, ctx) => pay(ctx).then(() => never()), { steps, timeoutMs: 5 })).toEqual(applied);
  });

  test('that was none at the deadline stays none: a tool that goes on cannot begin a step', async () => {
    let go: () => void = () => undefined;
    const done: string[] = [];
    const tool = defineTool({
      ...base,
      timeoutMs: 5,
      steps,
      run: async (_: object, ctx) => {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        done.push('goes on');
        await ctx.step('pay', () => done.push('paid'));
      },
    });
    const outcome = await createToolbox([tool], { report }).answer({ name: 'pay' });
    expect(outcome.status === 'error' && outcome.error.effect).toBe('none');
    go();
    await vi.waitFor(() => expect(done).toContain('goes on'));
    expect(done).toEqual(['goes on']);
  });
});

test('the effect of a tool that may be repeated is no reason not to', async () => {
  expect(await failureOf(reset, { effects: 'idempotent' })).toEqual(['unknown', 'wait', true]);
  expect(await failureOf(reset, { effects: 'none' })).toEqual(none);
});

test('steps are declared by a tool that writes, and with true only', () => {
  const tool = (extra: object) => () => defineTool({ ...base, ...extra, run: () => 1 });
  expect(tool({ steps: true })).not.toThrow();
  expect(tool({ steps: true, effects: 'writes' })).not.toThrow();
  expect(tool({ steps: true, effects: 'none' })).toThrow("only a tool with effects: 'writes' can have steps");
  expect(tool({ steps: true, effects: 'idempotent' })).toThrow("only a tool with effects: 'writes' can have steps");
  expect(tool({ steps: false })).toThrow("only a tool with effects: 'writes' can have steps: true");
  expect(tool({ steps: 'yes' })).toThrow("only a tool with effects: 'writes' can have steps: true");
});

test('what needs a store is named', () => {
  const tool = (extra: object) => defineTool({ ...base, effects: 'none', ...extra, run: vi.fn(() => 1) });
  expect(() => createToolbox([tool({ cache: { ttlMs: 5 } })])).toThrow('declares cache, which needs a store');
  expect(() => createToolbox([tool({ deferAfterMs: 5 })])).toThrow('declares deferAfterMs, which needs a store');
  expect(() => createToolbox([tool({ approval: true })])).toThrow('declares approval, which needs a store');
  expect(() => createToolbox([tool({ reconcile: () => ({ effect: 'none' }) })])).toThrow('declares reconcile, which needs a store');
  expect(() => createToolbox([tool({ retry: false, approval: false })])).not.toThrow();
  expect(() => tool({ cache: { ttlMs: 0 } })).toThrow('cache: ttlMs must be a number above 0');
  expect(() => tool({ cache: { ttlMs: 5 }, effects: 'writes' })).toThrow("only a tool with effects: 'none' can be cached");
});
