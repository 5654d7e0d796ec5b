import { getEventListeners } from 'node:events';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { box, silent, watchStrays } from '../../../proofs/fixtures/hostile-box.ts';
import { skipTime, takes, withStoppedTime } from '../../../proofs/fixtures/skip-time.ts';
import { causeOf, defineTool, fail, ok } from '../src/index.ts';
import type { Guard } from '../src/ports/index.ts';
import { defineGuard } from '../src/runtime/index.ts';
import { nextTurn } from '../src/time/index.ts';

skipTime();

/** Attacks and accidents that struck a call, one test each. Returned values are in hostile-results.test.ts. */

watchStrays();

describe('a call that has ended', () => {
  test.each([
    ['by its caller', (stop: AbortController) => ({ signal: stop.signal })],
    ['by its deadline', () => ({ timeoutMs: 10 })],
  ])('%s before its tool was reached never runs the tool', async (_how, contextOf) => {
    const run = vi.fn();
    const stop = new AbortController();
    const context = contextOf(stop);
    const passed = Promise.withResolvers<void>();
    const slowGuard: Guard = defineGuard({
      name: 'slow',
      phase: 'policy',
      around: async (_call, next) => {
        await takes(40);
        return next().finally(passed.resolve);
      },
    });
    void takes(10).then(() => stop.abort(new DOMException('The caller waited long enough.', 'TimeoutError')));
    const outcome = await box(run, { effects: 'writes' }, { ...silent, use: [slowGuard] }).answer({ name: 'act' }, context);
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'none' } });
    await passed.promise;
    expect(run).not.toHaveBeenCalled();
  });

  test('has no more time for having blocked first', async () => {
    await withStoppedTime(async () => {
      const before = vi.getTimerCount();
      const run = () => {
        vi.advanceTimersByTime(300);
        return new Promise(() => undefined);
      };
      const answered = box(run, { timeoutMs: 400 }).answer({ name: 'act' });
      await vi.advanceTimersByTimeAsync(101);
      expect(vi.getTimerCount()).toBeLessThanOrEqual(before);
      expect(await answered).toMatchObject({ error: { kind: 'timeout' } });
    });
  });

  test('tells no more of its progress, and leaves no ear on the signal of its caller', async () => {
    const told: unknown[] = [];
    let tell = (_text: string): void => undefined;
    const run = async (_input: unknown, { progress }: { progress: typeof tell }) => {
      tell = progress;
      progress('in time');
    };
    const { signal } = new AbortController();
    await box(run as never).answer({ name: 'act' }, { signal, onProgress: (progress) => told.push(progress) });
    tell('too late');
    expect(told).toEqual([{ message: 'in time' }]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('during the synchronous part of its handler is answered at once', async () => {
    const controller = new AbortController();
    const run = () => {
      controller.abort();
      return new Promise(() => undefined);
    };
    expect(await box(run).answer({ name: 'act' }, { signal: controller.signal })).toMatchObject({ error: { kind: 'cancelled' } });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('late');
      },
    ],
    ['returns', () => new Error('late')],
  ])('is reported once, also when its tool %s a failure late behind a guard', async (_how, end) => {
    const report = vi.fn();
    const pass: Guard = defineGuard({ name: 'pass', phase: 'retry', around: (_call, next) => next() });
    const late = Promise.withResolvers<void>();
    const run = vi.fn(() => late.promise.then(end));
    await box(run, {}, { report, use: [pass] }).answer({ name: 'act' }, { timeoutMs: 5 });
    late.resolve();
    await Promise.allSettled(run.mock.results.map(({ value }) => value));
    await nextTurn();
    expect(report).toHaveBeenCalledTimes(1);
  });
});

describe('thrown at us', () => {
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
      has: () => {
        throw new Error('trap');
      },
      getPrototypeOf: () => {
        throw new Error('trap');
      },
    },
  );
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const forged = { [Symbol.for('toolpact/tool-failure')]: true, kind: 'conflict' };
  const deep = Array.from({ length: 10_000 }).reduce<Error>((cause) => new Error('layer', { cause }), new Error('core'));

  test.each([
    ['a proxy whose traps throw', throwing],
    ['a revoked proxy', revoked],
    ['a forged failure without options', forged],
    ['ten thousand causes', deep],
    ['a symbol', Symbol('x')],
    ['a function', () => 1],
    ['an error of another realm', runInNewContext('new Error("elsewhere")')],
  ])('%s ends as a failure, thrown or rejected', async (_what, value) => {
    const thrown = await box(() => {
      throw value;
    }).answer({ name: 'act' });
    const rejected = await box(() => Promise.reject(value)).answer({ name: 'act' });
    const written = await box(() => Promise.reject(value), { effects: 'writes' }).answer({ name: 'act' });
    const isStated = value === forged;
    expect(written).toMatchObject({
      error: { effect: isStated ? 'none' : 'unknown', recovery: isStated ? 'fix_input' : 'verify', retryable: false },
    });
    for (const outcome of [thrown, rejected, written]) {
      expect(outcome).toMatchObject({ status: 'error', error: { debugId: outcome.meta.invocationId } });
      expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    }
  });
});

describe('contexts', () => {
  const tenant = (_input: unknown, { tenantId }: { tenantId: string }) => tenantId;
  const nil = '00000000-0000-0000-0000-000000000000';
  const refuse: () => never = () => {
    throw new Error('no');
  };
  const trap = {
    get tenantId() {
      throw new Error('no');
    },
    get traceId() {
      throw new Error('no');
    },
  };

  test.each([
    ['null', null],
    ['a null signal', { signal: null }],
    ['a signal that is none', { signal: {} }],
    ['a signal that only listens', { signal: { aborted: false, addEventListener: () => undefined } }],
    [
      'a signal that throws when listened to',
      { signal: { aborted: false, addEventListener: refuse, removeEventListener: refuse } as object },
    ],
    ['a signal that throws when looked at', { signal: new Proxy({}, { get: refuse }) }],
    ['getters that throw', trap],
    ['a time that is no number', { timeoutMs: 'soon' }],
  ])('%s is as good as none', async (_what, context) => {
    const outcome = await box(tenant as never).answer({ name: 'act' }, context as never);
    expect(outcome).toMatchObject({ status: 'ok', data: nil });
    const direct = defineTool({ name: 'direct', description: 'x', run: async () => 1 });
    expect(await direct.call({}, context as never)).toMatchObject({ status: 'ok', data: 1 });
  });

  test('a tenant that is no text is refused, and does not become none: results of tenants must not mix', async () => {
    expect(await box(tenant as never).answer({ name: 'act' }, { tenantId: 5n } as never)).toMatchObject({
      error: { kind: 'not_configured', details: { key: 'tenantId' } },
    });
  });

  test('of a running call may be handed on: ids, time and signal bind the inner call, its identity does not', async () => {
    const inner = box((_input: unknown, { tenantId, auth, remainingMs, invocationId }: never) => ({
      tenantId,
      auth,
      remainingMs,
      invocationId,
    }));
    const outer = defineTool({
      name: 'outer',
      description: 'x',
      timeoutMs: 500,
      run: async (_input, context) => {
        const answers = [inner.answer({ name: 'act', callId: 'c' }, context), inner.with(context).answer({ name: 'act' })];
        const [batched] = await inner.batch([{ tool: 'act' }], {}, context);
        return ok({
          own: context.invocationId,
          inner: [...(await Promise.all(answers)), batched?.outcome].map((outcome) => (outcome as { data: unknown }).data),
        });
      },
    });
    const outcome = await outer.call({}, { tenantId: 'acme', auth: { key: 'k' } });
    const { own, inner: seen } = (
      outcome as { data: { own: string; inner: { tenantId: string; auth: object; remainingMs: number; invocationId: string }[] } }
    ).data;
    expect(seen).toHaveLength(3);
    for (const { tenantId, auth, remainingMs, invocationId } of seen) {
      expect({ tenantId, auth }).toEqual({ tenantId: 'acme', auth: { key: 'k' } });
      expect(remainingMs).toBeLessThanOrEqual(500);
      expect(invocationId).not.toBe(own);
    }
  });

  test('an absent part erases nothing, and of two times the shorter counts', async () => {
    const bound = box(tenant as never).with({ tenantId: 'acme', timeoutMs: 15 });
    expect(await bound.answer({ name: 'act' }, { tenantId: undefined } as never)).toMatchObject({ data: 'acme' });
    const hung = box(() => new Promise(() => undefined)).with({ timeoutMs: 15 });
    expect(await hung.answer({ name: 'act' }, { timeoutMs: 60_000 })).toMatchObject({
      error: { message: expect.stringContaining('15 ms') },
    });
    expect(await hung.batch([{ tool: 'act', timeoutMs: 60_000 }])).toMatchObject([
      { outcome: { error: { message: expect.stringContaining('15 ms') } } },
    ]);
  });

  test('name one call, not all calls of a batch', async () => {
    const invocationId = '0f4e6712-6d04-4514-b6cb-943b0667d45c';
    const failing = box(() => fail('upstream', 'x')).with({ invocationId, traceId: 't' });
    const answers = await failing.batch([{ tool: 'act' }, { tool: 'act' }, { tool: 'none' }], {}, { invocationId });
    const ids = answers.map(({ outcome }) => (outcome as { error: { debugId: string } }).error.debugId);
    expect(new Set([...ids, invocationId]).size).toBe(4);
    expect(answers.map(({ outcome }) => outcome.meta.traceId)).toEqual(['t', 't', 't']);
    expect(await failing.answer({ name: 'act' }, { invocationId })).toMatchObject({ meta: { invocationId } });
  });

  test.each([0, -5])('a time of %i is spent: the tool does not run', async (timeoutMs) => {
    const run = vi.fn();
    expect(await box(run).answer({ name: 'act' }, { timeoutMs })).toMatchObject({ error: { kind: 'timeout', effect: 'none' } });
    expect(run).not.toHaveBeenCalled();
  });

  test('show no credentials in a log of the running context', async () => {
    const { inspect } = await import('node:util');
    const outcome = await box((_input: never, context: never) => inspect(context) + JSON.stringify(context)).answer(
      { name: 'act' },
      { auth: { key: 'canary' } },
    );
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });
});

describe('what a model sends', () => {
  test.each([[{ name: { toString: 1 } }], [{}], [undefined], [null], [{ name: 5, args: [] }]])('%j is answered', async (call) => {
    expect(await box(() => 1).answer(call as never)).toMatchObject({ status: 'error', error: { kind: 'unknown_tool' } });
    expect(await box(() => 1).batch([call as never, { tool: 'act' }])).toMatchObject([
      { outcome: { status: 'error' } },
      { outcome: { status: 'ok' } },
    ]);
  });

  test('a name that holds half a secret where it is cut shows none of it', async () => {
    for (let length = 30; length < 70; length += 3) {
      const outcome = await box(() => 1).answer({ name: `${'x'.repeat(length)} sk-live-abcdefghijklmnop1234` });
      expect(outcome).toMatchObject({ error: { kind: 'unknown_tool' } });
      expect(JSON.stringify(outcome)).not.toMatch(/sk-live|abcd/);
    }
    const endless = await box(() => 1).answer({ name: 'x'.repeat(5000) });
    expect(JSON.stringify(endless).length).toBeLessThan(600);
  });

  test('a batch of nothing at all is answered with nothing', async () => {
    expect(await box(() => 1).batch(undefined as never)).toEqual([]);
    expect(await box(() => 1).batch(5 as never)).toEqual([]);
  });

  test('a batch may be any list', async () => {
    const calls = new Set([{ id: 'a', tool: 'act' }]);
    expect(await box(() => 1).batch(calls as never)).toMatchObject([{ id: 'a', outcome: { status: 'ok' } }]);
  });

  test('options, lists and signals that throw when they are read break no call', async () => {
    const thrower = (): never => {
      throw new Error('hostile');
    };
    const calls = [{ tool: 'act' }];
    const options = Object.defineProperties(
      {},
      { concurrency: { get: thrower }, stopOnError: { get: thrower }, timeoutMs: { get: thrower } },
    );
    expect(await box(() => 1).batch(calls, options)).toMatchObject([{ outcome: { status: 'ok' } }]);
    expect(await box(() => 1).batch(new Proxy(calls, { get: thrower }))).toEqual([]);
    let reads = 0;
    const signal = { addEventListener: () => undefined, removeEventListener: () => undefined };
    Object.defineProperty(signal, 'aborted', { get: () => (++reads > 1 ? thrower() : false) });
    for (const run of [() => 1, async () => 1]) {
      reads = 0;
      expect(await box(run).call('act', {}, { signal: signal as never })).toMatchObject({ status: 'ok', data: 1 });
    }
    reads = 0;
    expect(await box(thrower).call('act', {}, { signal: signal as never })).toMatchObject({ error: { kind: 'failed' } });
  });

  test('a time that is no number changes nothing', async () => {
    expect(
      await box((_: object, ctx: { remainingMs: number }) => ctx.remainingMs > 1000).call('act', {}, { timeoutMs: Number.NaN }),
    ).toMatchObject({ data: true });
  });

  test('a call that cannot be read is answered, alone and among others', async () => {
    class Lazy {
      name = 'act';
      tool = 'act';
      get args() {
        return JSON.parse('{"cut off');
      }
    }
    const run = vi.fn();
    expect(await box(run).answer(new Lazy())).toMatchObject({ status: 'error', error: { effect: 'none' } });
    expect(await box(run).batch([new Lazy(), { tool: 'none' }])).toMatchObject([
      { id: '0', outcome: { status: 'error', error: { effect: 'none' } } },
      { id: '1', outcome: { status: 'error' } },
    ]);
    expect(run).not.toHaveBeenCalled();
  });

  test('a skipped call has ids of its own and no secret in its name', async () => {
    const answers = await box(() => fail('upstream', 'x')).batch([{ tool: 'act' }, { tool: 'sk-live-abcdefghijklmnop1234' }], {
      concurrency: 1,
      stopOnError: true,
    });
    expect(answers[1]).toMatchObject({
      outcome: { error: { code: 'skipped', debugId: expect.any(String) }, meta: { traceId: expect.any(String) } },
    });
    expect(JSON.stringify(answers)).not.toContain('abcdefghijklmnop1234');
  });

  test('arguments that share their parts do not explode', async () => {
    let shared: unknown = { leaf: 1 };
    for (let level = 0; level < 40; level += 1) shared = { a: shared, b: shared };
    expect(await box(() => 1).answer({ name: 'act', args: shared })).toMatchObject({ error: { kind: 'too_large' } });
  });

  test.each([
    ['a byte order mark', '\ufeff{"a": 1}', 'odd spaces'],
    ['spaces of another kind', '{"a":\u00a01}', 'odd spaces'],
    ['a comment', '{"a": 1 /* one */}', 'comment'],
  ])('text with %s is read where nothing can go wrong, and said to be repaired', async (_what, args, repaired) => {
    expect(await box((input) => input).answer({ name: 'act', args })).toMatchObject({
      status: 'ok',
      data: { a: 1 },
      meta: { warnings: [`the arguments were repaired: ${repaired}`] },
    });
  });

  test.each([500, 100_000])('text nested %i levels deep is refused, however it is written', async (levels) => {
    for (const open of ['{"a":', '{a:', "{'a':"]) {
      const args = `${open.repeat(levels)}1${'}'.repeat(levels)}`;
      expect(await box(() => 1).answer({ name: 'act', args })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
    }
  });

  test('positions are those in the text as it was sent', async () => {
    const act = box((input) => input, { effects: 'writes' });
    expect(await act.answer({ name: 'act', args: '     {"a": 1,}' })).toMatchObject({ error: { details: { position: 13 } } });
    expect(await act.answer({ name: 'act', args: '   ' })).toMatchObject({ status: 'ok' });
    expect(await act.answer({ name: 'act', args: '""' })).toMatchObject({ status: 'ok', data: {} });
  });

  test.each([
    ['a web token', (tail: string) => `{"k": "eyJhbGciOiJIUzI1NiJ9.${'QUJD'.repeat(40)}.${tail}" oops}`],
    ['a long key', (tail: string) => `{"k": "sk-proj-${'a1B2'.repeat(40)}${tail}", }x`],
    ['a named secret', (tail: string) => `{"password": "${'p1'.repeat(50)}${tail}" x}`],
    ['a bare secret', (tail: string) => `{"password": ${tail}}`],
    ['a login', (tail: string) => `{"u": "postgres://u:${'p'.repeat(80)}${tail}@h/db" x}`],
  ])('text that breaks right behind %s shows no part of it', async (_what, write) => {
    const outcome = await box(() => 1, { effects: 'writes' }).answer({ name: 'act', args: write('Tail9') });
    const { input: _, ...told } = outcome;
    expect(told).toMatchObject({ error: { kind: 'invalid_input', details: { position: expect.any(Number) } } });
    expect(JSON.stringify(told)).not.toMatch(/Tail9|QUJDQ|a1B2a|p1p1|ppp/);
  });
});

describe('schemas', () => {
  const standard = (validate: (value: unknown) => unknown) => ({
    '~standard': { version: 1, vendor: 'x', validate, jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) } },
  });

  test('that answer with a foreign promise are awaited', async () => {
    const run = vi.fn();
    const later = standard(() => runInNewContext('Promise.resolve({ issues: [{ message: "no" }] })'));
    expect(await box(run, { input: later }).answer({ name: 'act' })).toMatchObject({ error: { kind: 'invalid_input' } });
    expect(run).not.toHaveBeenCalled();
    expect(await box(() => 1, { output: later }).answer({ name: 'act' })).toMatchObject({ error: { kind: 'invalid_output' } });
  });

  test('that give neither value nor issues are at fault', async () => {
    const run = vi.fn();
    expect(await box(run, { input: standard(() => ({})) }).answer({ name: 'act' })).toMatchObject({ status: 'error' });
    expect(run).not.toHaveBeenCalled();
  });

  test('of results are bound by the deadline too, and may reject', async () => {
    const hanging = standard(() => new Promise(() => undefined));
    expect(await box(() => 1, { output: hanging, timeoutMs: 15 }).answer({ name: 'act' })).toMatchObject({ error: { kind: 'timeout' } });
    const rejecting = standard(() => Promise.reject(new Error('x')));
    expect(await box(() => 1, { output: rejecting }).answer({ name: 'act' })).toMatchObject({ status: 'error' });
  });

  test('may be methods of a class', async () => {
    class Checker {
      readonly limit = 3;
      validate(value: unknown) {
        return (value as { n: number }).n < this.limit ? { value } : { issues: [{ message: 'too high' }] };
      }
    }
    const checker = Object.assign(new Checker(), {
      version: 1,
      vendor: 'x',
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) },
    });
    expect(await box(() => 1, { input: { '~standard': checker } }).answer({ name: 'act', args: { n: 1 } })).toMatchObject({ status: 'ok' });
  });

  test('that write into what they check change what is echoed, never what the caller holds', async () => {
    const args = { city: 'Oslo' };
    const writing = standard((value) => ({ value: Object.assign(value as object, { days: 1, city: 'x' }) }));
    expect(await box((input) => input, { input: writing }).answer({ name: 'act', args })).toMatchObject({
      data: { city: 'x', days: 1 },
      input: { city: 'x', days: 1 },
    });
    expect(args).toEqual({ city: 'Oslo' });
  });
});

test('telemetry that only promises to start, and fails, ends nothing', async () => {
  const telemetry = { start: () => Promise.reject(new Error('exporter')) } as never;
  expect(await box(() => 1, {}, { ...silent, telemetry }).answer({ name: 'act' })).toMatchObject({ status: 'ok', data: 1 });
});

describe('guards', () => {
  test.each([
    ['nothing', undefined],
    ['something else', { foo: 1 }],
    ['null', null],
  ])('that answer with %s are named', async (_what, answer) => {
    const guard = defineGuard({ name: 'odd', phase: 'policy', around: (() => answer) as never }) as unknown as Guard;
    const outcome = await box(() => 1, {}, { ...silent, use: [guard] }).answer({ name: 'act' });
    expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('odd') } });
  });

  test('do not hide that a writing tool ran, nor does a schema that takes its time', async () => {
    const run = () => Promise.reject(new Error('x'));
    const pass: Guard = defineGuard({ name: 'pass', phase: 'run', around: (_call, next) => next() });
    const slow = z.looseObject({}).refine(async () => true);
    const jsonSchema = { input: { type: 'object' } };
    for (const [more, options] of [
      [{}, { ...silent, use: [pass] }],
      [{ input: slow, jsonSchema }, silent],
    ] as const) {
      expect(await box(run, { effects: 'writes', ...more }, options).answer({ name: 'act' })).toMatchObject({
        error: { effect: 'unknown', recovery: 'verify', retryable: false },
      });
    }
  });

  test('refuse in plain JSON, without secrets', async () => {
    const details = { n: 1n, password: 'hunter2' };
    const guard: Guard = defineGuard({
      name: 'no',
      phase: 'policy',
      around: (call) => call.refuse('denied', 'No: sk-live-abcdefghijklmnop1234', { details } as never),
    });
    const outcome = await box(() => 1, {}, { ...silent, use: [guard] }).answer({ name: 'act' });
    expect(JSON.stringify(outcome)).not.toMatch(/hunter2|abcdefghijklmnop1234/);
    expect(outcome).toMatchObject({ error: { kind: 'denied' } });
  });
});

test('the causes that are kept stay small, whatever they carry', async () => {
  const body = 'x'.repeat(1_000_000);
  const outcome = await box(() => Promise.reject(Object.assign(new Error('heavy'), { response: { body } }))).answer({
    name: 'act',
    args: { big: body },
  });
  if (outcome.status !== 'error') expect.unreachable();
  const cause = causeOf(outcome.error.debugId ?? '');
  expect(cause).toMatchObject({ error: { message: 'heavy', stack: expect.stringContaining('hostile.test.ts') } });
  expect(JSON.stringify(cause).length).toBeLessThan(20_000);
});

test('ten thousand calls with ten thousand different deadlines are all answered', async () => {
  const act = box(() => new Promise(() => undefined));
  const outcomes = await Promise.all(
    Array.from({ length: 10_000 }, (_, index) => act.answer({ name: 'act' }, { timeoutMs: 20 + index / 1000 })),
  );
  expect(outcomes.every((outcome) => outcome.status === 'error' && outcome.error.kind === 'timeout')).toBe(true);
});
