import { coded } from '@toolpact/origins/coded';
import { createResources, createToolbox, defineResource, defineTool, type ResourceContract, type StandardSchemaV1 } from 'toolpact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { withOrigins } from '../../test/with-origins.ts';
import type { Identity } from '../auth/identity.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';
import { readyFacts } from './session-routes.ts';

afterEach(() => void vi.restoreAllMocks());

interface Notebook {
  readonly cells: string[];
}
type Contract = Partial<ResourceContract<Notebook, StandardSchemaV1<object, object>>>;

/** A server with a notebook that remembers what was written into it, and one backend more that does not come up. */
function setUp(options: ServerOptions = {}, contract: Contract = {}) {
  const log: string[] = [];
  let now = Date.parse('2026-11-15T12:00:00Z');
  const notebook = defineResource<Notebook, StandardSchemaV1<object, object>>({
    type: 'notebook',
    open: ({ worker }) => {
      log.push(`open ${worker}`);
      return { cells: [] };
    },
    close: () => void log.push('close'),
    ...contract,
  });
  const broken = defineResource({
    type: 'broken',
    open: () => {
      throw new Error('at /srv/secret/path');
    },
  });
  const resources = createResources([notebook, broken], { now: () => now });
  const write = defineTool({
    name: 'notebook:write',
    description: 'Writes into a notebook.',
    input: z.object({ text: z.string() }),
    effects: 'idempotent',
    resource: notebook,
    async run({ text }, ctx) {
      const { cells } = await ctx.resource(notebook);
      cells.push(text);
      return { cells: [...cells] };
    },
  });
  const toolbox = createToolbox([write], { resources, report: () => undefined });
  const server = createServer(toolbox, { ...withOrigins, ...options });
  const ask = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(
      new Request(`http://127.0.0.1:8080${path}`, {
        method,
        headers: { host: '127.0.0.1:8080', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, unknown> };
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { ask, log, resources, server, toolbox, pass };
}

const wire = {
  session_id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
  session_name: expect.stringMatching(/^notebook_w_\d{3}_mine$/),
  resource_type: 'notebook',
  worker_id: 'w',
  status: 'active',
  session_status: 'active',
  auto_created: false,
  shared: false,
  users: 0,
  config: { size: 1 },
  created_at: '2026-11-15T12:00:00.000Z',
  last_activity: '2026-11-15T12:00:00.000Z',
  expires_at: '2026-11-15T12:05:00.000Z',
};

test('a session is created, used by calls, listed, refreshed and destroyed', async () => {
  const { ask, log, pass } = setUp();
  const request = { worker_id: 'w', resource_type: 'notebook', config: { size: 1 }, name: 'mine' };
  const created = await ask('POST', '/v1/sessions', request);
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    code: 0,
    message: 'success',
    data: { ...wire, created: true },
    meta: {
      tool: 'session:create',
      execution_time_ms: expect.any(Number),
      resource_type: null,
      session_id: null,
      trace_id: expect.any(String),
    },
  });
  const { session_id: id } = created.body.data as { session_id: string };

  const calls = [
    await ask('POST', '/v1/tools/notebook:write', { text: 'a' }, { 'x-session-id': id }),
    await ask('POST', '/v1/tools/notebook:write?dialect=coded', { text: 'b' }, { 'x-worker-id': 'w' }),
    await ask('POST', '/v1/execute', { worker_id: 'w', action: 'notebook:write', params: { text: 'c' } }),
    await ask('POST', '/v1/execute', { session_id: id, action: 'notebook:write', params: { text: 'd' } }),
  ];
  expect(calls[0]?.body).toMatchObject({ status: 'ok', data: { cells: ['a'] }, meta: { sessionId: id, resourceType: 'notebook' } });
  expect(calls[1]?.body).toMatchObject({ code: 0, data: { cells: ['a', 'b'] }, meta: { session_id: id, resource_type: 'notebook' } });
  expect(calls[2]?.body).toMatchObject({ code: 0, data: { cells: ['a', 'b', 'c'] }, meta: { session_id: id } });
  expect(calls[3]?.body).toMatchObject({ code: 0, data: { cells: ['a', 'b', 'c', 'd'] } });

  pass(200_000);
  const refreshed = await ask('POST', `/v1/sessions/${id}/refresh`);
  expect(refreshed.body).toMatchObject({ code: 0, data: { total: 1, sessions: [{ expires_at: '2026-11-15T12:08:20.000Z' }] } });
  expect((await ask('GET', '/v1/sessions?worker_id=w')).body).toMatchObject({
    code: 0,
    data: { total: 1, sessions: [{ session_id: id }] },
  });
  expect((await ask('GET', `/v1/sessions/${id}`)).body).toMatchObject({ code: 0, data: { sessions: [{ session_id: id }] } });
  expect((await ask('GET', '/v1/sessions?worker_id=v')).body).toMatchObject({ code: 0, data: { total: 0, sessions: [] } });
  expect((await ask('DELETE', `/v1/sessions/${id}`)).body).toMatchObject({ code: 0, data: { total: 1, sessions: [{ session_id: id }] } });
  expect(log).toEqual(['open w', 'close']);
});

test('a call without a session gets a temporary one, and its answer names it', async () => {
  const { ask, log } = setUp();
  const { body } = await ask('POST', '/v1/execute', { worker_id: 'w', action: 'notebook:write', params: { text: 'a' } });
  expect(body).toMatchObject({ code: 0, meta: { session_id: wire.session_id, resource_type: 'notebook' } });
  const read = coded.decode(body);
  expect(read.ok && read.outcome.meta.sessionId).toBe((body as { meta: { session_id: string } }).meta.session_id);
  expect(log).toEqual(['open w', 'close']);
  const whole = await ask('POST', '/v1/execute?dialect=outcome', { worker_id: 'w', action: 'notebook:write', params: { text: 'a' } });
  expect(whole.body).toMatchObject({ status: 'ok', meta: { sessionId: wire.session_id, temporarySession: true } });
});

describe('what goes wrong', () => {
  test.each<[string, string, string, unknown, number, number]>([
    ['a session that is not there is refreshed', 'POST', '/v1/sessions/ses_00000000000000000000000000000000/refresh', undefined, 404, 4005],
    ['a session that is not there is destroyed', 'DELETE', '/v1/sessions/ses_00000000000000000000000000000000', undefined, 404, 4005],
    ['a resource that does not exist', 'POST', '/v1/sessions', { resource_type: 'browser' }, 400, 4003],
    ['no resource at all', 'POST', '/v1/sessions', { worker_id: 'w' }, 400, 4002],
    ['a worker that is no text', 'POST', '/v1/sessions', { worker_id: 7, resource_type: 'notebook' }, 400, 4003],
    ['a config that is a list', 'POST', '/v1/sessions', { resource_type: 'notebook', config: [] }, 400, 4003],
    ['a body that is a list', 'POST', '/v1/sessions', [], 400, 4001],
    ['everything is to be destroyed', 'DELETE', '/v1/sessions', undefined, 400, 4003],
    ['a resource that does not open', 'POST', '/v1/sessions', { resource_type: 'broken' }, 503, 4006],
  ])('%s', async (_, method, path, body, status, code) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { ask } = setUp();
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toContain('/srv/secret');
    expect(answer.headers.get('x-trace-id')).toBe((answer.body.meta as { trace_id: string }).trace_id);
  });

  test('a session that did not open is listed as an error and does not poison the next try', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let tries = 0;
    const { ask } = setUp(
      {},
      {
        open: () => {
          tries += 1;
          if (tries === 1) throw new Error('x');
          return { cells: [] };
        },
      },
    );
    expect((await ask('POST', '/v1/sessions', { worker_id: 'w', resource_type: 'notebook' })).body.code).toBe(4006);
    expect((await ask('GET', '/v1/sessions')).body).toMatchObject({ data: { sessions: [{ session_status: 'error' }] } });
    expect((await ask('POST', '/v1/tools/notebook:write', { text: 'a' }, { 'x-worker-id': 'w' })).body).toMatchObject({ status: 'ok' });
    expect((await ask('GET', '/v1/sessions')).body).toMatchObject({ data: { sessions: [{ session_status: 'active' }] } });
  });

  test('an expired session that a call names is 4006, not an empty one', async () => {
    const { ask, pass } = setUp();
    const { body } = await ask('POST', '/v1/sessions', { resource_type: 'notebook' });
    pass(300_000);
    const { session_id } = body.data as { session_id: string };
    expect(await ask('POST', '/v1/execute', { session_id, action: 'notebook:write', params: { text: 'a' } })).toMatchObject({
      status: 503,
      body: { code: 4006 },
    });
  });

  test('a backend that does not warm up is 5010, keeps the server from being ready, and is tried again', async () => {
    let isUp = false;
    const { ask } = setUp({}, { warmUp: () => (isUp ? 'up' : Promise.reject(new Error('index missing'))) });
    expect((await ask('GET', '/v1/warmup')).body).toEqual({ status: 'not_ready', resources: { notebook: 'cold', broken: 'ready' } });
    expect((await ask('GET', '/readyz')).status).toBe(200);
    const { status, body } = await ask('POST', '/v1/execute', { action: 'notebook:write', params: { text: 'a' } });
    expect([status, body.code]).toEqual([503, 5010]);
    isUp = true;
    expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, body: { reasons: ['a backend did not warm up'] } });
    expect((await ask('POST', '/v1/warmup')).body).toMatchObject({ status: 'ready', resources: { notebook: 'ready' } });
    expect((await ask('GET', '/readyz')).status).toBe(200);
  });

  test('a server whose tools have no resources has no sessions', async () => {
    const server = createServer(createToolbox([]), withOrigins);
    const response = await server.fetch(new Request('http://127.0.0.1/v1/sessions', { headers: { host: '127.0.0.1' } }));
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([501, 4001]);
  });
});

describe('several resources at once', () => {
  test('share a worker, and what failed is reported beside what did not', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { ask } = setUp();
    const { status, body } = await ask('POST', '/v1/sessions', {
      resource_types: ['notebook', 'broken'],
      config: { notebook: { size: 2 } },
    });
    expect(status).toBe(207);
    expect(body).toMatchObject({
      code: 5009,
      data: {
        worker_id: expect.stringMatching(/^worker_/),
        sessions: [{ resource_type: 'notebook', config: { size: 2 } }],
      },
    });
    expect((await ask('POST', '/v1/sessions', { resource_types: ['broken'] })).body.code).toBe(4006);
  });
});

describe('who may', () => {
  const keys: Readonly<Record<string, Identity>> = {
    a: { tenantId: 'a' },
    b: { tenantId: 'b' },
    narrow: { tenantId: 'a', scopes: ['tools:call:notebook:*'] },
    keeper: { tenantId: 'a', scopes: ['tools:call:notebook:*', 'sessions:admin'] },
  };
  const auth: ServerOptions = { auth: ({ headers }) => keys[headers.get('authorization') ?? ''], auditLog: false };
  const as = (key: string) => ({ authorization: key });

  test('see and end the sessions of a tenant: only that tenant', async () => {
    const { ask } = setUp(auth);
    const { body } = await ask('POST', '/v1/sessions', { worker_id: 'w', resource_type: 'notebook' }, as('a'));
    const { session_id: id } = body.data as { session_id: string };
    expect((await ask('GET', '/v1/sessions', undefined, as('a'))).body).toMatchObject({ data: { total: 1 } });
    expect((await ask('GET', '/v1/sessions', undefined, as('b'))).body).toMatchObject({ data: { total: 0 } });
    expect((await ask('DELETE', `/v1/sessions/${id}`, undefined, as('b'))).status).toBe(404);
    expect((await ask('POST', `/v1/sessions/${id}/refresh`, undefined, as('b'))).status).toBe(404);
    const stolen = await ask('POST', '/v1/tools/notebook:write', { text: 'x' }, { ...as('b'), 'x-session-id': id });
    expect(stolen.body).toMatchObject({ status: 'error', error: { details: { stage: 'session' } } });
  });

  test.each<[string, string, string, number]>([
    ['GET', '/v1/sessions', 'stranger', 401],
    ['GET', '/v1/sessions', 'narrow', 403],
    ['GET', '/v1/sessions', 'keeper', 200],
    ['GET', '/v1/warmup', 'stranger', 401],
    ['GET', '/v1/warmup', 'a', 200],
    ['POST', '/v1/warmup', 'a', 403],
    ['POST', '/v1/warmup', 'keeper', 200],
  ])('%s %s as %s is answered %i', async (method, path, key, status) => {
    const { ask } = setUp(auth);
    expect((await ask(method, path, undefined, as(key))).status).toBe(status);
  });
});

test.each<[string, object]>([
  ['outcome', { status: 'ok', data: { total: 0, sessions: [] } }],
  ['flat', { success: true, total: 0, sessions: [] }],
  ['value', { success: true, value: { total: 0, sessions: [] } }],
])('the dialect of an answer may be chosen: %s', async (dialect, expected) => {
  const { ask } = setUp();
  expect((await ask('GET', `/v1/sessions?dialect=${dialect}`)).body).toMatchObject(expected);
});

test('the facts of a server are counted, and closing it closes its sessions', async () => {
  const { ask, server, toolbox, log } = setUp();
  await ask('POST', '/v1/sessions', { worker_id: 'a', resource_type: 'notebook' });
  await ask('POST', '/v1/sessions', { worker_id: 'b', resource_type: 'notebook' });
  expect(readyFacts(toolbox)).toEqual({ tools_count: 1, active_workers: 2, total_sessions: 2 });
  expect(readyFacts(createToolbox([]))).toEqual({ tools_count: 0, active_workers: 0, total_sessions: 0 });
  await server.close();
  expect(log).toEqual(['open a', 'open b', 'close', 'close']);
  expect(readyFacts(toolbox)).toEqual({ tools_count: 1, active_workers: 0, total_sessions: 0 });
  expect((await ask('POST', '/v1/sessions', { resource_type: 'notebook' })).status).toBe(503);
});
