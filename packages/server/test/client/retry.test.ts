import { makeFailure } from 'toolpact/internal';
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { http, type RawServer, startRaw, toolList } from './raw-server.ts';

const path = '/v1/tools/t';
const busy = (retryAfterMs?: number): string =>
  http(
    503,
    JSON.stringify({
      status: 'error',
      error: makeFailure('not_ready', { message: 'Busy.', retryAfterMs }),
      meta: { tookMs: 1, attempts: 1 },
    }),
    {
      'toolpact-dialect': 'outcome',
    },
  );
const fine = http(200, '{"status":"ok","data":1,"meta":{"tookMs":1,"attempts":1}}', { 'toolpact-dialect': 'outcome' });
const wrong = http(
  400,
  JSON.stringify({ status: 'error', error: makeFailure('invalid_input', { message: 'No.' }), meta: { tookMs: 1, attempts: 1 } }),
);

let server: RawServer;
afterEach(() => server.close());

/** Starts a server whose tool is busy a few times, then fine. */
async function busyFor(times: number, effects: string, answer: string | undefined = busy()): Promise<void> {
  server = await startRaw((request, socket) => {
    if (request.method === 'GET') return socket.end(toolList('t', effects));
    if (server.count(path) > times) return socket.end(fine);
    return answer === undefined ? socket.destroy() : socket.end(answer);
  });
}
const make = (retry = {}) => createClient(server.url, { retry: { baseMs: 0, ...retry } });

describe('a call that may succeed later', () => {
  test.each([
    ['none', {}, 2, 'ok'],
    ['idempotent', {}, 2, 'ok'],
    ['writes', {}, 1, 'error'],
    ['writes', { idempotencyKey: 'k1' }, 2, 'ok'],
    ['writes', { idempotent: true }, 2, 'ok'],
    ['writes', { effects: 'idempotent' }, 2, 'ok'],
    ['none', { effects: 'writes' }, 1, 'error'],
  ] as const)('of a tool with effects %s and %j is sent %i times', async (effects, options, times, status) => {
    await busyFor(1, effects);
    const outcome = await make().call('t', {}, options);
    expect([server.count(path), outcome.status]).toEqual([times, status]);
  });

  test.each([
    ['none', {}, 2, 'ok'],
    ['writes', {}, 1, 'error'],
    ['writes', { idempotent: true }, 2, 'ok'],
  ] as const)('of a tool with effects %s and %j is sent %i times when the connection breaks', async (effects, options, times, status) => {
    await busyFor(1, effects, undefined);
    const outcome = await make().call('t', {}, options);
    expect([server.count(path), outcome.status]).toEqual([times, status]);
  });

  test('carries the same key every time, a new one for every call', async () => {
    await busyFor(1, 'writes');
    const client = make();
    await client.call('t', {}, { idempotent: true });
    await client.call('t', {}, { idempotent: true });
    const keys = server.asked.filter((one) => one.path === path).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, keys[0] === keys[1], keys[1] === keys[2]]).toEqual([3, true, false]);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  test('is given up after as many attempts as allowed', async () => {
    await busyFor(100, 'none');
    expect((await make({ attempts: 4 }).call('t', {})).status).toBe('error');
    expect(server.count(path)).toBe(4);
  });

  test('waits as long as it is asked to, and not at all when that does not fit into its time', async () => {
    await busyFor(1, 'none', busy(60_000));
    const outcome = await make().call('t', {}, { timeoutMs: 1_000 });
    expect([server.count(path), outcome]).toMatchObject([1, { status: 'error', error: { retryAfterMs: 60_000 } }]);
  });

  test('reads the wait of the header where the body says none', async () => {
    await busyFor(1, 'none', http(503, '<h1>Busy</h1>', { 'retry-after': '60', 'content-type': 'text/html' }));
    const outcome = await make().call('t', {}, { timeoutMs: 1_000 });
    expect([server.count(path), outcome]).toMatchObject([1, { status: 'error', error: { retryAfterMs: 60_000 } }]);
  });

  test('is not sent again once its caller has stopped it', async () => {
    await busyFor(1, 'none', busy(30_000));
    const leaving = new AbortController();
    const asked = make().call('t', {}, { signal: leaving.signal });
    while (server.count(path) === 0) await new Promise(setImmediate);
    leaving.abort();
    expect(await asked).toMatchObject({ error: { kind: 'cancelled' } });
    expect(server.count(path)).toBe(1);
  });
});

test('a call that cannot succeed is sent once, and the server is not asked about the tool', async () => {
  await busyFor(1, 'none', wrong);
  expect(await make().call('t', {})).toMatchObject({ error: { kind: 'invalid_input' } });
  expect(server.asked.map((one) => one.path)).toEqual([path]);
});

test('what a tool does is asked once, however it is spelled', async () => {
  await busyFor(1, 'none');
  const client = make();
  await client.call('t', {});
  await client.call('T', {});
  expect(server.asked.filter(({ method }) => method === 'GET').length).toBe(1);
});

test('a server that does not say what its tools do is taken to have tools that write', async () => {
  server = await startRaw((request, socket) => socket.end(request.method === 'GET' ? http(404, '') : busy()));
  expect((await make().call('t', {})).status).toBe('error');
  expect(server.count(path)).toBe(1);
});

test('retries can be switched off', async () => {
  await busyFor(1, 'none');
  expect((await createClient(server.url, { retry: false }).call('t', {})).status).toBe('error');
  expect(server.count(path)).toBe(1);
});

test('a batch is sent again only when all its tools are known to do no harm', async () => {
  server = await startRaw((request, socket) => socket.end(request.method === 'GET' ? toolList('t', 'none') : busy()));
  const client = make();
  const calls = [{ tool: 't', args: {} }];
  expect(await client.batch(calls)).toMatchObject([{ id: '0', outcome: { status: 'error', error: { kind: 'not_ready' } } }]);
  expect(server.count('/v1/batch')).toBe(1);
  await client.list();
  await client.batch(calls);
  expect(server.count('/v1/batch')).toBe(4);
  await client.batch([...calls, { tool: 'other', args: {} }]);
  expect(server.count('/v1/batch')).toBe(5);
});

test.each([
  ['a key of its own', {}, { idempotencyKey: 'k' }, 3],
  ['a key that is made for it', {}, { idempotent: true }, 3],
  ['a key for each call', { idempotencyKey: 'k' }, {}, 3],
  ['no key', {}, {}, 1],
])('a batch of writing tools with %s is sent as often as that allows, with the same key', async (_, item, options, times) => {
  const keys: unknown[] = [];
  server = await startRaw((request, socket) => {
    if (request.method === 'POST') keys.push(request.headers['idempotency-key']);
    socket.end(request.method === 'GET' ? toolList('t', 'writes') : busy());
  });
  const client = make();
  await client.list();
  await client.batch([{ tool: 't', args: {}, ...item }], options);
  expect([keys.length, new Set(keys).size]).toEqual([times, 1]);
  const isSent = 'idempotencyKey' in options || 'idempotent' in options;
  expect(keys[0]).toEqual(isSent ? ('idempotencyKey' in options ? 'k' : expect.any(String)) : undefined);
});
