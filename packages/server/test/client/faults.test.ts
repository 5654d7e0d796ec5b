import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { http, type RawRequest, type RawServer, startRaw, toolList } from './raw-server.ts';

type Answer = Parameters<typeof startRaw>[0];
let server: RawServer | undefined;
afterEach(() => server?.close());

/** Starts a server with one tool of these effects, which answers calls in a broken way. */
async function broken(effects: string, answer: Answer): Promise<RawServer> {
  server = await startRaw((request, socket) => {
    if (request.method === 'GET') socket.end(toolList('t', effects));
    else answer(request, socket);
  });
  return server;
}
const part = '{"status":"ok","data":{"sum":3},"meta":{"tookMs":1,"att';
const whole = '{"status":"ok","data":{"sum":3},"meta":{"tookMs":1,"attempts":1}}';
const html = '<!doctype html><h1>Bad Gateway</h1>';

const faults: readonly (readonly [title: string, answer: Answer, kind: string, isRetryable: boolean])[] = [
  ['hangs up at once', (_, socket) => socket.destroy(), 'unreachable', true],
  ['resets the connection', (_, socket) => socket.resetAndDestroy(), 'unreachable', true],
  [
    'hangs up in the middle of the body',
    (_, socket) => socket.write(http(200, part, { 'content-length': '500' }), () => socket.destroy()),
    'unreachable',
    true,
  ],
  ['sends truncated JSON as if it were whole', (_, socket) => socket.end(http(200, part)), 'bad_response', false],
  ['answers with a page of its proxy', (_, socket) => socket.end(http(502, html, { 'content-type': 'text/html' })), 'upstream', true],
  ['answers 200 with a page', (_, socket) => socket.end(http(200, html, { 'content-type': 'text/html' })), 'bad_response', false],
  [
    'answers with bytes that it wrongly calls compressed',
    (_, socket) => socket.end(http(200, whole, { 'content-encoding': 'gzip' })),
    'bad_response',
    false,
  ],
  [
    'answers with bytes that it wrongly calls compressed in the newest way',
    (_, socket) => socket.end(http(200, whole, { 'content-encoding': 'zstd' })),
    'bad_response',
    false,
  ],
  ['fails so, with status 500', (_, socket) => socket.end(http(500, whole, { 'content-encoding': 'br' })), 'upstream', true],
  ['answers with nothing', (_, socket) => socket.end(http(200, '')), 'bad_response', false],
  ['answers 503 with nothing', (_, socket) => socket.end(http(503, '')), 'upstream', true],
  ['does not speak HTTP', (_, socket) => socket.end('hello\r\n\r\n'), 'bad_response', false],
  ['answers JSON that is no outcome', (_, socket) => socket.end(http(200, '{"hello":"you"}')), 'bad_response', false],
  [
    'answers an outcome that is not sound',
    (_, socket) => socket.end(http(200, '{"status":"ok","meta":{"tookMs":1}}')),
    'bad_response',
    false,
  ],
  ['says ok with status 500', (_, socket) => socket.end(http(500, whole)), 'upstream', true],
  ['sends callers elsewhere', (_, socket) => socket.end(http(307, '', { location: 'http://127.0.0.1:1/' })), 'bad_response', false],
  ['asks for a login', (_, socket) => socket.end(http(401, html, { 'content-type': 'text/html' })), 'unauthenticated', false],
  ['sends more than anybody reads', (_, socket) => socket.end(http(200, 'x'.repeat(5_000))), 'bad_response', false],
];

describe.each(faults)('a server that %s', (_, answer, kind, isRetryable) => {
  const options = { retry: false, maxAnswerBytes: 4_000 } as const;

  test('is a failure, and a tool that changes nothing may be called again', async () => {
    const { url } = await broken('none', answer);
    const outcome = await createClient(url, options).call('t', {}, { effects: 'none' });
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind, retryable: isRetryable, effect: 'none' },
      meta: { tool: 't', attempts: 1 },
    });
  });

  test('leaves open whether a writing tool did its work, unless it says otherwise or refuses the request', async () => {
    const { url } = await broken('writes', answer);
    const outcome = await createClient(url, options).call('t', {});
    const isRefused = kind === 'unauthenticated';
    const error = isRefused ? { recovery: 'reauth', effect: 'none' } : { recovery: 'verify', effect: 'unknown' };
    expect(outcome).toMatchObject({ status: 'error', error: { kind, retryable: false, ...error } });
  });
});

test('a server that is not there has done nothing', async () => {
  const gone = await startRaw(() => {});
  await gone.close();
  const outcome = await createClient(gone.url, { retry: false }).call('t', {});
  expect(outcome).toMatchObject({
    status: 'error',
    error: { kind: 'unreachable', effect: 'none', retryable: true, cause: 'ECONNREFUSED' },
  });
});

test.each([
  ['no head', (socket: { write(text: string): unknown }) => void socket],
  ['no body', (socket: { write(text: string): unknown }) => void socket.write(http(200, part, { 'content-length': '500' }))],
])('a server that sends %s in time is late, and the connection is closed', async (_, send) => {
  const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url } = await broken('writes', (__, socket) => {
    socket.on('close', () => closed.resolve());
    send(socket);
    begun.resolve();
  });
  // The time of the call is over once the server has it, and not before.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const called = createClient(url)
    .call('t', {}, { timeoutMs: 40 })
    .finally(() => {
      isOver = true;
    });
  await begun.promise;
  // The client may set a timer for the body after it has read the head.
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(40);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const outcome = await called;
  vi.useRealTimers();
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'unknown', recovery: 'verify' } });
  await closed.promise;
});

test('a caller that stops a call gets an outcome at once, and the server sees the connection close', async () => {
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { url } = await broken('writes', (_, socket) => {
    socket.on('close', () => closed.resolve());
    begun.resolve();
  });
  const leaving = new AbortController();
  const asked = createClient(url).call('t', {}, { signal: leaving.signal });
  await begun.promise;
  leaving.abort(new Error('the user left'));
  expect(await asked).toMatchObject({
    status: 'error',
    error: { kind: 'cancelled', effect: 'unknown', recovery: 'verify', retryable: false },
  });
  await closed.promise;
  expect(await createClient(url).call('t', {}, { signal: leaving.signal, effects: 'none' })).toMatchObject({
    error: { kind: 'cancelled', effect: 'none' },
  });
});

test.each([
  [
    'arguments that are no JSON',
    { args: { n: 1n }, options: {} },
    'The arguments cannot be sent: JSON cannot hold them. Leave out cycles and BigInt values.',
  ],
  [
    'an id that no header can hold',
    { args: {}, options: { runId: '流' } },
    'The header x-run-id cannot be sent: it holds a character that no header can hold.',
  ],
])('%s are not sent', async (_, { args, options }, message) => {
  const { url, asked } = await broken('none', (__, socket) => socket.end(http(200, whole)));
  expect(await createClient(url).call('t', args, options)).toMatchObject({
    status: 'error',
    error: { kind: 'invalid_input', message, effect: 'none' },
    meta: { attempts: 0 },
  });
  expect(asked).toEqual([]);
});

test.each([
  ['a call that was stopped before', { signal: AbortSignal.abort() }, 'cancelled', 'The caller stopped the call before it was sent.'],
  ['a call without time', { timeoutMs: 0 }, 'timeout', 'No time was left to send the call.'],
])('%s is not sent, and has changed nothing', async (_, options, kind, message) => {
  const { url, asked } = await broken('writes', (__, socket) => socket.end(http(200, whole)));
  expect(await createClient(url).call('t', {}, options)).toMatchObject({
    error: { kind, message, effect: 'none' },
    meta: { attempts: 0 },
  });
  expect(asked).toEqual([]);
});

test('an option that does not exist is named, and nothing is sent', async () => {
  const { url, asked } = await broken('none', (_, socket) => socket.end(http(200, whole)));
  const client = createClient(url);
  const refused = (key: string) => ({ error: { kind: 'not_configured', details: { key }, effect: 'none' }, meta: { attempts: 0 } });
  expect(await client.call('t', {}, { idempotencykey: 'order-1' } as never)).toMatchObject(refused('idempotencykey'));
  expect(await client.batch([{ tool: 't', args: {} }], { stopOnErr: true } as never)).toMatchObject([{ outcome: refused('stopOnErr') }]);
  expect(await client.list({ timeout: 5 } as never)).toMatchObject(refused('timeout'));
  expect(asked).toEqual([]);
  expect(() => client.with({ runID: 'x' } as never)).toThrow('client.with: the option "runID" does not exist. Did you mean "runId"?');
});

test('a token that cannot be had is an outcome too', async () => {
  const { url } = await broken('none', (_, socket) => socket.end(http(200, whole)));
  const token = () => Promise.reject(new Error('invalid_grant'));
  expect((await createClient(url, { token }).call('t', {})).status).toBe('error');
});

test.each([
  ['an address that is none', () => createClient('nowhere')],
  ['another protocol', () => createClient('ftp://127.0.0.1')],
  ['credentials in the address', () => createClient('http://me:secret@127.0.0.1')],
  ['no time', () => createClient('http://127.0.0.1', { timeoutMs: 0 })],
  ['no attempts', () => createClient('http://127.0.0.1', { retry: { attempts: 0 } })],
])('%s is refused when the client is made', (_, make) => {
  expect(make).toThrow(TypeError);
});

describe('a stream of events', () => {
  const head = http(200, '', { 'content-type': 'text/event-stream', 'content-length': '100000', 'toolpact-dialect': 'outcome' });
  const progress = 'event: progress\ndata: {"done":1,"total":2}\n\n';

  test('that is cut in the middle is a failure, after the progress that was heard', async () => {
    const { url } = await broken('writes', (_, socket) =>
      socket.write(`${head}: hello\n\n${progress}event: outcome\ndata: {"sta`, () => setImmediate(() => socket.destroy())),
    );
    const heard: unknown[] = [];
    const outcome = await createClient(url).call('t', {}, { onProgress: (one) => heard.push(one) });
    expect(heard).toEqual([{ done: 1, total: 2 }]);
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'unreachable', effect: 'unknown', recovery: 'verify' } });
  });

  test('that ends politely without an outcome is the same', async () => {
    const { url } = await broken('writes', (_, socket) => socket.end(`${http(200, progress, { 'content-type': 'text/event-stream' })}`));
    const outcome = await createClient(url).call('t', {}, { onProgress: () => {} });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'unreachable', effect: 'unknown', recovery: 'verify' } });
  });

  test('is not disturbed by a listener that throws, nor by an event that is no JSON', async () => {
    const body = `${progress}event: progress\ndata: {\n\nevent: outcome\ndata: ${whole}\n\n`;
    const { url } = await broken('none', (_, socket) => socket.write(`${head}${body}`));
    const outcome = await createClient(url).call(
      't',
      {},
      {
        onProgress: () => {
          throw new Error('no');
        },
      },
    );
    expect(outcome).toMatchObject({ status: 'ok', data: { sum: 3 } });
  });

  test('that is cut is asked for again where that does no harm', async () => {
    const { url, count } = await broken('none', (request: RawRequest, socket) => {
      if (request.headers['x-retry-attempt'] === undefined) socket.write(head, () => socket.destroy());
      else socket.write(`${head}event: outcome\ndata: ${whole}\n\n`);
    });
    expect(await createClient(url, { retry: { baseMs: 0 } }).call('t', {}, { onProgress: () => {} })).toMatchObject({ status: 'ok' });
    expect(count('/v1/tools/t')).toBe(2);
  });
});
