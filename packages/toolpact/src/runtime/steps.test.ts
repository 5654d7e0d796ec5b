import { describe, expect, test } from 'vitest';
import { noTenant, type StepRunContext } from '../contract/index.ts';
import { fail, type Outcome } from '../outcome/index.ts';
import type { GuardedCall } from '../ports/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { defineGuard } from './guards/define-guard.ts';

const report = () => undefined;

function boxOf(run: (ctx: StepRunContext) => unknown, around?: (call: GuardedCall, next: () => Promise<Outcome>) => Promise<Outcome>) {
  const tool = defineTool({ name: 'pay', description: 'Pays.', steps: true, run: (_: object, ctx) => run(ctx) as string });
  const use = around === undefined ? [] : [defineGuard({ name: 'test', phase: 'retry', around })];
  return createToolbox([tool], { report, use });
}

const answer = (run: (ctx: StepRunContext) => unknown, around?: Parameters<typeof boxOf>[1], context = {}) =>
  boxOf(run, around).call('pay', {}, context);

/** Runs the call again as long as it may. */
const again = async (call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await next();
    if (attempt === 3 || call.mayRetry(outcome) === undefined) return outcome;
  }
};
const down = () => {
  throw fail('unreachable', 'The bank is down.');
};

describe('a step', () => {
  test('gives what its function gives', async () => {
    const outcome = await answer(async ({ step }) => (await step('a', () => 1)) + (await step('b', async () => 2)));
    expect(outcome).toMatchObject({ status: 'ok', data: 3 });
  });

  test.each<[string, (ctx: StepRunContext) => unknown, string]>([
    [
      'inside a step',
      ({ step }) => step('a', () => step('b', () => 1)),
      'the step "b" begins inside another step; begin it in `run` itself, after that step has ended',
    ],
    [
      'inside a step after an await',
      ({ step }) =>
        step('a', async () => {
          await Promise.resolve();
          return step('b', () => 1);
        }),
      'the step "b" begins inside another step; begin it in `run` itself, after that step has ended',
    ],
    [
      'of a name that is under way',
      ({ step }) => Promise.all([step('a', async () => 1), step('a', async () => 2)]),
      'the step "a" is still under way; steps that run at once need names of their own, such as `a:',
    ],
    ['without a name', ({ step }) => step('', () => 1), 'a step needs a name: a text that is not empty, not ""'],
    [
      'with half of a character as its name',
      ({ step }) => step('\ud800', () => 1),
      'a step needs a name: a text that is not empty, not "\\ud800"',
    ],
    ['without anything', ({ step }) => step(undefined as never, () => 1), 'a step needs a name: a text that is not empty, not undefined'],
    ['that sleeps', (ctx) => ctx.step('a', () => ctx.sleep(1)), 'ctx.sleep begins inside another step'],
    ['that waits', ({ step, waitFor }) => step('a', () => waitFor('day', {} as never)), 'ctx.waitFor("day") begins inside another step'],
    ['after a sleep of no time', (ctx) => ctx.sleep(Number.NaN), 'ctx.sleep takes a number of milliseconds, at least 0'],
    ['without a function', ({ step }) => step('a', 1 as never), 'the step "a" needs a function'],
    [
      'with an unknown option',
      ({ step }) => step('a', () => 1, { effect: 'none' } as never),
      'the step "a": the option "effect" does not exist',
    ],
    [
      'with unknown effects',
      ({ step }) => step('a', () => 1, { effects: 'some' as never }),
      'effects must be "none", "idempotent" or "writes"',
    ],
  ])('%s is a mistake of the author', async (_, run, message) => {
    const mistakes: unknown[] = [];
    await answer(async (ctx) => {
      try {
        await run(ctx);
      } catch (thrown) {
        mistakes.push(thrown);
      }
    });
    expect(mistakes).toMatchObject([{ name: 'ToolpactError', message: expect.stringContaining(message) }]);
  });

  test('that states options which need a guard says so in a warning where there is none', async () => {
    const outcome = await answer(({ step }) => step('pay', () => 1, { timeoutMs: 5 }));
    expect(outcome.meta.warnings).toEqual([
      'the step "pay" states retry or timeoutMs, which count only in a toolbox with guards or an engine',
    ]);
  });

  test('may run beside others, and again after it has ended', async () => {
    const outcome = await answer(async ({ step }) => {
      const both = await Promise.all([step('a', async () => 1), step('b', async () => 2)]);
      return [...both, await step('a', () => 3)];
    });
    expect(outcome).toMatchObject({ status: 'ok', data: [1, 2, 3] });
  });

  test('of a tool that another step calls belongs to that tool', async () => {
    const inner = defineTool({ name: 'inner', description: 'x', steps: true, run: (_: object, ctx) => ctx.step('a', () => 'done') });
    expect(await answer(({ step }) => step('a', async () => (await inner.call({})).status))).toMatchObject({ data: 'ok' });
  });

  test('has a key of its own, the same in every attempt', async () => {
    const keys: string[] = [];
    const run = async ({ step, attempt }: StepRunContext) => {
      await step('find', (key) => keys.push(key), { effects: 'none' });
      if (attempt > 1) return 'done';
      await step('ship it/now', (key) => {
        keys.push(key);
        throw fail('unreachable', 'x', { effect: 'none' });
      });
    };
    const twice = async ({ step }: StepRunContext) => {
      await step('a', (key) => keys.push(key));
      await step('a', (key) => keys.push(key));
    };
    await answer(run, again, { idempotencyKey: 'k1', tenantId: 't1' });
    await answer(twice, undefined, { invocationId: 'i1' });
    expect(keys).toEqual(['t1/pay/k1/find', 't1/pay/k1/ship%20it%2Fnow', 'pay/i1/a', 'pay/i1/a/2']);
    keys.length = 0;
    for (const idempotencyKey of ['k\ud800', 'k\ufffd', 'k%ud800']) await answer(twice, undefined, { idempotencyKey });
    expect(keys.filter((key) => key.endsWith('/a'))).toEqual(['pay/k%ud800/a', 'pay/k%EF%BF%BD/a', 'pay/k%25ud800/a']);
    // No tenant is the same as the one that stands for none: whoever runs the call again states it.
    keys.length = 0;
    await answer(twice, undefined, { invocationId: 'i1', tenantId: noTenant });
    expect(keys).toEqual(['pay/i1/a', 'pay/i1/a/2']);
  });

  test('does not exist where it was not declared', async () => {
    const tool = defineTool({ name: 'pay', description: 'x', run: (_: object, ctx) => typeof (ctx as { step?: unknown }).step });
    expect(await tool.call({})).toMatchObject({ data: 'undefined' });
  });
});

describe('another attempt', () => {
  test('does not repeat a step that returned', async () => {
    const done: string[] = [];
    const outcome = await answer(async ({ step, attempt }) => {
      const receipt = await step('pay', () => {
        done.push('pay');
        return `receipt ${attempt}`;
      });
      if (attempt < 3) down();
      await step('ship', () => done.push('ship'));
      return receipt;
    }, again);
    expect(outcome).toMatchObject({ status: 'ok', data: 'receipt 1', meta: { attempts: 3 } });
    expect(done).toEqual(['pay', 'ship']);
  });

  test('runs a step again that says it did nothing, and one that may be repeated', async () => {
    const done: string[] = [];
    const outcome = await answer(async ({ step }) => {
      await step('pay', () => {
        done.push('pay');
        if (done.length === 1) throw fail('unreachable', 'x', { effect: 'none' });
      });
      await step(
        'put',
        () => {
          done.push('put');
          if (done.length < 4) down();
        },
        { effects: 'idempotent' },
      );
    }, again);
    expect([outcome.status, done]).toEqual(['ok', ['pay', 'pay', 'put', 'put']]);
  });

  test.each<[string, (ctx: StepRunContext) => unknown]>([
    ['a step broke off', ({ step }) => step('pay', down)],
    ['a step failed after it was applied', ({ step }) => step('pay', () => fail('unreachable', 'x', { effect: 'applied' })).then(down)],
    ['the failure will not pass', ({ step }) => step('pay', () => 1).then(() => fail('not_found', 'x'))],
  ])('is not made where %s', async (_, run) => {
    const outcome = await answer(run, again);
    expect(outcome).toMatchObject({ status: 'error', error: { retryable: false }, meta: { attempts: 1 } });
  });

  test('waits as long as the failure asks', async () => {
    const waits: unknown[] = [];
    await answer(
      async ({ step }) => {
        await step('pay', () => 1);
        throw fail('rate_limited', 'x', { retryAfterMs: 70 });
      },
      async (call, next) => {
        const outcome = await next();
        waits.push(call.mayRetry(outcome));
        return outcome;
      },
    );
    expect(waits).toEqual([{ retryAfterMs: 70 }]);
  });

  test('keeps an effect that is not known, however the step ends then', async () => {
    const outcome = await answer(
      ({ step, attempt }) =>
        step(
          'put',
          () => {
            throw fail('unreachable', 'x', attempt === 1 ? {} : { effect: 'none' });
          },
          { effects: 'idempotent' },
        ),
      again,
    );
    expect(outcome).toMatchObject({ error: { effect: 'unknown' }, meta: { attempts: 3 } });
  });
});

describe('what an attempt leaves behind', () => {
  /** Fails at once, and goes on with other work after a signal. */
  const leaving = (log: string[], later: Promise<unknown>, left: Promise<unknown>[]) => {
    return async ({ step, attempt }: StepRunContext) => {
      if (attempt === 1) {
        left.push(later.then(() => step('charge', () => log.push('late'))));
        return step('reserve', () => {
          throw fail('unreachable', 'The stock is down.', { effect: 'none' });
        });
      }
      return step('charge', (key) => log.push(key));
    };
  };

  test.each([
    ['after its call has ended', undefined],
    ['while the call waits for its next attempt', again],
  ])('begins no step %s', async (_, around) => {
    const log: string[] = [];
    const left: Promise<unknown>[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const guard =
      around &&
      (async (call: GuardedCall, next: () => Promise<Outcome>) => {
        return around(call, async () => {
          const outcome = await next();
          resolve();
          await Promise.allSettled(left);
          return outcome;
        });
      });
    const outcome = await answer(leaving(log, promise, left), guard, { invocationId: 'i1' });
    resolve();
    await expect(left[0]).rejects.toMatchObject({
      name: 'ToolpactError',
      code: 'invalid_step',
      message: 'pay has ended and begins nothing more; wait for each step before `run` returns',
    });
    expect(outcome).toMatchObject(around ? { status: 'ok', meta: { attempts: 2 } } : { error: { effect: 'none', retryable: true } });
    expect(log).toEqual(around ? ['pay/i1/charge'] : []);
  });

  test('begins no step in place of the next attempt, whatever it is still waiting for', async () => {
    const log: string[] = [];
    const held = Promise.withResolvers<void>();
    const left: Promise<unknown>[] = [];
    const outcome = await answer(
      async (ctx) => {
        if (ctx.attempt === 1) {
          left.push(ctx.step('charge', () => log.push('late')));
          throw fail('unreachable', 'x', { effect: 'none' });
        }
        const charged = ctx.step('charge', (key) => log.push(key));
        held.resolve();
        await Promise.allSettled(left);
        await charged;
        return ctx.step('ship', () => 'shipped');
      },
      (call, next) => {
        call.fence((name) => (name === 'charge' && call.attempts === 1 ? held.promise : Promise.resolve()));
        return again(call, next);
      },
      { invocationId: 'i1' },
    );
    expect(outcome).toMatchObject({ status: 'ok', data: 'shipped' });
    expect(log).toEqual(['pay/i1/charge']);
  });

  test.each<[string, (ctx: StepRunContext) => Promise<unknown>]>([
    ['sleep', (ctx) => ctx.sleep(1)],
    ['question', (ctx) => ctx.waitFor('a', {} as never)],
  ])('begins no %s', async (_, begin) => {
    let context: StepRunContext | undefined;
    await answer((ctx) => {
      void ctx.signal;
      context = ctx;
    });
    await expect(begin(context ?? expect.unreachable())).rejects.toThrow('pay has ended');
  });
});

describe('a fence', () => {
  test('is asked before each step that counts, and none begins when it throws', async () => {
    const log: string[] = [];
    const outcome = await answer(
      async ({ step }) => {
        await step('find', () => log.push('find'), { effects: 'none' });
        await step('pay', () => log.push('pay'));
        await step('ship', () => log.push('ship'));
      },
      (call, next) => {
        call.fence(async () => {
          log.push('fence');
          if (log.includes('pay')) throw fail('conflict', 'The claim was lost.', { effect: 'none' });
        });
        return next();
      },
    );
    expect(log).toEqual(['find', 'fence', 'pay', 'fence']);
    expect(outcome).toMatchObject({ error: { kind: 'conflict', effect: 'applied', retryable: false } });
  });
});
