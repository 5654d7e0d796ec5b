import { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { box, silent, watchStrays } from '../../../proofs/fixtures/hostile-box.ts';
import { type CallContext, createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from '../src/index.ts';
import { toModelText } from '../src/outcome/index.ts';
import type { Guard } from '../src/ports/index.ts';
import { defineGuard } from '../src/runtime/index.ts';

/** Results that tools returned by accident or on purpose, one test each. */

watchStrays();

const assert = (): never => {
  throw new Error('no form');
};
const circular = () => {
  const self: Record<string, unknown> = { type: 'text' };
  self.self = self;
  return self;
};

describe('what a tool gives', () => {
  test('a fallback is JSON and touches nothing', async () => {
    const rejecting = await box(() => fail('upstream', 'x'), { onFailure: async () => Promise.reject(new Error('x')) }).answer({
      name: 'act',
    });
    expect(rejecting).not.toHaveProperty('fallback');
    const odd = await box(() => fail('upstream', 'x'), { onFailure: { n: 1n, map: new Map([['a', 1]]) } }).answer({ name: 'act' });
    expect(odd).toMatchObject({ fallback: { n: '1', map: { a: 1 } } });
    const writing = (input: { a: string }) => {
      input.a = 'changed';
      return null;
    };
    expect(await box(() => fail('upstream', 'x'), { onFailure: writing }).answer({ name: 'act', args: { a: 'sent' } })).toMatchObject({
      input: { a: 'sent' },
    });
  });

  test('items of a writing tool are no safer to repeat than the tool', async () => {
    const run = () => partial(['a'], [{ index: 1, error: Object.assign(new Error('x'), { code: 'ETIMEDOUT' }) }]);
    expect(await box(run, { effects: 'writes' }).answer({ name: 'act' })).toMatchObject({
      failures: [{ error: { kind: 'timeout', effect: 'unknown', retryable: false, recovery: 'verify' } }],
    });
  });

  test('pending without a proper handle is a fault of the tool', async () => {
    expect(await box(() => pending({ handle: 1n } as never)).answer({ name: 'act' })).toMatchObject({
      status: 'pending',
      pending: { handle: '1' },
    });
    expect(await box(() => pending({} as never)).answer({ name: 'act' })).toMatchObject({ error: { kind: 'invalid_output' } });
  });

  test('thousands of small keys are cut to some, never to none', async () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`key${index}`, index]));
    const outcome = await box(() => many).answer({ name: 'act' });
    expect(Object.keys((outcome as { data: object }).data).length).toBeGreaterThan(1000);
    const mixed = { ...Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`k${index}`, index])), text: 'x'.repeat(5000) };
    const small = await box(() => mixed, { maxResultChars: 300 }).answer({ name: 'act' });
    expect(Object.keys((small as { data: object }).data).length).toBeGreaterThan(5);
  });

  test('thousands of large keys are cut to as many as there is room for', async () => {
    const large = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`key${index}`, 'x'.repeat(3000)]));
    const outcome = await box(() => large, { maxResultChars: 5000 }).answer({ name: 'act' });
    const { data } = outcome as { data: Record<string, unknown> };
    expect(Object.keys(data).length).toBeGreaterThan(15);
    expect(JSON.stringify(data).length).toBeLessThanOrEqual(5000);
    expect(data).toMatchObject({ key0: expect.stringContaining('xxx') });
  });

  test.each([100, 101, 102, 103])('a text cut to %i characters holds no half of a character', async (maxResultChars) => {
    const outcome = await box(() => `a${'😀'.repeat(500)}`, { maxResultChars }).answer({ name: 'act' });
    expect(outcome).toMatchObject({ meta: { truncated: true } });
    expect((outcome as { data: string }).data.isWellFormed()).toBe(true);
  });

  test('what is attached to a failure, or stands in for a result, is cut with a warning too', async () => {
    const big = { text: 'x'.repeat(600) };
    const run = () => fail('upstream', 'x', { data: big });
    const outcome = await box(run, { onFailure: { list: [big.text] } }, { ...silent, maxResultChars: 300 }).answer({ name: 'act' });
    expect(outcome).toMatchObject({
      data: { text: expect.stringContaining('cut') },
      fallback: { list: [expect.stringContaining('cut')] },
      meta: { warnings: [expect.stringContaining('text: 600 characters'), expect.stringContaining('list[0]: 600 characters')] },
    });
  });

  test('a model reads of a cut, also where some items failed', async () => {
    const run = () => partial('x'.repeat(600), [{ index: 0, error: new Error('x') }]);
    expect(toModelText(await box(run, { maxResultChars: 300 }).answer({ name: 'act' }))).toContain('[cut: the result: 600 characters');
  });

  test('the handle of a pending call is whole, however little room there is', async () => {
    const handle = 'h'.repeat(40);
    const outcome = await box(() => pending({ handle, reason: 'running' }), {}, { ...silent, maxResultChars: 20 }).answer({ name: 'act' });
    expect(outcome).toMatchObject({ status: 'pending', pending: { handle } });
  });

  test('an iterable without end is refused', async () => {
    function* forever() {
      for (;;) yield 1;
    }
    expect(await box(() => forever()).answer({ name: 'act' })).toMatchObject({ error: { kind: 'invalid_output' } });
  });

  test('content that is none is only a warning', async () => {
    for (const toModel of [() => 5, async () => 'later']) {
      const outcome = await box(() => ({ a: 1 }), { toModel }).answer({ name: 'act' });
      expect(outcome).toMatchObject({ status: 'ok', meta: { warnings: [expect.stringContaining('toModel')] } });
      expect(toModelText(outcome)).toBe('{"a":1}');
    }
  });

  test.each([
    ['content with a bigint', () => ok(1, { content: [{ type: 'text', text: 5n }] } as never), {}],
    ['content that refers back to itself', () => ok(1, { content: [circular()] } as never), {}],
    ['content that is no list', () => ok(1, { content: 'text' } as never), {}],
    ['content with a hole', () => ok(1, { content: [undefined, null] } as never), {}],
    ['content of a part', () => partial([1], [], { content: [{ type: 'text', text: 5n }] } as never), {}],
    ['content out of toModel', () => 1, { toModel: () => [{ type: 'text', text: 5n }, null] }],
    ['routing with a bigint', () => ok(1, { routing: { shard: 5n } } as never), {}],
    ['routing that refers back to itself', () => ok(1, { routing: circular() } as never), {}],
  ])('%s never breaks an outcome', async (_what, run, more) => {
    const outcome = await box(run, more).answer({ name: 'act' });
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
    expect(outcome.status).not.toBe('error');
    expect(toModelText(outcome)).toBeTypeOf('string');
  });

  test('parts that are absent are not there', async () => {
    const toolbox = box(() => ok(1));
    const outcome = await toolbox.answer({ name: 'act' });
    expect(Object.keys(outcome)).toEqual(['status', 'data', 'input', 'meta']);
    expect(Object.keys(outcome.meta)).toEqual(['tool', 'invocationId', 'traceId', 'tookMs', 'attempts']);
    expect(toolbox.list()[0]).not.toHaveProperty('outputSchema');
  });

  test('facts that are nearly JSON are made JSON', async () => {
    const run = () => ok(1, { routing: { shard: 5n }, content: [{ type: 'text', text: 'one', n: 5n }] } as never);
    expect(await box(run).answer({ name: 'act' })).toMatchObject({
      content: [{ type: 'text', text: 'one', n: '5' }],
      meta: { routing: { shard: '5' } },
    });
  });

  test('a promise that is not awaited is named, and its rejection ends nothing', async () => {
    const later = () => Promise.reject(new Error('nobody waits'));
    expect(await box(() => ({ user: later() })).answer({ name: 'act' })).toMatchObject({
      error: { kind: 'invalid_output', details: { path: 'user' } },
    });
    expect(await box(() => ({ a: 1 }), { toModel: later }).answer({ name: 'act' })).toMatchObject({
      status: 'ok',
      meta: { warnings: [expect.stringContaining('toModel')] },
    });
  });

  test('what a failure says cannot be changed for the next one', async () => {
    const failing = box(() => Promise.reject(new Error('GET https://api.example.com/x failed with status 503 {"code":"e_down"}')));
    const [first, second] = [await failing.answer({ name: 'act' }), await failing.answer({ name: 'act' })];
    if (first.status !== 'error' || second.status !== 'error') expect.unreachable();
    expect(() => Object.assign(first.error.upstream ?? {}, { status: 1 })).toThrow(TypeError);
    expect(() => Object.assign(first.error.details ?? {}, { code: 1 })).toThrow(TypeError);
    expect(second).toMatchObject({ error: { upstream: { status: 503 }, details: { code: 'e_down' } } });
  });

  test('a promise of another library that gives a promise is followed, without and with guards', async () => {
    const run = () => ({ then: (resolve: (value: unknown) => void) => resolve(Promise.resolve(5)) });
    const pass: Guard = defineGuard({ name: 'pass', phase: 'run', around: (_call, next) => next() });
    expect(await box(run).answer({ name: 'act' })).toMatchObject({ status: 'ok', data: 5 });
    expect(await box(run, {}, { ...silent, use: [pass] }).answer({ name: 'act' })).toMatchObject({ status: 'ok', data: 5 });
  });

  test.each([
    ['a list', Object.assign([1], { toJSON: () => assert() })],
    ['an object', Object.defineProperty({ a: 1 }, 'toJSON', { value: () => assert() })],
  ])('%s with a form of its own that fails is refused', async (_what, data) => {
    expect(await box(() => data).answer({ name: 'act' })).toMatchObject({ error: { kind: 'invalid_output' } });
  });

  test('a list with a form of its own is sent in that form', async () => {
    class Rows extends Array<number> {
      toJSON() {
        return { rows: this.length };
      }
    }
    expect(await box(() => Rows.of(1, 2)).answer({ name: 'act' })).toMatchObject({ data: { rows: 2 } });
    expect(await box(() => ({ toJSON: 'a word', big: 1n, none: [] })).answer({ name: 'act' })).toMatchObject({
      data: { toJSON: 'a word', big: '1', none: [] },
    });
  });

  test('what a running tool calls denied may have taken effect, unless it says that it has not', async () => {
    const answer = (options?: { effect: 'none' }) =>
      box(() => fail('denied', 'The user said no.', options), { effects: 'writes' }).answer({ name: 'act' });
    expect(await answer()).toMatchObject({ error: { kind: 'denied', effect: 'unknown' } });
    expect(await answer({ effect: 'none' })).toMatchObject({ error: { kind: 'denied', effect: 'none', recovery: 'ask_user' } });
  });
});

describe('secrets in odd places', () => {
  const secret = 'sk-live-abcdefghijklmnop1234';
  test.each([
    ['as the name of a field', { input: z.strictObject({ a: z.string() }) }, { [secret]: 1 }, () => 1],
    [
      'in a rule that repeats its parent',
      { input: z.object({ o: z.object({ p: z.string() }).refine(() => false, { error: ({ input }) => `bad ${JSON.stringify(input)}` }) }) },
      { o: { p: 'hunter2-abcdefghijklmnop1234' } },
      () => 1,
    ],
    ['as a key of a result without JSON form', {}, {}, () => ({ [secret]: () => 1 })],
    ['as a key deep inside such a result', {}, {}, () => ({ a: { [secret]: [Symbol('x')] } })],
    [
      'as a field near the one that is missing',
      { input: z.object({ 'sk-live-abcdefghijklmnop1230': z.string() }) },
      { [secret]: 'x' },
      () => 1,
    ],
    ['as the id of an item', {}, {}, () => partial([], [{ index: 0, id: secret, error: new Error('x') }])],
    ['in a pending message', {}, {}, () => pending({ handle: 'h', reason: 'input', ask: { message: secret } }, { message: secret })],
    ['in the name of an error', {}, {}, () => Promise.reject(Object.assign(new Error('x'), { name: secret, code: secret }))],
  ] as [string, object, object, () => unknown][])('%s do not get out', async (_where, more, args, run) => {
    const outcome = await box(run as never, more).answer({ name: 'act', args });
    const { input: _, ...told } = outcome;
    expect(JSON.stringify([told, toModelText(outcome)])).not.toContain('abcdefghijklmnop1234');
  });
});

describe('what a result may be', () => {
  test.each([
    ['a readable stream of Node', () => Readable.from(['a']), 'The result cannot be sent: a Readable has no JSON form.'],
    ['a writable stream of Node', () => new Writable(), 'The result cannot be sent: a Writable has no JSON form.'],
    ['a stream inside', () => ({ body: Readable.from(['a']) }), 'The result at body cannot be sent: a Readable has no JSON form.'],
  ])('%s is refused', async (_, run, message) => {
    expect(await answer(run)).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_output', message: expect.stringContaining(message) },
    });
  });

  test('several rejected promises, or one that is thrown, end nothing else', async () => {
    const strays: unknown[] = [];
    const listen = (error: unknown) => strays.push(error);
    process.on('unhandledRejection', listen);
    const reject = (why: string) => Promise.reject(new Error(why));
    const several = await answer(() => ({ a: reject('one'), b: { c: [reject('two'), reject('three')] } }));
    const thrown = await answer(() => {
      throw reject('thrown');
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect([several, thrown]).toMatchObject([{ error: { kind: 'invalid_output' } }, { error: { kind: 'internal' } }]);
    expect(strays).toEqual([]);
  });

  test.each([
    [
      'keys',
      () => Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`k${index}`, index])),
      /^the result: \d+ of 120000 keys kept$/,
    ],
    [
      'entries of a map',
      () => new Map(Array.from({ length: 120_000 }, (_, index) => [`k${index}`, index])),
      /^the result: \d+ of 120000 keys kept$/,
    ],
    [
      'keys of a part',
      () => ({ part: Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`k${index}`, index])) }),
      /^part: \d+ of 120000 keys kept$/,
    ],
    ['items', () => Array.from({ length: 120_000 }, (_, index) => index), /^the result: \d+ of 120000 items kept$/],
  ])('of very many %s only as many are walked over as can be kept', async (_, run, note) => {
    const outcome = await answer(run);
    expect(outcome).toMatchObject({ status: 'ok', meta: { truncated: true } });
    expect(outcome.meta.warnings).toContainEqual(expect.stringMatching(note));
    expect(JSON.stringify(outcome.status === 'ok' && outcome.data).length).toBeLessThan(262_144);
  });
});

test('arguments of very many fields are refused before they are copied', async () => {
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
  let runs = 0;
  const tool = defineTool({ name: 'count', description: 'x', input: z.looseObject({}), run: () => (runs += 1) });
  const outcome = await createToolbox([tool], { report: () => undefined }).answer({ name: 'count', args: JSON.stringify(wide) });
  expect(outcome).toMatchObject({
    status: 'error',
    error: {
      kind: 'too_large',
      message: 'The arguments have more than 50000 fields in one object.',
      advice: 'Send or ask for less.',
      details: { limit: 50_000 },
    },
  });
  expect(runs).toBe(0);
});

describe('who stops a call', () => {
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const unreadable = (): Error =>
    Object.defineProperty(new Error('x'), 'name', {
      get: () => {
        throw new Error('name');
      },
    });

  test.each([
    ['a revoked proxy', revoked()],
    ['an error whose name cannot be read', unreadable()],
    ['a symbol', Symbol('why')],
  ])('may give %s as the reason, before and during the call', async (_, reason) => {
    const stop = new AbortController();
    const during = answer(() => new Promise(() => undefined), { signal: stop.signal });
    stop.abort(reason);
    expect(await during).toMatchObject({ status: 'error', error: { kind: 'cancelled' } });
    expect(await answer(() => 1, { signal: stop.signal })).toMatchObject({ status: 'error', error: { kind: 'cancelled' } });
  });

  test.each<[string, unknown]>([
    [
      'cannot be asked',
      {
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
        get aborted(): boolean {
          throw new Error('no');
        },
      },
    ],
    [
      'cannot be listened to',
      {
        aborted: false,
        addEventListener: () => {
          throw new Error('no');
        },
      },
    ],
    ['is a number', 7],
  ])('may have a signal that %s; the call is made without it', async (_, signal) => {
    expect(await answer(async () => 1, { signal: signal as never })).toMatchObject({ status: 'ok', data: 1 });
  });
});

function answer(run: () => unknown, context: CallContext = {}): Promise<Outcome> {
  const tool = defineTool({ name: 'act', description: 'Acts.', effects: 'none', run });
  return createToolbox([tool], { report: () => undefined }).answer({ name: 'act' }, { timeoutMs: 5000, ...context });
}
