import type { CallContext } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMcpApproval } from './approval.ts';
import type { McpCaller } from './caller.ts';
import { createMcpServers } from './servers.ts';
import { createMcpSessions, type McpSessions } from './sessions.ts';
import type { McpNotifier, McpSettings } from './settings.ts';

let stopped = Promise.withResolvers<string>();
const add = defineTool({ name: 'add', description: 'Adds.', effects: 'none', run: () => 3 });
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is stopped.',
  effects: 'none',
  run: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        stopped.resolve('stopped');
        reject(signal.reason as Error);
      });
    }),
});
let released = Promise.withResolvers<string>();
const later = defineTool({ name: 'later', description: 'Waits until it is released.', effects: 'none', run: () => released.promise });
const toolbox = createToolbox([add, wait, later], { report: () => undefined });
const silent: McpNotifier = {
  toolsChanged: () => undefined,
  promptsChanged: () => undefined,
  resourcesChanged: () => undefined,
  resourceUpdated: () => undefined,
};

const callerNamed = (key: string): McpCaller => ({
  key,
  mayDecide: false,
  mayCall: () => true,
  call: (call, context) => toolbox.answer(call, context as CallContext<never>),
});
const ann = callerNamed('ann');

let open: McpSessions | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await open?.close();
});

function create(limits: McpSettings['sessions'], now?: () => number, configure?: McpSettings['configure']): McpSessions {
  stopped = Promise.withResolvers<string>();
  released = Promise.withResolvers<string>();
  const settings = configure === undefined ? {} : { configure };
  open = createMcpSessions(createMcpServers(toolbox, createMcpApproval({}), settings), silent, limits ?? {}, now);
  return open;
}

function ask(method: string, session?: string | null, init: RequestInit = {}): Request {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Request('http://localhost/mcp', {
    method,
    headers: { ...headers, ...(typeof session === 'string' && { 'mcp-session-id': session }) },
    ...init,
  });
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};
const call = (name: string) => ({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: {} } });

async function greet(sessions: McpSessions, caller = ann): Promise<string | null> {
  const response = await sessions.fetch(ask('POST'), caller, hello);
  expect(await response.text()).toContain('"protocolVersion":"2025-11-25"');
  return response.headers.get('mcp-session-id');
}

async function statusOf(sessions: McpSessions, session: string | null, caller = ann): Promise<number> {
  const response = await sessions.fetch(ask('POST', session), caller, call('add'));
  await response.text();
  return response.status;
}

test('a session answers only the caller that opened it', async () => {
  const sessions = create({});
  const session = await greet(sessions);
  expect(await statusOf(sessions, session)).toBe(200);
  expect(await statusOf(sessions, session, callerNamed('ben'))).toBe(404);
  expect(await statusOf(sessions, 'made-up')).toBe(404);
});

test('a session ends when its client deletes it', async () => {
  const sessions = create({});
  const session = await greet(sessions);
  expect((await sessions.fetch(ask('DELETE', session), ann, undefined)).status).toBe(200);
  expect(sessions.size).toBe(0);
  expect(await statusOf(sessions, session)).toBe(404);
});

test('a request with the id of one that is not answered yet is refused, and the first gets its answer', async () => {
  const sessions = create({});
  const session = await greet(sessions);
  const first = await sessions.fetch(ask('POST', session), ann, call('later'));
  const second = await sessions.fetch(ask('POST', session), ann, call('add'));
  expect([second.status, await second.json()]).toEqual([
    400,
    {
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32600, message: 'Invalid request: another request that is not answered yet has the same id' },
    },
  ]);
  expect(
    (
      await sessions.fetch(ask('POST', session), ann, [
        { ...call('add'), id: 3 },
        { ...call('add'), id: 3 },
      ])
    ).status,
  ).toBe(400);
  released.resolve('done');
  expect(await first.text()).toContain('done');
  expect(await statusOf(sessions, session)).toBe(200);
});

test('two requests of one batch with the same id are refused outside of a session too', async () => {
  const response = await create({}).fetch(ask('POST'), ann, [call('add'), call('add')]);
  expect([response.status, await response.json()]).toMatchObject([400, { id: 2, error: { code: -32600 } }]);
});

test('a session that was idle for too long ends', async () => {
  vi.useFakeTimers();
  const sessions = create({ idleMs: 1_000 }, () => Date.now());
  const idle = await greet(sessions);
  const listening = await greet(sessions);
  // An open stream is no idleness.
  const stream = await sessions.fetch(ask('GET', listening), ann, undefined);
  await vi.advanceTimersByTimeAsync(1_600);
  expect(sessions.size).toBe(1);
  expect(await statusOf(sessions, idle)).toBe(404);
  await stream.body?.cancel();
  await vi.advanceTimersByTimeAsync(1_600);
  expect(sessions.size).toBe(0);
});

test('the session idle for longest makes room for a new one', async () => {
  let clock = 0;
  const sessions = create({ max: 2 }, () => ++clock);
  const [first, second] = [await greet(sessions), await greet(sessions)];
  expect(await statusOf(sessions, first)).toBe(200);
  const third = await greet(sessions);
  expect(sessions.size).toBe(2);
  expect(await Promise.all([first, second, third].map((session) => statusOf(sessions, session)))).toEqual([200, 404, 200]);
});

test('a caller that opens many sessions replaces its own first', async () => {
  let clock = 0;
  const sessions = create({ max: 2 }, () => ++clock);
  const ben = callerNamed('ben');
  const first = await greet(sessions, ben);
  for (let time = 0; time < 5; time += 1) await greet(sessions);
  expect(await statusOf(sessions, first, ben)).toBe(200);
});

test('a client is served without a session when all others are busy, or there are to be none', async () => {
  const busy = create({ max: 1 });
  const stream = await busy.fetch(ask('GET', await greet(busy)), ann, undefined);
  expect(await greet(busy)).toBeNull();
  expect(busy.size).toBe(1);
  await stream.body?.cancel();
  await busy.close();
  const none = create(false);
  expect(await greet(none)).toBeNull();
  expect(await statusOf(none, null)).toBe(200);
});

test('a handshake that is refused opens nothing', async () => {
  const sessions = create({});
  const response = await sessions.fetch(
    ask('POST', null, { headers: { accept: 'text/html', 'content-type': 'application/json' } }),
    ann,
    hello,
  );
  expect(response.status).toBe(406);
  expect(sessions.size).toBe(0);
});

test.each<[string, (body: ReadableStream<Uint8Array>, sessions: McpSessions) => Promise<unknown>]>([
  ['its client goes away', (body) => body.cancel()],
  ['the server closes', (_, sessions) => sessions.close()],
])('a call in a session is stopped when %s', async (_, end) => {
  const sessions = create({});
  const response = await sessions.fetch(ask('POST', await greet(sessions)), ann, call('wait'));
  if (response.body === null) throw new Error('no stream');
  await end(response.body, sessions);
  expect(await stopped.promise).toBe('stopped');
});

describe('a call that its client cancels', () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'enough' } };

  test('is stopped, and its stream ends', async () => {
    const sessions = create({});
    const session = await greet(sessions);
    const response = await sessions.fetch(ask('POST', session), ann, call('wait'));
    expect((await sessions.fetch(ask('POST', session), ann, cancelled)).status).toBe(202);
    expect(await response.text()).not.toContain('"result"');
    expect(await stopped.promise).toBe('stopped');
    expect(await statusOf(sessions, session)).toBe(200);
  });

  test('leaves the stream to the other requests of its list', async () => {
    const sessions = create({});
    const session = await greet(sessions);
    const response = await sessions.fetch(ask('POST', session), ann, [call('wait'), { ...call('later'), id: 3 }]);
    await sessions.fetch(ask('POST', session), ann, cancelled);
    released.resolve('the other one');
    expect(await response.text()).toContain('the other one');
    expect(await stopped.promise).toBe('stopped');
  });

  test('may be over, or unknown', async () => {
    const sessions = create({});
    const session = await greet(sessions);
    expect(await statusOf(sessions, session)).toBe(200);
    for (const params of [{ requestId: 2 }, { requestId: 'made-up' }, null])
      await sessions.fetch(ask('POST', session), ann, { ...cancelled, params });
    expect(await statusOf(sessions, session)).toBe(200);
  });
});

test('a change is announced to every session, one of a resource to those that subscribed', async () => {
  const sessions = create({}, undefined, ({ server }) => {
    server.registerCapabilities({ resources: { subscribe: true } });
    server.setRequestHandler('resources/subscribe', () => ({}));
  });
  const heard: string[] = [];
  const [first, second] = [await greet(sessions), await greet(sessions)];
  const subscribe = { jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri: 'test://a' } };
  await (await sessions.fetch(ask('POST', second), ann, subscribe)).text();
  sessions.tell((server, isSubscribed) => heard.push(`${server.isConnected()} ${isSubscribed('test://a')} ${isSubscribed('test://b')}`));
  await Promise.resolve();
  expect(first).not.toBe(second);
  expect(heard).toEqual(['true false false', 'true true false']);
});

test('subscriptions are bounded in number and length, and kept as hashes', async () => {
  const sessions = create({});
  const session = await greet(sessions);
  const subscribe = (uri: string, id = 3) => ({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } });
  const long = `test://${'x'.repeat(1_000_000)}`;
  for (const body of [subscribe(long), Array.from({ length: 1_200 }, (_, at) => subscribe(`test://${at}`, at))]) {
    await (await sessions.fetch(ask('POST', session), ann, body)).text();
  }
  const heard: boolean[] = [];
  sessions.tell((_, isSubscribed) =>
    heard.push(isSubscribed(long), isSubscribed('test://0'), isSubscribed('test://999'), isSubscribed('test://1000')),
  );
  await Promise.resolve();
  expect(heard).toEqual([false, true, true, false]);
});

test('a tenant with many busy sessions neither ends the idle ones of another nor keeps it from new ones', async () => {
  let clock = 0;
  const sessions = create({ max: 6 }, () => ++clock);
  const of = (tenantId: string, key: string): McpCaller => ({ ...callerNamed(key), tenantId });
  const idle = await greet(sessions, of('a', 'ann'));
  const streams: Response[] = [];
  for (let at = 0; at < 10; at += 1) {
    const session = await greet(sessions, of('b', `ben${at}`)).catch(() => null);
    if (session !== null) streams.push(await sessions.fetch(ask('GET', session), of('b', `ben${at}`), undefined));
  }
  expect([streams.length, sessions.size]).toEqual([5, 6]);
  expect(await statusOf(sessions, idle, of('a', 'ann'))).toBe(200);
  // Each of the two tenants has a share of three.
  const own = [await greet(sessions, of('a', 'ada')), await greet(sessions, of('a', 'amy'))];
  expect(own.every((session) => session !== null)).toBe(true);
  expect(await statusOf(sessions, idle, of('a', 'ann'))).toBe(200);
  expect(sessions.size).toBe(6);
  for (const { body } of streams) await body?.cancel();
});
