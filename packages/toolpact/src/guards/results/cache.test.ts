import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { CallContext } from '../../contract/index.ts';
import { type ErrorOutcome, fail, type OkOutcome, type Outcome, ok, partial, pending } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox, type ToolboxOptions } from '../../toolbox/index.ts';
import { cache } from './cache.ts';

skipTime();

const silent: ToolboxOptions = { report: () => undefined };

/** A tool whose results are kept for a second, and that answers as told: at once, or when released. */
function setUp(options: Parameters<typeof cache>[0] = {}, answer: (run: number, id: string) => unknown = (run) => ({ run })) {
  let time = 1_000_000;
  let runs = 0;
  const look = defineTool({
    name: 'look',
    description: 'x',
    effects: 'none',
    cache: { ttlMs: 1000 },
    input: z.object({ id: z.string(), deep: z.object({ a: z.number(), b: z.number() }).optional() }),
    run: ({ id }) => {
      runs += 1;
      return answer(runs, id);
    },
  });
  const now = () => time;
  const toolbox = createToolbox([look], { ...silent, use: [cache({ now, ...options })] });
  return {
    toolbox,
    call: (id = 'x', context?: CallContext): Promise<Outcome> => toolbox.call('look', { id }, context),
    runs: () => runs,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

/** An answer that comes when it is told to, run by run. */
function gated() {
  const open: ((value: unknown) => void)[] = [];
  return {
    answer: () => new Promise((resolve) => void open.push(resolve)),
    release: (run: number, value: unknown) => open[run - 1]?.(value),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const dataOf = (outcome: Outcome) => (outcome as OkOutcome).data;

describe('a result', () => {
  test('is not given for longer because the clock was set back', async () => {
    const { call, pass } = setUp();
    await call();
    pass(-3_600_000);
    expect(await call()).toMatchObject({ data: { run: 2 } });
    expect(await call()).toMatchObject({ data: { run: 2 }, meta: { cacheHit: true } });
  });

  test('is given to equal calls until its time is over', async () => {
    const { call, runs, pass } = setUp();
    expect((await call()).meta.cacheHit).toBeUndefined();
    pass(999);
    expect(await call()).toMatchObject({ status: 'ok', data: { run: 1 }, meta: { cacheHit: true, attempts: 0 } });
    pass(1);
    expect(await call()).toMatchObject({ data: { run: 2 } });
    expect(runs()).toBe(2);
  });

  test('is the answer to the present call, not to the one that ran', async () => {
    const { toolbox } = setUp({}, () => ok('fine', { message: 'Found.', sourceCounts: { web: 2 }, tokenUsage: { total: 9 }, empty: true }));
    const first = await toolbox.call('look', { id: 'x', deep: { a: 1, b: 2 } }, { callId: 'c1', traceId: 't1', runId: 'r1' });
    const second = await toolbox.call('look', { deep: { b: 2, a: 1 }, id: 'x' }, { callId: 'c2', traceId: 't2' });
    expect(second).toMatchObject({
      status: 'ok',
      data: 'fine',
      message: 'Found.',
      input: { deep: { b: 2, a: 1 }, id: 'x' },
      meta: { tool: 'look', callId: 'c2', traceId: 't2', cacheHit: true, sourceCounts: { web: 2 }, warnings: ['nothing was found'] },
    });
    expect(second.meta.invocationId).not.toBe(first.meta.invocationId);
    // A call that did not run has spent nothing, and belongs to no other run.
    expect(second.meta).not.toHaveProperty('tokenUsage');
    expect(second.meta).not.toHaveProperty('runId');
    expect(Object.isFrozen(second) && Object.isFrozen(second.meta)).toBe(true);
  });

  test('cannot be changed by a caller that gets it, nor by the tool that made it', async () => {
    const own = { list: [1] };
    const { call } = setUp({}, () => own);
    const first = dataOf(await call()) as { list: number[] };
    first.list.push(2);
    own.list.push(3);
    const second = dataOf(await call()) as { list: number[] };
    expect(second).toEqual({ list: [1] });
    second.list.push(4);
    expect(dataOf(await call())).toEqual({ list: [1] });
  });

  test.each([
    ['a failure', () => fail('upstream', 'Down.'), 'error'],
    ['a partial result', () => partial([1], [{ index: 1, error: new Error('x') }]), 'partial'],
    ['a promise', () => pending({ handle: 'h', reason: 'running' }), 'pending'],
  ])('%s is none, and not kept', async (_, answer, status) => {
    const { call, runs } = setUp({}, answer);
    expect([(await call()).status, (await call()).status]).toEqual([status, status]);
    expect(runs()).toBe(2);
  });

  test('that is nothing is kept too', async () => {
    const { call, runs } = setUp({}, () => undefined);
    expect([dataOf(await call()), dataOf(await call())]).toEqual([null, null]);
    expect(runs()).toBe(1);
  });

  test('of a tool that did not ask for it is not kept', async () => {
    let runs = 0;
    const plain = defineTool({
      name: 'plain',
      description: 'x',
      effects: 'none',
      run: () => {
        runs += 1;
      },
    });
    const toolbox = createToolbox([plain], { use: [cache()] });
    await toolbox.call('plain', {});
    await toolbox.call('plain', {});
    expect(runs).toBe(2);
  });
});

describe('who gets it', () => {
  class Token {
    readonly #value: string;
    constructor(value: string) {
      this.#value = value;
    }
    toString() {
      return this.#value;
    }
  }

  test.each([
    ['the same caller in another run', { runId: '2', sessionId: 's', callId: 'c', requestId: 'q' }, true],
    ['no caller of another tenant', { tenantId: 'b' }, false],
    ['no other user', { userId: 'v' }, false],
    ['no other locale', { locale: 'de' }, false],
    ['no other credentials', { auth: { token: '2' } }, false],
    ['no caller with another collection', { ids: { collectionId: '2' } }, false],
    ['no caller whose credentials cannot be read', { auth: { token: new Token('1') } }, false],
  ])('%s', async (_, context, isHit) => {
    const { call } = setUp();
    const base: CallContext = { tenantId: 'a', userId: 'u', locale: 'en', auth: { token: '1' }, ids: { collectionId: '1' }, runId: '1' };
    await call('x', base);
    expect((await call('x', { ...base, ...context })).meta.cacheHit === true).toBe(isHit);
  });

  test('credentials that cannot be looked into are never taken for equal', async () => {
    const { call, runs } = setUp();
    await call('x', { auth: { token: new Token('1') } });
    expect((await call('x', { auth: { token: new Token('2') } })).meta).toMatchObject({
      warnings: ['not cached: what the result depends on cannot be compared'],
    });
    expect(runs()).toBe(2);
  });
});

describe('equal calls at once', () => {
  test('a thousand are one run, and each gets its own copy', async () => {
    const { answer, release } = gated();
    const { call, runs } = setUp({}, answer);
    const calls = Array.from({ length: 1000 }, (_, index) => call('x', { callId: `c${index}` }));
    await settled();
    release(1, { list: [1] });
    const outcomes = await Promise.all(calls);
    expect(runs()).toBe(1);
    expect(outcomes.filter(({ meta }) => meta.cacheHit === true)).toHaveLength(999);
    expect(outcomes.every(({ meta }, index) => meta.callId === `c${index}`)).toBe(true);
    expect(new Set(outcomes.map(dataOf)).size).toBe(1000);
  });

  test('share a failure, which keeps its shape', async () => {
    const { answer, release } = gated();
    const { call, runs } = setUp({}, answer);
    const calls = [call(), call(), call()];
    await settled();
    release(1, fail('rate_limited', 'Slow down.', { retryAfterMs: 10 }));
    const outcomes = (await Promise.all(calls)) as ErrorOutcome[];
    expect(outcomes.map(({ error }) => error)).toEqual(Array(3).fill(outcomes[0]?.error));
    expect(outcomes.every((outcome) => Object.isFrozen(outcome) && Object.isFrozen(outcome.error))).toBe(true);
    expect(runs()).toBe(1);
  });

  test('that get only a promise to answer later each run themselves', async () => {
    const { answer, release } = gated();
    const { call, runs } = setUp({}, answer);
    const calls = [call(), call()];
    await settled();
    release(1, pending({ handle: 'one', reason: 'running' }));
    await settled();
    release(2, pending({ handle: 'two', reason: 'running' }));
    expect(await Promise.all(calls)).toMatchObject([{ pending: { handle: 'one' } }, { pending: { handle: 'two' } }]);
    expect(runs()).toBe(2);
  });

  test('one that stops waiting, or runs out of time, disturbs no other', async () => {
    const { answer, release } = gated();
    const { call, runs } = setUp({}, answer);
    const stop = new AbortController();
    const [runner, stopped, hurried, waiting] = [call(), call('x', { signal: stop.signal }), call('x', { timeoutMs: 10 }), call()];
    await settled();
    stop.abort();
    expect(await stopped).toMatchObject({ error: { kind: 'cancelled' } });
    expect(await hurried).toMatchObject({ error: { kind: 'timeout' } });
    release(1, 'fine');
    expect([dataOf(await runner), dataOf(await waiting)]).toEqual(['fine', 'fine']);
    expect(runs()).toBe(1);
  });

  test.each([
    ['is stopped', (stop: AbortController) => ({ signal: stop.signal }), 'cancelled'],
    ['runs out of time', () => ({ timeoutMs: 20 }), 'timeout'],
  ])('when the one that runs %s, exactly one of the others runs', async (_, contextOf, kind) => {
    const { answer, release } = gated();
    const { call, runs } = setUp({}, answer);
    const stop = new AbortController();
    const runner = call('x', contextOf(stop));
    await settled();
    const others = Array.from({ length: 10 }, () => call());
    await settled();
    expect(runs()).toBe(1);
    stop.abort();
    expect(await runner).toMatchObject({ error: { kind } });
    await settled();
    expect(runs()).toBe(2);
    // The late result of the first one answers no call.
    release(1, 'late');
    await settled();
    others.push(call());
    await settled();
    release(2, 'fine');
    expect(new Set((await Promise.all(others)).map(dataOf))).toEqual(new Set(['fine']));
    expect(runs()).toBe(2);
  });
});

describe('what is held', () => {
  test.each([
    ['results', { maxEntries: 2 }],
    ['characters', { maxChars: 200 }],
  ])('is no more than so many %s; the oldest goes first', async (_, options) => {
    const { call, runs } = setUp(options, () => 'a'.repeat(20));
    for (const id of ['a', 'b', 'c', 'b', 'c', 'a']) await call(id);
    expect(runs()).toBe(4);
  });

  test('is not one result that is larger than all may be', async () => {
    const { call, runs } = setUp({ maxChars: 100 }, () => 'a'.repeat(200));
    await call();
    await call();
    expect(runs()).toBe(2);
  });
});

describe('a shared store', () => {
  const broken = (parts: Partial<Store>): Store => ({ ...memoryStore(), ...parts });

  test('gives one process what another has found, until its time is over', async () => {
    let time = 1_000_000;
    const now = () => time;
    const store = memoryStore({ now });
    const [one, two] = [setUp({ store, now }), setUp({ store, now })];
    await one.call();
    await settled();
    time += 600;
    expect(await two.call()).toMatchObject({ data: { run: 1 }, meta: { cacheHit: true } });
    time += 399;
    expect((await two.call()).meta.cacheHit).toBe(true);
    time += 1;
    await two.call();
    expect([one.runs(), two.runs()]).toEqual([1, 1]);
  });

  test('is asked once for calls that come together', async () => {
    const store = memoryStore();
    await setUp({ store, now: Date.now }).call();
    await settled();
    let asked = 0;
    const counting = broken({
      get: (at) => {
        asked += at.space === 'cache' ? 1 : 0;
        return store.get(at);
      },
    });
    const two = setUp({ store: counting, now: Date.now });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => two.call()));
    expect(outcomes.every(({ meta }) => meta.cacheHit === true)).toBe(true);
    expect([asked, two.runs()]).toEqual([1, 0]);
  });

  test('gets no result in which there is something to redact, and no credentials', async () => {
    const written: unknown[] = [];
    const store = memoryStore();
    const spy = broken({
      put: (draft, expect) => {
        written.push(draft);
        return store.put(draft, expect);
      },
    });
    const { call, runs } = setUp({ store: spy }, (_run, id) => (id === 'secret' ? { password: 'hunter2-hunter2' } : 'plain'));
    await call('secret');
    expect(await call('secret')).toMatchObject({ data: { password: 'hunter2-hunter2' }, meta: { cacheHit: true } });
    await call('plain', { auth: { token: 'sk-live-abcdefghijklmnopqrstuvwxyz' } });
    await settled();
    expect(runs()).toBe(2);
    expect(written).toMatchObject([{ space: 'secret' }, { space: 'cache', value: { v: 1 }, keepMs: expect.any(Number) }]);
    expect(JSON.stringify(written)).not.toMatch(/hunter2|abcdefghijklmnop/);
  });

  const record = (value: unknown) => async (at: object) => ({ ...at, value, version: 1, seq: 1, leftMs: 9e15 }) as never;
  test.each([
    ['throws', { get: () => Promise.reject(new Error('x')) }, /the store failed/],
    ['hangs', { get: () => new Promise<never>(() => undefined) }, /did not answer within/],
    ['gives what is no record', { get: async () => 7 as never }, /cannot be read here/],
    [
      'gives the record of another tenant',
      { get: async () => ({ space: 'cache', tenant: 'z', key: 'k', value: {}, version: 1, seq: 1 }) },
      /cannot be read/,
    ],
    ['gives a newer shape', { get: record({ v: 2, text: '{}' }) }, /cannot be read here/],
    ['gives text that is no result', { get: record({ v: 1, text: '{"status":"error"}' }) }, /cannot be read here/],
    ['gives text that is no JSON', { get: record({ v: 1, text: '{' }) }, /cannot be read here/],
  ] satisfies readonly (readonly [string, Partial<Store>, RegExp])[])(
    'that %s lets the tool run, with a warning, and is not written to',
    async (_, parts, why) => {
      let writes = 0;
      const put = async () => {
        writes += 1;
        return { ok: true, version: 1 } as const;
      };
      const { call, runs } = setUp({ store: broken({ put, ...parts }) });
      expect(await call('x', { timeoutMs: 200 })).toMatchObject({ status: 'ok', meta: { warnings: [expect.stringMatching(why)] } });
      expect(await call('x', { timeoutMs: 200 })).toMatchObject({ status: 'ok', meta: { cacheHit: true } });
      expect((await call()).meta.warnings).toBeUndefined();
      expect([runs(), writes]).toEqual([1, 0]);
    },
  );

  test('that cannot be written to changes nothing', async () => {
    const { call, runs } = setUp({ store: broken({ put: () => Promise.reject(new Error('x')) }) });
    expect([(await call()).status, (await call()).meta.cacheHit]).toEqual(['ok', true]);
    expect(runs()).toBe(1);
  });
});

test('the warning that the store could not be read belongs to the call that asked it, also where it holds a secret', async () => {
  const store: Store = { ...memoryStore(), get: () => Promise.reject(new Error('no route for token=sk-live-4f9a8b7c6d5e4f3a2b1c')) };
  const { call } = setUp({ store }, (run) => ok({ run }, { warnings: ['old data'] }));
  const first = await call();
  expect(first.meta.warnings).toEqual([expect.stringContaining('the shared cache was not read'), 'old data']);
  const second = await call();
  expect(second).toMatchObject({ status: 'ok', meta: { cacheHit: true } });
  expect(second.meta.warnings).toEqual(['old data']);
});
