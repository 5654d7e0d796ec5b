import { describe, expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import type { CallContext, StandardSchemaV1, StepRunContext } from '../contract/index.ts';
import { fail, type Outcome, type Pending } from '../outcome/index.ts';
import type { CallMemory, GuardedCall, StepEntry } from '../ports/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { defineGuard } from './guards/define-guard.ts';
import { fromStepRecord, type StepRecord, toQuestion, toStepRecord } from './step-record.ts';

skipTime();

/** Remembers in a map, as JSON, what a store or an engine would keep. */
function memoryOf(records: Map<string, string> = new Map(), more: Partial<CallMemory> = {}): CallMemory {
  return {
    async step(entry, execute) {
      const known = records.get(entry.id);
      const record = known === undefined ? toStepRecord(entry, await execute()) : (JSON.parse(known) as StepRecord);
      records.set(entry.id, JSON.stringify(record));
      return fromStepRecord(record) ?? expect.unreachable();
    },
    sleep: async () => undefined,
    waitFor: async () => ({ answer: undefined }),
    ...more,
  };
}

function call(
  run: (ctx: StepRunContext) => unknown,
  memory?: CallMemory,
  definition: object = {},
  context: CallContext = {},
): Promise<Outcome> {
  const tool = defineTool({ name: 'order', description: 'x', steps: true, ...definition, run: (_: object, ctx) => run(ctx) as string });
  const around = (guarded: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> => {
    if (memory !== undefined) guarded.remember(memory);
    return next();
  };
  const box = createToolbox([tool], { report: () => undefined, use: [defineGuard({ name: 'memory', phase: 'run', around })] });
  return box.call('order', {}, { invocationId: 'i1', ...context });
}

describe('with a memory', () => {
  test('a recorded step is not run again, and counts as what it did', async () => {
    const records = new Map<string, string>();
    const done: string[] = [];
    const run = async ({ step }: StepRunContext) => {
      const paid = await step('pay', () => ({ at: new Date(done.push('pay')) }));
      if (done.length < 2) {
        done.push('crash');
        throw fail('internal', 'x');
      }
      return paid;
    };
    expect(await call(run, memoryOf(records))).toMatchObject({ error: { effect: 'applied' } });
    expect(await call(run, memoryOf(records))).toMatchObject({ status: 'ok', data: { at: '1970-01-01T00:00:00.001Z' } });
    expect(done).toEqual(['pay', 'crash']);
    const failing = await call(async ({ step }) => step('pay', () => 1).then(() => fail('internal', 'x')), memoryOf(records));
    expect(failing).toMatchObject({ error: { effect: 'applied' } });
  });

  test('a recorded failure is thrown again as it was', async () => {
    const records = new Map<string, string>();
    const run = ({ step }: StepRunContext) =>
      step('pay', () => {
        throw fail('rate_limited', 'Too many.', { retryAfterMs: 70, effect: 'none', data: { left: 0 } });
      });
    const first = await call(run, memoryOf(records));
    const second = await call(({ step }) => step('pay', () => 'another'), memoryOf(records));
    expect(first).toMatchObject({ error: { kind: 'rate_limited', message: 'Too many.', retryAfterMs: 70 }, data: { left: 0 } });
    expect({ ...second, meta: 0 }).toEqual({ ...first, meta: 0 });
  });

  test('a failure that was returned is returned again', async () => {
    const records = new Map<string, string>();
    const run = async ({ step }: StepRunContext) => ((await step('pay', () => fail('not_found', 'x'))) as { kind: string }).kind;
    expect([await call(run, memoryOf(records)), await call(run, memoryOf(records))]).toMatchObject([
      { data: 'not_found' },
      { data: 'not_found' },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['too large', 'x'.repeat(300_000), 'it has more than 262144 characters'],
    ['no JSON', { deep: Symbol('x') }, 'functions or symbols'],
  ])('a result that is %s is invalid output of its step', async (_, value, why) => {
    const outcome = await call(({ step }) => step('pay', () => value), memoryOf(), { maxResultChars: 100 });
    expect(outcome).toMatchObject({ error: { kind: 'invalid_output', effect: 'applied', details: { step: 'pay' } } });
    expect(outcome.status === 'error' && outcome.error.message).toContain(why);
  });

  test('a step that an earlier run recorded and this one leaves out is a conflict', async () => {
    const outcome = await call(({ step }) => step('a', () => 1), memoryOf(new Map(), { unasked: () => 'charge', effect: () => 'applied' }));
    expect(outcome).toMatchObject({ error: { kind: 'conflict', effect: 'applied', message: expect.stringContaining('"charge"') } });
  });

  test('keys are made from the name that the call has in all its runs', async () => {
    const outcome = await call(({ step }) => step('a', (key) => key), memoryOf(new Map(), { callName: 'first' }));
    expect(outcome).toMatchObject({ data: 'order/first/a' });
  });

  test('the memory gets what it needs to decide about a step', async () => {
    const entries: StepEntry[] = [];
    const step: CallMemory['step'] = (entry, execute) => {
      entries.push(entry);
      return execute();
    };
    await call(
      ({ step }) => step('a', () => 1, { effects: 'idempotent', reconcile: () => ({ effect: 'none' }) }),
      memoryOf(new Map(), { step }),
    );
    expect(entries).toMatchObject([{ id: '1:a', name: 'a', occurrence: 1, effects: 'idempotent', key: 'order/i1/a', maxChars: 262_144 }]);
    expect(await entries[0]?.reconcile?.()).toEqual({ effect: 'none' });
  });

  test('a call inside a step has no part in the memory of the outer one', async () => {
    const records = new Map<string, string>();
    const inner = defineTool({ name: 'inner', description: 'x', steps: true, run: (_: object, ctx) => ctx.step('in', () => 'done') });
    await call((ctx) => ctx.step('out', async () => (await inner.call({}, ctx as never)).status), memoryOf(records));
    expect([...records.keys()]).toEqual(['1:out']);
  });
});

const answerOf: StandardSchemaV1<{ readonly yes: boolean }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      (value as { yes?: unknown })?.yes === undefined ? { issues: [{ message: 'yes is missing' }] } : { value: value as never },
  },
};
const question: Pending = { handle: 'h1', reason: 'input' };
const slept: Pending = { handle: 'h1', reason: 'running' };

describe('a call that sleeps or waits', () => {
  test('answers pending where its memory says so, once nothing is under way', async () => {
    const done: string[] = [];
    const memory = memoryOf(new Map(), { sleep: async () => slept, waitFor: async () => question });
    const outcome = await call(async ({ step, sleep, waitFor }) => {
      const slow = step('slow', async () => {
        await Promise.resolve();
        done.push('slow');
      });
      await Promise.all([slow, waitFor('ok', answerOf), sleep(60_000), sleep(60_000)]);
      done.push('never');
    }, memory);
    expect(outcome).toMatchObject({ status: 'pending', pending: question });
    expect(done).toEqual(['slow']);
  });

  test('goes on with the answer', async () => {
    const memory = memoryOf(new Map(), {
      async waitFor(id, asked) {
        const { check, message } = toQuestion(asked);
        expect([id, message, await check({})]).toEqual(['1:~wait:ok', 'Allow it?', { problem: 'yes is missing' }]);
        return (await check({ yes: true })) as { answer: unknown };
      },
    });
    const outcome = await call(async ({ waitFor }) => (await waitFor('ok', answerOf, { message: 'Allow it?' })).yes, memory);
    expect(outcome).toMatchObject({ status: 'ok', data: true });
  });

  test('waits within its deadline where nothing is remembered, and cannot ask', async () => {
    const startedAt = performance.now();
    expect(await call(({ sleep }) => sleep(300).then(() => 'up'))).toMatchObject({ data: 'up' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(300);
    expect(await call(({ sleep }) => sleep(300), undefined, { timeoutMs: 50 })).toMatchObject({ error: { kind: 'timeout' } });
    expect(await call(({ waitFor }) => waitFor('ok', answerOf))).toMatchObject({ error: { kind: 'not_configured', effect: 'none' } });
    expect(await call(({ sleep }) => sleep(Number.NaN), memoryOf())).toMatchObject({
      error: { message: expect.stringContaining('a number of milliseconds') },
    });
  });
});

describe('the options of a step', () => {
  test('a step ends after its own time, and its signal fires', async () => {
    let reason: unknown;
    const outcome = await call(({ step }) =>
      step('slow', (_, signal) => new Promise(() => signal.addEventListener('abort', () => (reason = signal.reason))), { timeoutMs: 40 }),
    );
    expect(outcome).toMatchObject({
      error: { kind: 'timeout', message: 'The step "slow" did not finish within 40 ms.', effect: 'unknown' },
    });
    expect(reason).toMatchObject({ kind: 'timeout' });
  });

  test.each<[string, object, object, number]>([
    ['one without effects is', { effects: 'none' }, {}, 3],
    ['an idempotent one is', { effects: 'idempotent' }, {}, 3],
    ['one that says it did nothing is', {}, { effect: 'none' }, 3],
    ['one that may have written is not', {}, {}, 1],
    ['one without a rule is not', { effects: 'none', retry: undefined }, {}, 1],
    ['one whose pause outlives the call is not', { effects: 'none' }, { retryAfterMs: 60_000 }, 1],
  ])('%s tried again', async (_, options, said, times) => {
    let tries = 0;
    const outcome = await call(({ step }) =>
      step(
        'ship',
        () => {
          tries += 1;
          throw fail('unreachable', 'x', said);
        },
        { retry: { attempts: 3 }, ...options },
      ),
    );
    expect([outcome.status, tries]).toEqual(['error', times]);
  });

  test('a step of a call that is stopped between two tries is not tried again', async () => {
    const stop = new AbortController();
    let tries = 0;
    const outcome = await call(
      ({ step }) =>
        step(
          'ship',
          () => {
            tries += 1;
            setImmediate(() => stop.abort());
            throw fail('unreachable', 'x', { effect: 'none', retryAfterMs: 5000 });
          },
          { retry: { attempts: 3 } },
        ),
      undefined,
      {},
      { signal: stop.signal },
    );
    expect(outcome).toMatchObject({ error: { kind: 'cancelled' } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(tries).toBe(1);
  });

  test('a step that succeeds later gives its result', async () => {
    let tries = 0;
    const run = () => {
      tries += 1;
      if (tries < 3) throw fail('unreachable', 'x');
      return tries;
    };
    expect(await call(({ step }) => step('ship', run, { effects: 'idempotent', retry: {} }))).toMatchObject({ data: 3 });
  });
});
