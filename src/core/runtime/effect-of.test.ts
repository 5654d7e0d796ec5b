import { describe, expect, test, vi } from 'vitest';
import type { RunContext } from '../contract/index.ts';
import { fail } from '../outcome/index.ts';
import { defineTool } from './define-tool.ts';
import { createToolbox } from './toolbox.ts';

const report = () => undefined;
const base = { name: 'pay', description: 'Pays.' };

async function failureOf(
  run: (input: object, ctx: RunContext) => unknown,
  effects: 'none' | 'idempotent' | 'writes' = 'writes',
  timeoutMs = 1000,
) {
  const tool = defineTool({ ...base, effects, timeoutMs, run: run as (input: object, ctx: RunContext<unknown>) => unknown });
  const outcome = await createToolbox([tool], { report }).answer({ name: 'pay' });
  return outcome.status === 'error' ? [outcome.error.effect, outcome.error.recovery, outcome.error.retryable] : outcome.status;
}

const broken = (): never => {
  throw fail('unreachable', 'The bank is down.');
};

describe('the effect of a failure', () => {
  test('is not known for a writing tool that says nothing', async () => {
    expect(await failureOf(() => broken())).toEqual(['unknown', 'verify', false]);
  });

  test('is none before the tool says that it begins', async () => {
    const run = (input: { late?: boolean }, ctx: RunContext) => {
      if (input.late !== true) broken();
      ctx.effect.begin();
    };
    expect(await failureOf(run)).toEqual(['none', 'wait', true]);
  });

  test('is not known between begin and commit', async () => {
    const run = (_: object, ctx: RunContext) => {
      ctx.effect.begin();
      broken();
    };
    expect(await failureOf(run)).toEqual(['unknown', 'verify', false]);
  });

  test('is applied after commit, and the call is not to be repeated', async () => {
    const run = (_: object, ctx: RunContext) => {
      ctx.effect.begin();
      ctx.effect.commit();
      broken();
    };
    expect(await failureOf(run)).toEqual(['applied', 'verify', false]);
  });

  test('holds at the deadline too', async () => {
    const before = (input: { late?: boolean }, ctx: RunContext) =>
      input.late === true ? ctx.effect.begin() : new Promise(() => undefined);
    const after = (_: object, ctx: RunContext) => {
      ctx.effect.begin();
      return new Promise(() => undefined);
    };
    expect(await failureOf(before, 'writes', 5)).toEqual(['none', 'wait', true]);
    expect(await failureOf(after, 'writes', 5)).toEqual(['unknown', 'verify', false]);
  });

  test('said to be none at the deadline stays none: a tool that goes on cannot begin any more', async () => {
    let go: () => void = () => undefined;
    const steps: string[] = [];
    const tool = defineTool({
      ...base,
      timeoutMs: 5,
      run: async (_: object, ctx) => {
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        steps.push('goes on');
        ctx.effect.begin();
        steps.push('paid');
      },
    });
    const outcome = await createToolbox([tool], { report }).answer({ name: 'pay' });
    expect(outcome.status === 'error' && outcome.error.effect).toBe('none');
    go();
    await vi.waitFor(() => expect(steps).toContain('goes on'));
    expect(steps).toEqual(['goes on']);
  });

  test('is known where the result cannot be sent after the effect', async () => {
    const run = (_: object, ctx: RunContext) => {
      ctx.effect.begin();
      ctx.effect.commit();
      return Symbol('no JSON');
    };
    expect(await failureOf(run)).toEqual(['applied', 'verify', false]);
  });

  test('of a tool that may be repeated is no reason not to', async () => {
    const run = (_: object, ctx: RunContext) => {
      ctx.effect.begin();
      broken();
    };
    expect(await failureOf(run, 'idempotent')).toEqual(['unknown', 'wait', true]);
    expect(await failureOf(run, 'none')).toEqual(['none', 'wait', true]);
  });

  test('is not known for a tool that marks elsewhere, so that nothing is claimed too early', async () => {
    const mark = (ctx: RunContext) => ctx.effect.commit();
    expect(await failureOf((input: { late?: boolean }, ctx) => (input.late === true ? mark(ctx) : broken()))).toEqual([
      'unknown',
      'verify',
      false,
    ]);
  });
});

test('a promise that needs a guard is told by name', () => {
  const tool = (extra: object) => defineTool({ ...base, effects: 'none', ...extra, run: vi.fn(() => 1) });
  expect(() => createToolbox([tool({ retry: { attempts: 2 } })])).toThrow('declares retry; add the retry guard');
  expect(() => createToolbox([tool({ cache: { ttlMs: 5 } })])).toThrow('declares cache; add the cache guard');
  expect(() => createToolbox([tool({ deferAfterMs: 5 })])).toThrow('declares deferAfterMs; add the defer guard');
  expect(() => createToolbox([tool({ approval: true })])).toThrow('declares approval; add the approvals guard');
  expect(() => createToolbox([tool({ reconcile: () => ({ effect: 'none' }) })])).toThrow('add the idempotency or journal guard');
  expect(() => createToolbox([tool({ retry: false, approval: false })])).not.toThrow();
  expect(() => tool({ cache: { ttlMs: 0 } })).toThrow('cache.ttlMs must be more than 0');
  expect(() => tool({ cache: { ttlMs: 5 }, effects: 'writes' })).toThrow("only a tool with effects: 'none' can be cached");
});
