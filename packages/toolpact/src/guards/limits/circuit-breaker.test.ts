import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import type { CallContext } from '../../contract/index.ts';
import { type ErrorOutcome, fail, type Outcome, toModelText } from '../../outcome/index.ts';
import type { Guard, Store } from '../../ports/index.ts';
import { defineGuard, defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox, type ToolboxOptions } from '../../toolbox/index.ts';
import { type CircuitBreakerOptions, type CircuitChanged, circuitBreaker } from './circuit-breaker.ts';

skipTime();

const silent: ToolboxOptions = { report: () => undefined };
const kinds = ['unreachable', 'upstream', 'timeout', 'rate_limited', 'not_found', 'internal', 'cancelled'] as const;

/** A tool that does what its caller asks for, behind a circuit breaker with a clock. */
function setUp(options: CircuitBreakerOptions = {}, more: readonly Guard[] = []) {
  let time = 1_000_000;
  let runs = 0;
  let release: (value: unknown) => void = () => undefined;
  const changes: CircuitChanged[] = [];
  const ask = defineTool({
    name: 'ask',
    description: 'x',
    effects: 'none',
    input: z.object({ want: z.string() }),
    run: ({ want }) => {
      runs += 1;
      if (want === 'wait') {
        return new Promise((resolve) => {
          release = resolve;
        });
      }
      return kinds.includes(want as never) ? fail(want as 'upstream', 'No.') : want;
    },
  });
  const now = () => time;
  const guard = circuitBreaker({ now, onChange: (change) => changes.push(change), ...options });
  const toolbox = createToolbox([ask], { ...silent, use: [guard, ...more] });
  const call = (want: string, context?: CallContext): Promise<Outcome> => toolbox.call('ask', { want }, context);
  return {
    call,
    changes,
    now,
    runs: () => runs,
    release: (value: unknown) => release(value),
    pass: (ms: number) => {
      time += ms;
    },
    all: async (...wants: readonly string[]) => {
      const seen: string[] = [];
      for (const want of wants) seen.push(short(await call(want)));
      return seen;
    },
  };
}

function short(outcome: Outcome): string {
  return outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status;
}

const five = ['upstream', 'upstream', 'upstream', 'upstream', 'upstream'] as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a circuit', () => {
  test('opens after five failures, and calls are answered without running', async () => {
    const { all, call, runs, pass, changes } = setUp();
    expect(await all(...five.slice(1))).toEqual(five.slice(1));
    expect(await call('upstream')).toMatchObject({
      error: { kind: 'upstream' },
      meta: { warnings: ['the circuit of ask is open for 60000 ms'] },
    });
    pass(20_000);
    const refused = (await call('fine')) as ErrorOutcome;
    expect(refused.error).toMatchObject({
      kind: 'unreachable',
      code: 'circuit_open',
      retryAfterMs: 40_000,
      retryable: true,
      recovery: 'wait',
      effect: 'none',
    });
    expect(toModelText(refused)).toBe(
      '[error: unreachable/circuit_open] ask has failed too often recently, so this call did not run.\nNext: Wait 40 s before trying again.',
    );
    expect(refused.meta.attempts).toBe(0);
    expect(runs()).toBe(5);
    expect(changes).toEqual([{ tool: 'ask', tenantId: '00000000-0000-0000-0000-000000000000', state: 'open', openMs: 60_000 }]);
  });

  test('is closed again by a probe that goes well, and then takes as many failures again', async () => {
    // Open for less than the window in which failures add up.
    const { all, call, pass, changes, runs } = setUp({ openMs: 10_000 });
    await all(...five);
    pass(10_000);
    expect(await call('fine')).toMatchObject({ status: 'ok', meta: { warnings: ['the circuit of ask is closed again'] } });
    expect(changes.map(({ state }) => state)).toEqual(['open', 'closed']);
    expect(await all(...five.slice(1), 'fine', ...five)).toEqual([...five.slice(1), 'ok', ...five]);
    expect(await all('fine')).toEqual(['circuit_open']);
    expect(runs()).toBe(16);
  });

  test('stays open twice as long each time its probe fails, up to a limit', async () => {
    const { all, pass, changes } = setUp();
    await all(...five);
    for (const openMs of [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      expect(changes.at(-1)).toMatchObject({ state: 'open', openMs });
      pass(openMs - 1);
      expect(await all('fine')).toEqual(['circuit_open']);
      pass(1);
      expect(await all('upstream', 'fine')).toEqual(['upstream', 'circuit_open']);
    }
  });

  test('lets exactly one call try, and the others wait for its answer', async () => {
    const { all, call, pass, release, runs } = setUp();
    await all(...five);
    pass(60_000);
    const probe = call('wait');
    await settled();
    const others = await Promise.all(Array.from({ length: 1000 }, () => call('fine')));
    expect(new Set(others.map(short))).toEqual(new Set(['circuit_open']));
    expect(runs()).toBe(6);
    release('fine');
    expect(await probe).toMatchObject({ status: 'ok' });
    expect(await all('fine')).toEqual(['ok']);
  });

  test('tries again when the probe was stopped, or never came back', async () => {
    const { all, call, pass, runs } = setUp();
    await all(...five);
    pass(60_000);
    const stop = new AbortController();
    const probe = call('wait', { signal: stop.signal });
    await settled();
    stop.abort();
    expect(short(await probe)).toBe('cancelled');
    await settled();
    expect(short(await call('wait', { timeoutMs: 5 }))).toBe('timeout');
    await settled();
    expect(await all('fine')).toEqual(['circuit_open']);
    pass(120_000);
    expect(await all('fine')).toEqual(['ok']);
    expect(runs()).toBe(8);
  });
});

describe('what counts', () => {
  test.each([
    ['failures of the other side', five, 'circuit_open'],
    ['whichever of them', ['upstream', 'timeout', 'unreachable', 'upstream', 'timeout'], 'circuit_open'],
    ['not those with a success between them', ['upstream', 'upstream', 'upstream', 'upstream', 'fine', 'upstream'], 'ok'],
    ['not those with another answer between them', ['upstream', 'upstream', 'upstream', 'upstream', 'not_found', 'upstream'], 'ok'],
    [
      'also those with a bug between them, which tells nothing',
      ['upstream', 'upstream', 'internal', 'upstream', 'upstream', 'upstream'],
      'circuit_open',
    ],
    ['not being told to slow down', ['rate_limited', 'rate_limited', 'rate_limited', 'rate_limited', 'rate_limited'], 'ok'],
    ['not what is no fault of the service', ['not_found', 'not_found', 'not_found', 'not_found', 'not_found'], 'ok'],
  ])('%s', async (_, wants, then) => {
    const { all } = setUp();
    await all(...wants);
    expect(await all('fine')).toEqual([then]);
  });

  test('not failures that are too far apart', async () => {
    const { all, pass } = setUp();
    await all(...five.slice(1));
    pass(60_000);
    expect(await all('upstream', 'fine')).toEqual(['upstream', 'ok']);
  });

  test('a tool that never answers, at its deadline', async () => {
    const { call, all } = setUp({ failures: 2 });
    expect([short(await call('wait', { timeoutMs: 5 })), short(await call('wait', { timeoutMs: 5 }))]).toEqual(['timeout', 'timeout']);
    await settled();
    expect(await all('fine')).toEqual(['circuit_open']);
  });

  test('not what another guard kept from running', async () => {
    const refusing: Guard = defineGuard({ name: 'no', phase: 'key', around: (call) => call.refuse('unreachable', 'No.') });
    const { all } = setUp({}, [refusing]);
    expect(await all('a', 'a', 'a', 'a', 'a', 'a', 'a')).toEqual(Array(7).fill('unreachable'));
  });

  test('only what is asked for', async () => {
    const { all } = setUp({ kinds: ['rate_limited'], failures: 1 });
    expect(await all('upstream', 'rate_limited', 'fine')).toEqual(['upstream', 'rate_limited', 'circuit_open']);
  });

  test.each([
    ['by tool and tenant', {}, ['ok', 'circuit_open']],
    ['by tool', { by: 'tool' as const }, ['circuit_open', 'circuit_open']],
  ])('%s', async (_, options, seen) => {
    const { call } = setUp({ failures: 1, ...options });
    await call('upstream', { tenantId: 'a' });
    expect([short(await call('fine', { tenantId: 'b' })), short(await call('fine', { tenantId: 'a' }))]).toEqual(seen);
  });
});

describe('processes that share a store', () => {
  test('count together, and make one probe of all', async () => {
    let time = 1_000_000;
    const now = () => time;
    const store = memoryStore({ now });
    const all = Array.from({ length: 4 }, () => setUp({ store, now }));
    for (const [index, want] of five.entries()) await all[index % 4]?.call(want);
    expect(await Promise.all(all.map(async ({ call }) => short(await call('fine'))))).toEqual(Array(4).fill('circuit_open'));
    expect(all.flatMap(({ changes }) => changes)).toHaveLength(1);
    const ran = () => all.reduce((sum, { runs }) => sum + runs(), 0);
    const before = ran();
    time += 60_000;
    const seen = await Promise.all(all.flatMap(({ call }) => Array.from({ length: 25 }, async () => short(await call('upstream')))));
    expect(seen.filter((code) => code === 'upstream')).toHaveLength(1);
    expect(ran() - before).toBe(1);
    time += 120_000;
    expect(await all[0]?.call('fine')).toMatchObject({ status: 'ok' });
    expect(await Promise.all(all.map(async ({ call }) => short(await call('fine'))))).toEqual(Array(4).fill('ok'));
  });

  test('find a probe whose process has died replaced after its time', async () => {
    let time = 1_000_000;
    const now = () => time;
    const store = memoryStore({ now });
    const [dead, alive] = [setUp({ store, now }), setUp({ store, now })];
    await dead.all(...five);
    time += 60_000;
    void dead.call('wait', { timeoutMs: 10_000 });
    await settled();
    expect(await alive.all('fine')).toEqual(['circuit_open']);
    time += 11_001;
    expect(await alive.all('fine')).toEqual(['ok']);
  });
});

describe('a store that', () => {
  const broken = (parts: Partial<Store>): Store => ({ ...memoryStore(), ...parts });
  const record = (value: unknown) => async (at: object) => ({ ...at, value, version: 1, seq: 1 }) as never;
  const stores: readonly (readonly [string, Store, RegExp])[] = [
    ['throws', broken({ get: () => Promise.reject(new Error('x')) }), /the store failed/],
    ['hangs', broken({ get: () => new Promise(() => undefined) }), /did not answer within/],
    ['gives what is no record', broken({ get: async () => 7 as never }), /cannot be read here/],
    [
      'gives a record of another key',
      broken({ get: async () => ({ space: 'circuit', tenant: 'x', key: 'y', value: {}, version: 1, seq: 1 }) }),
      /cannot be read here/,
    ],
    ['gives a record of a newer shape', broken({ get: record({ v: 2, openUntil: 9e15, openMs: 1 }) }), /cannot be read here/],
    ['says that a circuit is open for ever', broken({ get: record({ v: 1, openUntil: 9e15, openMs: 1 }) }), /a time that cannot be/],
    ['gives times that are none', broken({ get: record({ v: 1, openUntil: 'soon', openMs: 1 }) }), /cannot be read here/],
  ];

  test.each(stores)('%s lets calls run, with a warning', async (_, store, why) => {
    const { call, runs } = setUp({ store });
    const outcome = await call('fine', { timeoutMs: 200 });
    expect(outcome).toMatchObject({ status: 'ok', meta: { warnings: [expect.stringMatching(why)] } });
    expect(runs()).toBe(1);
  });

  test.each(stores)('%s keeps calls from running where that is asked for', async (_, store, why) => {
    const { call, runs } = setUp({ store, whenStoreFails: 'refuse' });
    expect(await call('fine', { timeoutMs: 200 })).toMatchObject({
      error: { kind: 'not_ready', effect: 'none', message: expect.stringMatching(why) },
    });
    expect(runs()).toBe(0);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('x'))],
    ['hangs', () => new Promise<never>(() => undefined)],
    ['lies', async () => 'yes' as never],
  ])('%s when it should count changes nothing but a warning', async (_, add) => {
    const { call } = setUp({ store: broken({ add }) });
    expect(await call('upstream', { timeoutMs: 200 })).toMatchObject({
      error: { kind: 'upstream' },
      meta: { warnings: [expect.stringMatching(/^the circuit could not be updated: /)] },
    });
  });
});

test('a listener cannot break a call', async () => {
  const { all } = setUp({
    failures: 1,
    onChange: () => {
      throw new Error('x');
    },
  });
  expect(await all('upstream', 'fine')).toEqual(['upstream', 'circuit_open']);
});

test.each([
  [{ failures: 0 }, /failures must be a number above 0/],
  [{ openMs: -1 }, /openMs must be a number above 0/],
  [{ openMs: 700_000 }, /^circuitBreaker: maxOpenMs must be at least openMs$/],
  [{ kinds: ['nope'] }, /kinds holds the unknown kind "nope"/],
  [{ whenStoreFails: 'closed' }, /^circuitBreaker: whenStoreFails must be "allow" or "refuse"$/],
  [{ by: 'run' }, /^circuitBreaker: by must be a function or one of/],
])('mistakes %j are reported at once', (options, message) => {
  expect(() => circuitBreaker(options as never)).toThrow(message);
});

test.each([{ windowMs: Number.POSITIVE_INFINITY }, { openMs: Number.POSITIVE_INFINITY, maxOpenMs: Number.POSITIVE_INFINITY }])(
  'opens where its times never end: %j',
  async (times) => {
    const { all } = setUp({ failures: 2, ...times });
    expect(await all('upstream', 'upstream', 'fine')).toEqual(['upstream', 'upstream', 'circuit_open']);
  },
);
