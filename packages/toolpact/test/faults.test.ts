import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { containStrays } from '../src/guards/contain-strays.ts';
import { createToolbox, defineTool, type Failure, type Outcome, type ToolboxOptions } from '../src/index.ts';
import { toModelText } from '../src/outcome/index.ts';

/** The faults that were measured on every peer. Each must end in the right outcome, and a failure must be told to the model. */

const silent: ToolboxOptions = { report: () => undefined };
const input = z.object({ account: z.string(), amount: z.number() });
const good = { account: 'a-1', amount: 5 };

let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

class HttpError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

class Account {
  readonly id = 'a-1';
  balance = 12;
  describe(): string {
    return `${this.id}: ${this.balance}`;
  }
}

function withThrowingMessage<T extends object>(target: T): T {
  return Object.defineProperty(target, 'message', {
    get() {
      throw new Error('no message for you');
    },
  });
}

function circular(): Record<string, unknown> {
  const value: Record<string, unknown> = { id: 1 };
  value.self = value;
  return value;
}

function circularCause(): Error {
  const error = new Error('outer');
  error.cause = error;
  return error;
}

async function call(
  run: (args: z.infer<typeof input>, context: { signal: AbortSignal }) => unknown,
  args: unknown = good,
  name = 'transfer',
): Promise<Outcome> {
  const transfer = defineTool({ name: 'transfer', description: 'Moves money.', input, effects: 'none', run });
  return createToolbox([transfer], silent).answer({ name, args });
}

const throwing = (value: unknown) => () => {
  throw value;
};

type Row = readonly [
  fault: string,
  outcome: () => Promise<Outcome>,
  expected: Partial<Omit<Failure, 'message'>> & { readonly message?: string | RegExp },
];

const failing: readonly Row[] = [
  ['sync throw Error', () => call(throwing(new Error('ledger does not add up'))), { kind: 'failed', message: /ledger does not add up/ }],
  [
    'async reject Error',
    () => call(async () => throwing(new Error('ledger does not add up'))()),
    { kind: 'failed', message: /ledger does not add up/ },
  ],
  ['throw string', () => call(throwing('ledger does not add up')), { kind: 'failed', message: /ledger does not add up/ }],
  ['throw undefined', () => call(throwing(undefined)), { kind: 'internal', message: /failed unexpectedly/ }],
  ['throw null', () => call(throwing(null)), { kind: 'internal', message: /failed unexpectedly/ }],
  [
    'throw frozen object',
    () => call(throwing(Object.freeze({ message: 'ledger does not add up' }))),
    { kind: 'failed', message: /ledger does not add up/ },
  ],
  [
    'throw frozen Error',
    () => call(throwing(Object.freeze(new Error('ledger does not add up')))),
    { kind: 'failed', message: /ledger does not add up/ },
  ],
  ['throw object whose message getter throws', () => call(throwing(withThrowingMessage({}))), { kind: 'internal' }],
  ['throw Error whose message getter throws', () => call(throwing(withThrowingMessage(new Error()))), { kind: 'internal' }],
  ['throw Error with circular cause', () => call(throwing(circularCause())), { kind: 'failed', message: /outer/ }],
  [
    'throw AggregateError',
    () => call(throwing(new AggregateError([new HttpError(503, 'replica down')], 'all replicas failed'))),
    { kind: 'upstream', retryable: true, upstream: { status: 503 }, message: /replica/ },
  ],
  [
    'HttpError 429 + retry-after',
    () => call(throwing(new HttpError(429, 'slow down', { 'retry-after': '7' }))),
    {
      kind: 'rate_limited',
      retryable: true,
      recovery: 'wait',
      retryAfterMs: 7000,
      upstream: { status: 429 },
      advice: 'Wait 7 s before trying again.',
    },
  ],
  ['HttpError 401', () => call(throwing(new HttpError(401, 'bad key'))), { kind: 'unauthenticated', recovery: 'reauth', retryable: false }],
  ['HttpError 404', () => call(throwing(new HttpError(404, 'no account'))), { kind: 'not_found', recovery: 'fix_input', retryable: false }],
  ['HttpError 500', () => call(throwing(new HttpError(500, 'oops'))), { kind: 'upstream', recovery: 'wait', retryable: true }],
  [
    'fetch closed port (ECONNREFUSED)',
    () => call(() => fetch('http://127.0.0.1:2/pay?key=abc')),
    { kind: 'unreachable', retryable: true, cause: 'ECONNREFUSED', message: /^connect ECONNREFUSED$/ },
  ],
  [
    'fetch unknown host (ENOTFOUND)',
    () => call(() => fetch('http://no-such-host.invalid/')),
    { kind: 'unreachable', retryable: true, message: /no-such-host\.invalid/ },
  ],
  [
    'fetch + real AbortSignal.timeout(100)',
    () => call(() => fetch(origin, { signal: AbortSignal.timeout(100) })),
    { kind: 'timeout', retryable: true, recovery: 'wait' },
  ],
  [
    "tool's own AbortError (inner AbortController)",
    () =>
      call(() => {
        const inner = new AbortController();
        setImmediate(() => inner.abort());
        return fetch(origin, { signal: inner.signal });
      }),
    { kind: 'timeout', retryable: true, cause: 'AbortError' },
  ],
  [
    'args: missing field',
    () => call(() => 1, { account: 'a-1' }),
    { kind: 'invalid_input', recovery: 'fix_input', message: /amount is required/ },
  ],
  [
    'args: wrong type',
    () => call(() => 1, { account: 'a-1', amount: 'five' }),
    { kind: 'invalid_input', message: /amount expected a number, received string/ },
  ],
  [
    'args: malformed JSON string',
    () => call(() => 1, '{"account": "a-1" "amount": 5}'),
    { kind: 'invalid_input', message: /not valid JSON at character 18/ },
  ],
  ['args: null', () => call(() => 1, null), { kind: 'invalid_input', message: /null was sent/ }],
  ['args: array', () => call(() => 1, [good]), { kind: 'invalid_input', message: /an array was sent/ }],
  [
    'unknown tool name',
    () => call(() => 1, good, 'transfre'),
    { kind: 'unknown_tool', recovery: 'fix_input', message: /no tool named "transfre"/, advice: 'Did you mean "transfer"?' },
  ],
  [
    'result circular',
    () => call(circular),
    { kind: 'invalid_output', details: { path: 'self' }, message: /at self .* refers back to itself/ },
  ],
  [
    'result with throwing getter',
    () =>
      call(() => ({
        account: {
          get balance() {
            throw new Error('locked');
          },
        },
      })),
    { kind: 'invalid_output', details: { path: 'account.balance' } },
  ],
  [
    'result with throwing toJSON',
    () => call(() => ({ sum: { toJSON: throwing(new Error('x')) } })),
    { kind: 'invalid_output', details: { path: 'sum' } },
  ],
  ['result function', () => call(() => () => 1), { kind: 'invalid_output', message: /a function has no JSON form/ }],
  [
    'output violates declared output schema',
    () => {
      const run = () => ({ balance: 'twelve' }) as unknown as { balance: number };
      const broken = defineTool({
        name: 'balance',
        description: 'Balance.',
        output: z.object({ balance: z.number() }),
        effects: 'none',
        run,
      });
      return createToolbox([broken], silent).answer({ name: 'balance' });
    },
    { kind: 'invalid_output', recovery: 'stop', message: /balance expected a number, received string/ },
  ],
  [
    'secret in the error message',
    () => call(throwing(new Error('ledger does not add up for Bearer sk-live-4f9a8b7c6d5e4f3a2b1c'))),
    { message: /ledger does not add up/ },
  ],
];

test.each(failing)('%s ends as a failure that the model reads', async (_fault, outcome, { message, ...expected }) => {
  const result = await outcome();
  if (result.status !== 'error') expect.unreachable(`ended as ${result.status}`);
  expect(result.error).toMatchObject(expected);
  if (message !== undefined) expect(result.error.message).toMatch(message);
  const text = toModelText(result);
  expect(text).toContain(`[error: ${result.error.kind}`);
  expect(text).toContain(result.error.message);
  expect(text).not.toMatch(/4f9a8b7c6d5e|key=abc|\n {4}at /);
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
});

const passing: readonly (readonly [fault: string, outcome: () => Promise<Outcome>, data: unknown])[] = [
  ['args: extra field', () => call((args) => args, { ...good, note: 'x' }), good],
  [
    'args: __proto__ key',
    () =>
      call(
        (args) => ({ ...args, polluted: ({} as { admin?: boolean }).admin ?? false }),
        '{"account":"a-1","amount":5,"__proto__":{"admin":true}}',
      ),
    { ...good, polluted: false },
  ],
  ['tool name in wrong case', () => call((args) => args.amount, good, 'Transfer'), 5],
  ['result undefined', () => call(() => undefined), null],
  ['result contains BigInt', () => call(() => ({ balance: 12n })), { balance: '12' }],
  ['result Map', () => call(() => new Map([['a-1', 12]])), { 'a-1': 12 }],
  ['result Date', () => call(() => ({ at: new Date(0) })), { at: '1970-01-01T00:00:00.000Z' }],
  ['result class instance', () => call(() => new Account()), { id: 'a-1', balance: 12 }],
];

test.each(passing)('%s ends ok with useful data', async (_fault, outcome, data) => {
  expect(await outcome()).toMatchObject({ status: 'ok', data });
});

test('never-resolving promise (defaults) times out after 30 s, also where the tool ignores its signal', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // A fresh copy of the runtime, whose timers are the fake ones from the start.
  vi.resetModules();
  const fresh = await import('../src/index.ts');
  try {
    const hung = fresh.defineTool({
      name: 'hung',
      description: 'Never answers.',
      effects: 'none',
      run: () => new Promise(() => undefined),
    });
    const outcome = hung.call({});
    await vi.advanceTimersByTimeAsync(30_001);
    expect(await outcome).toMatchObject({ status: 'error', error: { kind: 'timeout', message: expect.stringContaining('30000 ms') } });
  } finally {
    vi.useRealTimers();
  }
});

test('blocks the event loop 1 s: the result is kept, and a passed deadline is said', async () => {
  const blocking = defineTool({
    name: 'block',
    description: 'Blocks.',
    effects: 'none',
    timeoutMs: 20,
    run: async () => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      return 'done';
    },
  });
  expect(await blocking.call({})).toMatchObject({
    status: 'ok',
    data: 'done',
    meta: { warnings: ['finished after its deadline of 20 ms'] },
  });
});

test('10 MB string result is cut, and the cut is said', async () => {
  const outcome = await call(() => ({ log: 'x'.repeat(10_485_760), id: 7 }));
  expect(outcome).toMatchObject({ status: 'ok', data: { id: 7 }, meta: { truncated: true } });
  expect(JSON.stringify(outcome).length).toBeLessThan(270_000);
  expect(toModelText(outcome)).toMatch(/\[cut: log: 10485760 characters, cut to \d+\]/);
});

test('handler mutates its input: neither the caller nor the outcome sees it', async () => {
  const args = { ...good };
  const outcome = await call((given) => {
    (given as { amount: number }).amount = 1_000_000;
    return given.amount;
  }, args);
  expect(args).toEqual(good);
  expect(outcome).toMatchObject({ status: 'ok', data: 1_000_000, input: good });
});

test('stray rejection after the handler resolved is contained and attributed to its tool', async () => {
  const strays: unknown[] = [];
  const told = new Promise<void>((resolve) => {
    const guard = containStrays({
      onStray: (stray) => {
        strays.push(stray);
        guard.stop();
        resolve();
      },
    });
    const leaky = defineTool({
      name: 'leaky',
      description: 'Forgets a promise.',
      effects: 'none',
      run: async () => {
        void Promise.reject(new Error('forgotten'));
        return 'fine';
      },
    });
    void createToolbox([leaky], { use: [guard] })
      .answer({ name: 'leaky' })
      .then((outcome) => expect(outcome).toMatchObject({ status: 'ok', data: 'fine' }));
  });
  await told;
  expect(strays).toMatchObject([{ tool: 'leaky', error: { message: 'forgotten' } }]);
});

test.each([
  ['one throws', { tool: 'transfer', args: { account: 'bad', amount: 1 } }, 'failed'],
  ['one with invalid args', { tool: 'transfer', args: {} }, 'invalid_input'],
  ['one unknown tool', { tool: 'nope', args: good }, 'unknown_tool'],
] as const)('2 parallel calls, %s: the sibling keeps its result', async (_fault, other, kind) => {
  const run = ({ account, amount }: z.infer<typeof input>) => (account === 'bad' ? throwing(new Error('no'))() : amount);
  const transfer = defineTool({ name: 'transfer', description: 'Moves money.', input, effects: 'none', run });
  const answers = await createToolbox([transfer], silent).batch([other, { id: 'second', tool: 'transfer', args: good }]);
  expect(answers).toMatchObject([
    { id: '0', outcome: { status: 'error', error: { kind } } },
    { id: 'second', outcome: { status: 'ok', data: 5 } },
  ]);
});
