import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { skipTime, takes } from '../../../../proofs/fixtures/skip-time.ts';
import { fail, type Outcome, ok, partial, pending, ToolFailure } from '../outcome/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';

skipTime();

const silent: ToolboxOptions = { report: () => undefined };
const tool = <T>(
  run: (input: Record<string, never>, context: Parameters<Parameters<typeof defineTool>[0]['run']>[1]) => T,
  more: object = {},
) => createToolbox([defineTool({ name: 'act', description: 'Acts.', input: z.looseObject({}), run, ...more } as never)], silent);
const act = (run: Parameters<typeof tool>[0], more: object = {}, args: unknown = {}, context = {}): Promise<Outcome> =>
  tool(run, more).answer({ name: 'act', args }, context);

describe('what a handler gives', () => {
  test('returning a failure and throwing it are the same', async () => {
    const made = () => fail('conflict', 'Taken.', { code: 'taken', data: { by: 'x' } });
    const returned = await act(() => made());
    const thrown = await act(() => {
      throw made();
    });
    for (const outcome of [returned, thrown]) {
      expect(outcome).toMatchObject({ status: 'error', data: { by: 'x' }, error: { kind: 'conflict', code: 'taken', message: 'Taken.' } });
    }
  });

  test('a returned Error is a failure too', async () => {
    expect(await act(() => new RangeError('off'))).toMatchObject({ status: 'error', error: { cause: 'RangeError' } });
  });

  test('ok carries facts into the outcome', async () => {
    const options = {
      message: 'One found.',
      tokenUsage: { prompt: 3, bad: -1 },
      sourceCounts: { web: 1 },
      routing: { index: 'a' },
      warnings: ['old data'],
      cacheHit: true,
      empty: true,
    };
    expect(await act(() => ok([1], options))).toMatchObject({
      status: 'ok',
      data: [1],
      message: 'One found.',
      meta: {
        tokenUsage: { prompt: 3 },
        sourceCounts: { web: 1 },
        routing: { index: 'a' },
        cacheHit: true,
        warnings: ['old data', 'nothing was found', expect.stringContaining('tokenUsage')],
      },
    });
  });

  test('partial says which items failed', async () => {
    const outcome = await act(() =>
      partial(['a'], [{ index: 1, id: 'b', error: Object.assign(new Error('gone'), { status: 404 }) }], { total: 2 }),
    );
    expect(outcome).toMatchObject({
      status: 'partial',
      data: ['a'],
      total: 2,
      failures: [{ index: 1, id: 'b', error: { kind: 'not_found' } }],
    });
  });

  test('pending is passed on', async () => {
    const outcome = await act(() => pending({ handle: 'h-1', reason: 'running', pollAfterMs: 500 }, { message: 'Started.' }));
    expect(outcome).toMatchObject({ status: 'pending', pending: { handle: 'h-1', reason: 'running' }, message: 'Started.' });
  });

  test('an explicit error type is kept, and foreign ones are honoured', async () => {
    const ours = await act(() => Promise.reject(fail('timeout', 'No answer.', { errorType: 'timeout' })));
    expect(ours).toMatchObject({ status: 'error', error: { kind: 'timeout', errorType: 'timeout', message: 'No answer.' } });
    const theirs = await act(() => Promise.reject(Object.assign(new Error('x'), { error_type: '404' })));
    expect(theirs).toMatchObject({ status: 'error', error: { kind: 'not_found', errorType: '404' } });
  });

  test('toModel writes what the model reads, and its failure is only a warning', async () => {
    const shown = await act(() => ({ celsius: 21 }), { toModel: (data: { celsius: number }) => `${data.celsius} degrees` });
    expect(shown).toMatchObject({ status: 'ok', content: [{ type: 'text', text: '21 degrees' }] });
    const broken = await act(() => 1, {
      toModel: () => {
        throw new Error('x');
      },
    });
    expect(broken).toMatchObject({
      status: 'ok',
      data: 1,
      meta: {
        warnings: [
          'toModel failed or gave content that is not a list of text, image, audio and resource blocks; the model reads the data as JSON',
        ],
      },
    });
  });

  test('an output schema is applied: unknown keys go, wrong values fail', async () => {
    const output = z.object({ id: z.number() });
    expect(await act(() => ({ id: 1, secret: 'x' }), { output })).toMatchObject({ status: 'ok', data: { id: 1 } });
    const [good] = [await act(() => ({ id: 1, secret: 'x' }), { output })];
    expect(good).not.toHaveProperty('data.secret');
  });

  test('schemas that check asynchronously work on both sides', async () => {
    const later = z.object({ id: z.number() }).refine(async ({ id }) => id < 10, 'too high');
    expect(await act(() => ({ id: 1 }), { input: later, output: later }, { id: 2 })).toMatchObject({ status: 'ok', data: { id: 1 } });
    expect(await act(() => ({ id: 1 }), { input: later }, { id: 20 })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
    expect(await act(() => ({ id: 20 }), { output: later })).toMatchObject({ status: 'error', error: { kind: 'invalid_output' } });
  });

  test('a schema that throws is a failure like any other', async () => {
    const throwing = {
      '~standard': {
        version: 1,
        vendor: 'x',
        validate: () => {
          throw new Error('kaboom');
        },
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) },
      },
    };
    expect(await act(() => 1, { input: throwing })).toMatchObject({ status: 'error', error: { kind: 'failed', effect: 'none' } });
    expect(await act(() => 1, { output: throwing })).toMatchObject({ status: 'error', error: { kind: 'failed' } });
  });
});

describe('failures', () => {
  test.each([
    ['none', { kind: 'upstream', effect: 'none', retryable: true, recovery: 'wait' }],
    ['idempotent', { kind: 'upstream', effect: 'unknown', retryable: true, recovery: 'wait' }],
    ['writes', { kind: 'upstream', effect: 'unknown', retryable: false, recovery: 'verify' }],
    [undefined, { kind: 'upstream', effect: 'unknown', retryable: false, recovery: 'verify' }],
  ])('inside a tool with effects %s state the effect and whether to repeat', async (effects, error) => {
    const outcome = await act(
      () => Promise.reject(Object.assign(new Error('down'), { status: 503 })),
      effects === undefined ? {} : { effects },
    );
    expect(outcome).toMatchObject({ status: 'error', error });
  });

  test('the advice about a call that may have landed says to check first', async () => {
    const outcome = await act(() => Promise.reject(Object.assign(new Error('down'), { status: 503 })), { effects: 'writes' });
    expect(outcome).toMatchObject({ error: { advice: 'It may have taken effect; check before repeating it.' } });
    expect(outcome).not.toMatchObject({ error: { message: expect.stringMatching(/[Tt]ry again/) } });
  });

  test('the tool itself knows its effect best', async () => {
    const outcome = await act(() => fail('upstream', 'Not sent.', { effect: 'none' }), { effects: 'writes' });
    expect(outcome).toMatchObject({ error: { effect: 'none', retryable: true, recovery: 'wait' } });
  });

  test('declared codes are typed and mapped; undeclared ones are kept apart', async () => {
    const failures = { insufficient_funds: 'conflict' } as const;
    const declared = await act((_input, { fail }) => fail('insufficient_funds' as never, 'Too little.'), { failures });
    expect(declared).toMatchObject({ error: { kind: 'conflict', code: 'insufficient_funds' } });
    const other = await act(() => fail('conflict', 'x', { code: 'surprise' }), { failures });
    expect(other).toMatchObject({
      error: { kind: 'conflict', details: { undeclaredCode: 'surprise' } },
      meta: { warnings: [expect.stringContaining('"surprise" is not declared')] },
    });
    expect(other).not.toHaveProperty('error.code');
    expect(await act((_input, { fail }) => fail('insufficient_fund' as never, 'x'), { failures })).toMatchObject({
      error: { kind: 'internal' },
      meta: { warnings: [expect.stringMatching(/"insufficient_fund" is neither .*; did you mean "insufficient_funds"\?$/)] },
    });
    expect(await act(() => fail('cancelled', 'x', { code: 'skipped' }), { failures })).toMatchObject({ error: { code: 'skipped' } });
  });

  test('the fallback is kept apart from data, fresh for every call, and its failure is a warning', async () => {
    const onFailure = { results: [] as unknown[] };
    const outcome = await act(() => fail('upstream', 'x'), { onFailure });
    expect(outcome).toMatchObject({ status: 'error', fallback: { results: [] } });
    expect(outcome).not.toHaveProperty('data');
    expect((outcome as { fallback: unknown }).fallback).not.toBe(onFailure);
    const made = await act(() => fail('upstream', 'x'), { onFailure: (input: { q?: number }) => ({ q: input.q }) }, { q: 1 });
    expect(made).toMatchObject({ fallback: { q: 1 } });
    const broken = await act(() => fail('upstream', 'x'), {
      onFailure: () => {
        throw new Error('y');
      },
    });
    expect(broken).toMatchObject({
      status: 'error',
      meta: { warnings: ['onFailure threw, or gave a value that breaks the output schema; there is no fallback'] },
    });
  });

  test('with expose authored only what the author wrote is shown', async () => {
    const quiet = createToolbox(
      [defineTool({ name: 'act', description: 'Acts.', effects: 'none', run: () => Promise.reject(new Error('internal detail')) })],
      { ...silent, expose: 'authored' },
    );
    const outcome = await quiet.answer({ name: 'act' });
    expect(JSON.stringify(outcome)).not.toContain('internal detail');
    const authored = createToolbox(
      [defineTool({ name: 'act', description: 'Acts.', effects: 'none', run: () => fail('conflict', 'Written by hand.') })],
      { ...silent, expose: 'authored' },
    );
    expect(await authored.answer({ name: 'act' })).toMatchObject({ error: { message: 'Written by hand.' } });
  });

  test('a failure made by another copy of the package is recognised', async () => {
    vi.resetModules();
    const copy = (await import('../outcome/index.ts')) as { fail: typeof fail; ToolFailure: typeof ToolFailure };
    expect(copy.ToolFailure).not.toBe(ToolFailure);
    expect(
      await act(() => {
        throw copy.fail('not_found', 'From the other copy.');
      }),
    ).toMatchObject({ error: { kind: 'not_found', message: 'From the other copy.' } });
  });
});

describe('arguments', () => {
  test.each([
    ['none', { status: 'ok', data: { a: 1 }, meta: { warnings: ['the arguments were repaired: trailing comma'] } }],
    ['writes', { status: 'error', error: { kind: 'invalid_input', details: { position: 8 }, effect: 'none' } }],
  ])('malformed JSON is repaired only for a tool with effects none (%s)', async (effects, expected) => {
    expect(await act((input) => input, { effects }, '{"a": 1,}')).toMatchObject(expected);
  });

  test('cut-off arguments are never guessed', async () => {
    expect(await act((input) => input, { effects: 'none' }, '{"a": "b')).toMatchObject({
      error: {
        kind: 'invalid_input',
        code: 'arguments_truncated',
        message: expect.stringMatching(/^The arguments were cut off after \d+ characters\.$/),
        advice: 'Send one complete JSON object.',
      },
    });
  });

  test('arguments encoded twice are read', async () => {
    expect(await act((input) => input, {}, JSON.stringify(JSON.stringify({ a: 1 })))).toMatchObject({ status: 'ok', data: { a: 1 } });
  });

  test('nesting without end, cycles and hostile objects end as invalid_input', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(await act(() => 1, {}, cyclic)).toMatchObject({
      error: {
        kind: 'invalid_input',
        message: expect.stringMatching(/^The arguments at self\.self\.self\..*… are nested more than 200 levels deep\.$/),
        issues: [{ path: Array(10).fill('self'), problem: 'rule' }],
      },
    });
    expect(await act(() => 1, {}, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)).toMatchObject({ error: { kind: 'invalid_input' } });
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(await act(() => 1, {}, { user: hostile })).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_input', effect: 'none', message: 'The arguments at user cannot be read.', issues: [{ path: ['user'] }] },
    });
  });

  test('ids come from the context only', async () => {
    const run = (input: object, context: { tenantId?: string; runId?: string }) => ({
      tenant: context.tenantId,
      run: context.runId,
      input,
    });
    const outcome = await act(run as never, {}, { tenantId: 'evil', runId: 'evil' }, { tenantId: 'acme', runId: 'run_1' });
    expect(outcome).toMatchObject({ data: { tenant: 'acme', run: 'run_1' }, meta: { tenantId: 'acme', runId: 'run_1' } });
  });

  test('credentials never appear in any output', async () => {
    const seen: unknown[] = [];
    const reports: unknown[] = [];
    const run = (_input: object, context: { auth?: unknown }) => {
      if (context.auth === undefined) throw new Error('no auth');
      throw new Error('refused');
    };
    const box = createToolbox([defineTool({ name: 'act', description: 'Acts.', run })], {
      report: (record) => reports.push(record),
    });
    box.subscribe((event) => seen.push(event));
    const outcome = await box.answer({ name: 'act' }, { auth: { key: 'canary-credential' } });
    expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('refused') } });
    expect(JSON.stringify([outcome, seen, reports])).not.toContain('canary-credential');
  });

  test('input shows the arguments as they were checked, whatever the handler does to them', async () => {
    const input = z.object({
      query: z.string().trim(),
      top_k: z.int().default(5),
      at: z
        .string()
        .transform((text) => new Date(text))
        .optional(),
      tags: z.array(z.string()).optional(),
    });
    const spoil = (given: Record<string, unknown>): number => {
      given.query = 'spoilt';
      (given.tags as string[] | undefined)?.push('spoilt');
      return 1;
    };
    expect((await act(spoil as never, { input }, { top_k: 5, query: ' a ' })).input).toEqual({ query: 'a', top_k: 5 });
    expect((await act(spoil as never, { input }, { query: 'a', tags: ['b'] })).input).toEqual({ query: 'a', top_k: 5, tags: ['b'] });
    expect((await act(spoil as never, { input }, { query: 'a', at: '2024-05-03' })).input).toEqual({
      query: 'a',
      top_k: 5,
      at: '2024-05-03T00:00:00.000Z',
    });
    const failing = await act(() => fail('conflict', 'x'), { input }, { query: ' a ' });
    expect(failing.input).toEqual({ query: 'a', top_k: 5 });
    expect((await act(() => 1, { input }, { query: 5 })).input).toEqual({ query: 5 });
  });

  test('ctx.now is the time that the caller states, or else when the call was made', async () => {
    const now = '2024-05-03T12:34:56.123456+00:00';
    expect(await act((_, ctx) => ctx.now, {}, {}, { now })).toMatchObject({ data: now });
    const own = await act(async (_, ctx) => [ctx.now, await Promise.resolve().then(() => ctx.now)]);
    const [first = '', second] = (own as unknown as { readonly data: readonly string[] }).data;
    expect(second).toBe(first);
    expect(new Date(first).toISOString()).toBe(first);
  });

  test('resourceType of a tool is that of all its outcomes, unless a result states another', async () => {
    const resourceType = 'my_resource';
    const broken = () => {
      throw new Error('no');
    };
    expect(await act(() => 1, { resourceType })).toMatchObject({ status: 'ok', meta: { resourceType } });
    expect(await act(broken, { resourceType })).toMatchObject({ status: 'error', meta: { resourceType } });
    expect(await act(() => 1, { resourceType }, 'no JSON')).toMatchObject({ status: 'error', meta: { resourceType } });
    expect(await act(() => ok(1, { resourceType: 'other' }), { resourceType })).toMatchObject({ meta: { resourceType: 'other' } });
  });

  test('echoInput: false leaves the arguments out', async () => {
    expect(await act(() => 1, { echoInput: false }, { a: 1 })).not.toHaveProperty('input');
  });
});

describe('deadline and abort', () => {
  test('a deadline answers, aborts the signal, and tells of the late result', async () => {
    const late = Promise.withResolvers<unknown>();
    const signals: AbortSignal[] = [];
    const finish = Promise.withResolvers<string>();
    const slow = defineTool({
      name: 'slow',
      description: 'Slow.',
      effects: 'writes',
      timeoutMs: 20,
      run: (_input, { signal }) => {
        signals.push(signal);
        return finish.promise;
      },
    });
    const box = createToolbox([slow], silent);
    box.subscribe((event) => event.type === 'late' && late.resolve(event));
    const outcome = await box.answer({ name: 'slow' });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'unknown', retryable: false, recovery: 'verify' } });
    expect(signals[0]?.reason).toMatchObject({ name: 'TimeoutError' });
    finish.resolve('too late');
    expect(await late.promise).toMatchObject({ tool: 'slow', ok: true });
  });

  test("the caller's shorter time wins over the tool's", async () => {
    const outcome = await act(() => new Promise(() => undefined), { effects: 'none', timeoutMs: 60_000 }, {}, { timeoutMs: 15 });
    expect(outcome).toMatchObject({ error: { kind: 'timeout', retryable: true, message: expect.stringContaining('15 ms') } });
  });

  test("the caller's abort frees the call at once and reaches the tool", async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const outcome = act(
      (_input, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
      {},
      {},
      { signal: controller.signal },
    );
    controller.abort();
    expect(await outcome).toMatchObject({ error: { kind: 'cancelled', effect: 'unknown', recovery: 'verify' } });
    expect(signal?.aborted).toBe(true);
  });

  test('a call whose caller has already gone does not run', async () => {
    const run = vi.fn();
    const outcome = await act(run, {}, {}, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      error: { kind: 'cancelled', effect: 'none', message: expect.stringContaining('did not run') },
      meta: { attempts: 0 },
    });
    expect(run).not.toHaveBeenCalled();
  });

  test("the caller's own deadline is a timeout", async () => {
    const stop = new AbortController();
    const outcome = act(() => new Promise(() => undefined), { effects: 'none' }, {}, { signal: stop.signal });
    stop.abort(new DOMException('The caller waited long enough.', 'TimeoutError'));
    expect(await outcome).toMatchObject({ error: { kind: 'timeout', retryable: true } });
  });

  test('the deadline waits while a person is asked, and counts on from where it was', async () => {
    const asking = (first: number, afterwards: number) =>
      act(
        async (_input, context) => {
          await takes(40);
          const goOn = [context.pauseDeadline(), context.pauseDeadline()];
          await takes(first);
          const left = context.remainingMs;
          for (const one of goOn) one();
          goOn[0]?.();
          await takes(afterwards);
          return Math.round(left);
        },
        { effects: 'none', timeoutMs: 100 },
      );
    expect(await asking(60_000, 50)).toMatchObject({ status: 'ok', data: 60 });
    expect(await asking(60_000, 70)).toMatchObject({ error: { kind: 'timeout' } });
  });

  test('a call that is stopped while a person is asked ends at once', async () => {
    const stop = new AbortController();
    const outcome = await act(
      (_input, context) => {
        context.pauseDeadline();
        stop.abort();
        return new Promise(() => undefined);
      },
      {},
      {},
      { signal: stop.signal },
    );
    expect(outcome).toMatchObject({ error: { kind: 'cancelled' } });
  });

  test('ten thousand calls in flight are all answered, those that hang by their deadline', async () => {
    const box = tool((input: { n?: number }) => (Number(input.n) % 2 === 0 ? Promise.resolve(input.n) : new Promise(() => undefined)), {
      effects: 'none',
      timeoutMs: 30,
    });
    const outcomes = await Promise.all(Array.from({ length: 10_000 }, (_, n) => box.answer({ name: 'act', args: { n } })));
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(5000);
    expect(outcomes.filter((outcome) => outcome.status === 'error' && outcome.error.kind === 'timeout')).toHaveLength(5000);
  });

  test('a thenable that misbehaves is contained', async () => {
    const twice = {
      then: (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => {
        resolve(1);
        reject(new Error('x'));
      },
    };
    expect(await act(() => twice)).toMatchObject({ status: 'ok', data: 1 });
    const throwing = {
      get then() {
        throw new Error('no then');
      },
    };
    expect(await act(() => throwing)).toMatchObject({ status: 'error' });
    const exploding = {
      then: () => {
        throw new Error('boom');
      },
    };
    expect(await act(() => exploding)).toMatchObject({ status: 'error' });
  });
});

describe('the outcome', () => {
  test('is frozen, plain JSON and complete', async () => {
    for (const outcome of [await act(() => ({ a: 1 })), await act(() => fail('conflict', 'x'))]) {
      expect(Object.isFrozen(outcome) && Object.isFrozen(outcome.meta)).toBe(true);
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      expect(outcome.meta).toMatchObject({
        tool: 'act',
        attempts: 1,
        invocationId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
        traceId: expect.stringMatching(/^[\da-f]{32}$/),
      });
      expect(outcome.meta.tookMs).toBeGreaterThanOrEqual(0.001);
      if (outcome.status === 'error') expect(Object.isFrozen(outcome.error)).toBe(true);
    }
  });

  test('keeps the ids the caller brought', async () => {
    const context = { callId: 'c', sessionId: 's', traceId: 't', invocationId: 'i', tenantId: 'n', ids: { ingestionRunId: 'ingest_1' } };
    expect(await act(() => 1, {}, {}, context)).toMatchObject({ meta: context });
  });

  test('never throws and stays JSON, whatever is thrown or returned', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
        fc.boolean(),
        async (value, thrown) => {
          const outcome = await act(() => {
            if (thrown) throw value;
            return value;
          });
          expect(['ok', 'error']).toContain(outcome.status);
          expect(JSON.stringify(JSON.parse(JSON.stringify(outcome)))).toBe(JSON.stringify(outcome));
        },
      ),
      propertyRuns(1_000),
    );
  });

  test('never throws, whatever is sent as arguments', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), fc.string(), fc.json()), async (args) => {
        const outcome = await act((input) => input, { effects: 'none' }, args);
        expect(JSON.stringify(JSON.parse(JSON.stringify(outcome)))).toBe(JSON.stringify(outcome));
      }),
      propertyRuns(1_000),
    );
  });
});

test('a caller that stops a call may say why, and the outcome says the same', async () => {
  const stop = new AbortController();
  const tool = defineTool({ name: 'hang', description: 'Hangs.', run: () => new Promise<string>(() => undefined) });
  const outcome = createToolbox([tool], { report: () => undefined }).call('hang', {}, { signal: stop.signal });
  stop.abort(fail('interrupted', 'The server shuts down.'));
  expect(await outcome).toMatchObject({ status: 'error', error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify' } });
});
