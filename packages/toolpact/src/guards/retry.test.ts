import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { takes } from '../../../../proofs/fixtures/skip-time.ts';
import type { RetryRule } from '../contract/index.ts';
import type { ToolpactEvent } from '../events/index.ts';
import { fail, type Outcome, partial, pending } from '../outcome/index.ts';
import type { Guard } from '../ports/index.ts';
import { defineGuard, defineTool } from '../runtime/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/index.ts';
import { retry } from './retry.ts';

// One clock for the whole file: the deadlines of all calls share it.
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

const silent: ToolboxOptions = { report: () => undefined };

/** A tool that fails as told, one failure per attempt, and then succeeds. */
function flaky(failures: readonly unknown[], definition: object = {}) {
  let runs = 0;
  const tool = defineTool({
    name: 'flaky',
    description: 'x',
    effects: 'none',
    input: z.object({}),
    ...definition,
    run: () => {
      runs += 1;
      const failure = failures[runs - 1];
      if (failure !== undefined) throw failure;
      return 'fine';
    },
  });
  return { tool, runs: () => runs };
}

const upstream = (options = {}) => fail('upstream', 'Down.', options);
/** A toolbox whose tools declare a rule, unless they state one themselves. `drawn` is what all pauses are drawn as. */
const retrying = (rule: RetryRule, drawn = 0): ToolboxOptions => ({
  ...silent,
  declare: (tool) => ({ retry: tool.retry ?? rule }),
  use: [retry(() => drawn)],
});
const box = (tool: ReturnType<typeof flaky>['tool'], rule: RetryRule = {}, more: ToolboxOptions = {}) =>
  createToolbox([tool], { ...retrying(rule), ...more });

/** Lets a call come to its end, however long it waits. */
async function ended(call: Promise<Outcome>): Promise<{ outcome: Outcome; waitedMs: number }> {
  const from = Date.now();
  let waitedMs = 0;
  const watched = call.then((outcome) => {
    waitedMs = Date.now() - from;
    return outcome;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return { outcome: await watched, waitedMs };
}

describe('by class', () => {
  test.each([
    ['a failure that may pass', {}, [upstream()], 2, 'ok'],
    ['a thrown error of a library that may pass', {}, [Object.assign(new Error('x'), { code: 'ECONNREFUSED' })], 2, 'ok'],
    ['a failure that will not pass', {}, [fail('not_found', 'Gone.')], 1, 'error'],
    ['a failure whose author says that it may pass', {}, [fail('conflict', 'Busy.', { retryable: true })], 2, 'ok'],
    ['a failure whose author says that it will not', {}, [upstream({ retryable: false })], 1, 'error'],
    ['a bug', {}, [new TypeError('x is undefined')], 1, 'error'],
    ['a writing tool whose effect is not known', { effects: 'writes' }, [upstream()], 1, 'error'],
    ['a writing tool that had not begun', { effects: 'writes' }, [upstream({ effect: 'none' })], 2, 'ok'],
    [
      'a writing tool whose service refused it for a while',
      { effects: 'writes' },
      [Object.assign(new Error('x'), { status: 429 })],
      2,
      'ok',
    ],
    ['a writing tool that is limited in words alone', { effects: 'writes' }, [new Error('The service answered with HTTP 429')], 1, 'error'],
    [
      'a writing tool that never reached its service',
      { effects: 'writes' },
      [Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
      2,
      'ok',
    ],
    ['a writing tool that failed in words of its own', { effects: 'writes' }, [new Error('The lid is open.')], 1, 'error'],
    [
      'a tool that declares nothing and failed in words of its own',
      { effects: undefined },
      [fail('failed', 'x', { retryable: true })],
      1,
      'error',
    ],
    ['a tool that may be repeated without harm', { effects: 'idempotent' }, [upstream()], 2, 'ok'],
    ['a tool that keeps the guard away', { retry: false }, [upstream()], 1, 'error'],
  ])('%s', async (_, definition, failures, runs, status) => {
    const { tool, runs: ran } = flaky(failures, definition);
    const { outcome } = await ended(box(tool).call('flaky', {}));
    expect(outcome).toMatchObject({ status, meta: { attempts: runs } });
    expect(ran()).toBe(runs);
  });

  test('a writing tool with a key is tried again', async () => {
    const { tool } = flaky([upstream()], { effects: 'writes' });
    const keyed: Guard = defineGuard({
      name: 'keyed',
      phase: 'key',
      around: (call, next) => {
        call.useKey('k');
        return next();
      },
    });
    const toolbox = createToolbox([tool], { ...retrying({}), use: [retry(() => 0), keyed] });
    expect((await ended(toolbox.call('flaky', {}))).outcome).toMatchObject({ status: 'ok', meta: { attempts: 2 } });
  });

  test('a partial result is not tried again', async () => {
    let runs = 0;
    const some = defineTool({
      name: 'some',
      description: 'x',
      effects: 'none',
      run: () => {
        runs += 1;
        return partial([1], [{ index: 1, error: upstream() }]);
      },
    });
    const toolbox = createToolbox([some], retrying({}));
    expect((await ended(toolbox.call('some', {}))).outcome).toMatchObject({ status: 'partial', meta: { attempts: 1 } });
    expect(runs).toBe(1);
  });
});

describe('how often', () => {
  const down = [1, 2, 3, 4, 5, 6].map(() => upstream());

  test.each([
    ['three times by default', {}, {}, 3],
    ['as often as is declared for the tool', { attempts: 5 }, {}, 5],
    ['as often as the tool says', {}, { retry: { attempts: 2 } }, 2],
    ['three times where the tool only says how soon', {}, { retry: { baseMs: 1 } }, 3],
    ['once where the tool says that nobody may', { attempts: 5 }, { retry: false }, 1],
  ])('%s', async (_, options, definition, attempts) => {
    const { tool, runs } = flaky(down, definition);
    const { outcome } = await ended(box(tool, options).call('flaky', {}));
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'upstream' }, meta: { attempts } });
    expect(runs()).toBe(attempts);
    if (attempts > 1) expect(outcome).toMatchObject({ error: { attempt: attempts } });
  });

  test('every attempt is an event, under one call', async () => {
    const events: ToolpactEvent[] = [];
    const { tool } = flaky([upstream(), upstream()]);
    await ended(box(tool, {}, { events: { emit: (event) => void events.push(event) } }).call('flaky', {}));
    expect(events.map((event) => [event.type, 'attempt' in event ? [event.attempt, event.status] : undefined])).toEqual([
      ['call-start', undefined],
      ['attempt-end', [1, 'error']],
      ['attempt-end', [2, 'error']],
      ['attempt-end', [3, 'ok']],
      ['call-end', undefined],
    ]);
    expect(new Set(events.map((event) => 'call' in event && event.call)).size).toBe(1);
  });
});

describe('how soon', () => {
  test.each([
    ['the longest pause doubles', 1, { attempts: 5, baseMs: 100 }, 100 + 200 + 400 + 800],
    ['up to a limit', 1, { attempts: 5, baseMs: 100, maxMs: 250 }, 100 + 200 + 250 + 250],
    ['each is drawn between 0 and that', 0.5, { attempts: 3, baseMs: 100 }, 50 + 100],
    ['and may be none at all', 0, { attempts: 5, baseMs: 100 }, 0],
  ])('%s', async (_, drawn, options, waitedMs) => {
    const { tool } = flaky([1, 2, 3, 4, 5].map(() => upstream()));
    expect((await ended(createToolbox([tool], retrying(options, drawn)).call('flaky', {}))).waitedMs).toBe(waitedMs);
  });

  test('what the other side asks for is the pause, not more and not less', async () => {
    const { tool } = flaky([fail('rate_limited', 'Slow down.', { retryAfterMs: 12_345 })]);
    const { outcome, waitedMs } = await ended(box(tool, { maxMs: 10 }).call('flaky', {}));
    expect(outcome).toMatchObject({ status: 'ok', meta: { attempts: 2 } });
    expect(waitedMs).toBe(12_345);
  });

  test('a wait that does not fit into the time left is not begun, and the outcome says why', async () => {
    const { tool } = flaky([fail('rate_limited', 'Slow down.', { retryAfterMs: 8000 })]);
    const { outcome, waitedMs } = await ended(box(tool).call('flaky', {}, { timeoutMs: 5000 }));
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'rate_limited', retryAfterMs: 8000, retryable: true },
      meta: { attempts: 1, warnings: ['not tried again: a wait of 8000 ms does not fit into the 5000 ms left'] },
    });
    expect(waitedMs).toBe(0);
  });

  test('a wait that no timer can hold is not begun either', async () => {
    const { tool, runs } = flaky([fail('rate_limited', 'Slow down.', { retryAfterMs: 2 ** 33 })], { timeoutMs: Number.POSITIVE_INFINITY });
    const toolbox = createToolbox([tool], retrying({}));
    expect((await ended(toolbox.call('flaky', {}))).outcome).toMatchObject({ status: 'error', meta: { attempts: 1 } });
    expect(runs()).toBe(1);
  });
});

describe('while it waits', () => {
  test('the deadline ends the call', async () => {
    // The first wait fits; together with the second they do not, and the tool answers too late.
    const slow = defineTool({
      name: 'slow',
      description: 'x',
      effects: 'none',
      run: async () => {
        await takes(400);
        return upstream();
      },
    });
    const toolbox = createToolbox([slow], retrying({ attempts: 10, baseMs: 400, maxMs: 400 }, 0.99));
    const { outcome, waitedMs } = await ended(toolbox.call('slow', {}, { timeoutMs: 1000 }));
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'timeout' }, meta: { attempts: 2 } });
    expect(waitedMs).toBe(1000);
  });

  test('its caller ends the call at once, and nothing runs after that', async () => {
    const { tool, runs } = flaky([fail('rate_limited', 'Slow down.', { retryAfterMs: 5000 })]);
    const stop = new AbortController();
    void takes(1000).then(() => stop.abort());
    const { outcome, waitedMs } = await ended(box(tool).call('flaky', {}, { signal: stop.signal }));
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'cancelled' }, meta: { attempts: 1 } });
    expect(waitedMs).toBe(1000);
    expect(runs()).toBe(1);
  });

  test('its caller stops a later attempt while it runs', async () => {
    const seen: boolean[] = [];
    const tool = defineTool({
      name: 'flaky',
      description: 'x',
      effects: 'none',
      run: (_, { signal }) => {
        seen.push(signal.aborted);
        if (seen.length === 1) throw upstream();
        return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const stop = new AbortController();
    void takes(30_000).then(() => stop.abort());
    const toolbox = createToolbox([tool], retrying({}));
    const { outcome, waitedMs } = await ended(toolbox.call('flaky', {}, { signal: stop.signal, timeoutMs: 50_000 }));
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'cancelled' }, meta: { attempts: 2 } });
    expect([seen, waitedMs]).toEqual([[false, false], 30_000]);
  });

  test('a thousand calls wait without holding each other up', async () => {
    let runs = 0;
    const busy = defineTool({
      name: 'busy',
      description: 'x',
      effects: 'none',
      run: (_input, { attempt }) => {
        runs += 1;
        return attempt < 3 ? upstream() : attempt;
      },
    });
    const toolbox = createToolbox([busy], retrying({}, 0.5));
    const calls = Promise.all(Array.from({ length: 1000 }, () => toolbox.call('busy', {})));
    await vi.advanceTimersByTimeAsync(1000);
    const outcomes = await calls;
    expect(outcomes.every((outcome) => outcome.status === 'ok' && outcome.meta.attempts === 3)).toBe(true);
    expect(runs).toBe(3000);
  });
});

describe('mistakes', () => {
  test.each([
    [{ attempts: 0 }, /^what is declared for "flaky": retry: attempts must be a whole number from 1$/],
    [{ attempts: 1.5 }, /attempts must be/],
    [{ baseMs: -1 }, /retry: baseMs must be a number from 0$/],
    [{ maxMs: Number.NaN }, /maxMs must be/],
  ])('%j are reported at once', (rule, message) => {
    expect(() => box(flaky([]).tool, rule)).toThrow(message);
  });

  test.each([
    [{ attempts: Number.NaN }, 'tool "flaky": retry: attempts must be a whole number from 1'],
    [{ attempt: 2 }, 'tool "flaky": retry: the option "attempt" does not exist. Did you mean "attempts"?'],
    [5, 'tool "flaky": retry: options must be an object'],
  ])('%j of a tool are reported when it is defined', (rule, message) => {
    expect(() => flaky([], { retry: rule as never })).toThrow(message);
  });

  test('a tool that declares retry needs no guard', async () => {
    const { tool } = flaky([], { retry: { attempts: 2 } });
    expect(() => createToolbox([tool])).not.toThrow();
  });
});

describe('a payment whose request breaks off', () => {
  const reset = (): never => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  const base = { name: 'pay', description: 'Pays.', retry: { attempts: 3, baseMs: 0 } };
  const paymentsOf = async (make: (paid: string[]) => Parameters<typeof createToolbox>[0][number]) => {
    const paid: string[] = [];
    const outcome = await createToolbox([make(paid)], { report: () => undefined }).answer({ name: 'pay' });
    return [paid.length, outcome.status === 'error' ? outcome.error.effect : outcome.status];
  };

  test('is sent once by a tool that declares nothing, whatever its comments say', async () => {
    const payments = await paymentsOf((paid) =>
      defineTool({
        ...base,
        run: () => {
          // ctx.effect.begin(); ctx.step('pay', …)
          paid.push('sent');
          reset();
        },
      }),
    );
    expect(payments).toEqual([1, 'unknown']);
  });

  test('is sent once by a tool with steps', async () => {
    const payments = await paymentsOf((paid) =>
      defineTool({
        ...base,
        steps: true,
        run: (_, { step }) =>
          step('pay', () => {
            paid.push('sent');
            reset();
          }),
      }),
    );
    expect(payments).toEqual([1, 'unknown']);
  });

  test('is sent once, and what follows is tried again, where the request came through', async () => {
    const payments = await paymentsOf((paid) =>
      defineTool({
        ...base,
        steps: true,
        run: async (_, { step, attempt }) => {
          await step('pay', () => paid.push('sent'));
          return attempt < 3 ? reset() : 'paid';
        },
      }),
    );
    expect(payments).toEqual([1, 'ok']);
  });

  test('is tried again where it broke before the step', async () => {
    const payments = await paymentsOf((paid) =>
      defineTool({
        ...base,
        steps: true,
        run: async (_, { step, attempt }) => {
          if (attempt < 3) reset();
          await step('pay', () => paid.push('sent'));
        },
      }),
    );
    expect(payments).toEqual([1, 'ok']);
  });
});

test('a call that answers pending after a retry took the time of all its attempts', async () => {
  let runs = 0;
  const tool = defineTool({
    name: 'flaky',
    description: 'x',
    effects: 'none',
    input: z.object({}),
    run: () => {
      runs += 1;
      return runs === 1 ? fail('upstream', 'Down.', { retryAfterMs: 4000 }) : pending({ handle: 'h', reason: 'running' });
    },
  });
  const { outcome } = await ended(box(tool as never).call('flaky', {}));
  expect(outcome).toMatchObject({ status: 'pending', meta: { attempts: 2 } });
  expect(outcome.meta.tookMs).toBeGreaterThanOrEqual(4000);
});
