import { type Authenticate, createServer, type ServerOptions } from '@toolpact/server';
import { createResources, createToolbox, defineResource, defineTool, type Preset } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { preset as flat } from '../../flat/preset.ts';
import { preset as status } from '../../status/preset.ts';
import { preset as value } from '../../value/preset.ts';
import { preset as coded } from '../preset.ts';
import { codedPaths } from './coded-paths.ts';

/** A server of that system: tools with and without a resource, one backend that opens, and one that does not. */
function setUp(options: ServerOptions = {}, preset: Preset | undefined = coded) {
  let now = Date.parse('2026-11-15T12:00:00Z');
  const rag = defineResource({ type: 'rag', open: () => ({ documents: ['a'] }) });
  const vm = defineResource({
    type: 'vm',
    open: () => {
      throw new Error('no display');
    },
    warmUp: () => {
      throw new Error('no display');
    },
  });
  const resources = createResources([rag, vm], { now: () => now });
  const tools = [
    defineTool({
      name: 'my_tool',
      description: 'Echoes a query.',
      input: z.strictObject({ query: z.string().min(1), top_k: z.int().default(5) }),
      effects: 'none',
      resourceType: 'my_resource',
      run: ({ query, top_k }) => {
        if (query === 'boom') throw new Error('it broke\nsecond line');
        return { result: `found ${top_k}`, query };
      },
    }),
    defineTool({
      name: 'rag:search',
      description: 'Searches documents.',
      input: z.object({ query: z.string() }),
      effects: 'none',
      resource: rag,
      run: async ({ query }, ctx) => ({ query, context: (await ctx.resource(rag)).documents.join() }),
    }),
    defineTool({ name: 'web:search', description: 'Searches the web.', input: z.object({ query: z.string() }), run: () => ({}) }),
    defineTool({
      name: 'traced',
      description: '[HIDDEN] Has a trace id of its own.',
      input: z.object({ trace_id: z.string() }),
      run: (input) => input,
    }),
  ];
  const toolbox = createToolbox(tools, { ...(preset && { preset }), resources, report: () => undefined });
  const server = createServer(toolbox, options);
  const ask = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(
      new Request(`http://127.0.0.1:8080${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown> & { meta: Record<string, unknown>; data: never },
    };
  };
  const post = (path: string, body: unknown = {}, headers?: Readonly<Record<string, string>>) =>
    ask('POST', `/api/v1${path}`, body, headers);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { server, ask, post, pass };
}

const worker = { worker_id: 'w1' };
const text = expect.any(String) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string;
const meta = (tool: string, more: object = {}) => ({
  tool,
  execution_time_ms: expect.any(Number) as number,
  resource_type: null,
  session_id: null,
  trace_id: text,
  ...more,
});
const sessionMeta = (tool: string, session_id: string | null = null) => meta(tool, { resource_type: 'session', session_id });

describe('/api/v1/execute', () => {
  test('answers a call in the envelope', async () => {
    const { status, body } = await setUp().post('/execute', { ...worker, action: 'my_tool', params: { query: 'test' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 0,
      message: 'success',
      data: { result: 'found 5', query: 'test' },
      meta: meta('my_tool', { resource_type: 'my_resource' }),
    });
    expect(body.meta.execution_time_ms).toBeGreaterThan(0);
  });

  test.each<[string, unknown, number, number, string | RegExp]>([
    ['a thrown error', { action: 'my_tool', params: { query: 'boom' } }, 500, 5004, 'it broke\nsecond line'],
    ['a missing parameter', { action: 'my_tool', params: {} }, 400, 4002, /query/],
    ['a wrong type', { action: 'my_tool', params: { query: 5 } }, 400, 4003, /query/],
    ['an unknown tool', { action: 'nothing', params: {} }, 400, 4001, /nothing/],
    ['an ambiguous name', { action: 'search', params: {} }, 400, 4001, /rag:search.*web:search/],
    ['no action', { params: {} }, 400, 4002, /action is missing/],
    ['a body that is no object', [], 400, 4001, /JSON object/],
  ])('answers %s with a number and its status', async (_, body, status, code, message) => {
    const answer = await setUp().post('/execute', Array.isArray(body) ? body : { ...worker, ...(body as object) });
    expect(answer).toMatchObject({ status, body: { code, meta: { trace_id: text } } });
    expect(answer.body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('names the kind of resource on failures too', async () => {
    const { body } = await setUp().post('/execute', { ...worker, action: 'my_tool', params: { query: 'boom' } });
    expect(body).toEqual({
      code: 5004,
      message: 'it broke\nsecond line',
      data: null,
      meta: meta('my_tool', { resource_type: 'my_resource' }),
    });
  });

  test('takes the trace and the session from the parameters, unless the tool has such parameters', async () => {
    const { post } = setUp();
    const ids = { trace_id: 'trace-of-params', session_id: 'session-of-params' };
    const taken = await post('/execute', { ...worker, action: 'my_tool', params: { query: 'x', ...ids } });
    expect(taken.body).toMatchObject({ code: 0, meta: ids });
    const own = await post('/execute', { ...worker, action: 'traced', params: { trace_id: 'trace-of-params' } });
    expect(own.body).toMatchObject({ code: 0, data: { trace_id: 'trace-of-params' }, meta: { trace_id: 'trace-of-params' } });
    const stated = await post('/execute', { ...worker, action: 'my_tool', trace_id: 'stated', params: { query: 'x', ...ids } });
    expect(stated.body).toMatchObject({ meta: { trace_id: 'stated' } });
  });

  test('writes a temporary session without a field of its own', async () => {
    const { body } = await setUp().post('/execute', { ...worker, action: 'rag:search', params: { query: 'q' } });
    expect(body).toEqual({
      code: 0,
      message: 'success',
      data: { query: 'q', context: 'a' },
      meta: meta('rag:search', { resource_type: 'rag', session_id: text }),
    });
  });
});

describe('/api/v1/execute/batch', () => {
  const good = { action: 'my_tool', params: { query: 'x' } };
  const bad = { action: 'my_tool', params: { query: 'boom' } };

  test.each<[string, object, number, number, string, object]>([
    ['all succeed', { actions: [good, good] }, 200, 0, 'success', { total: 2, executed: 2, success_count: 2 }],
    [
      'the rest is skipped',
      { actions: [good, bad, good] },
      207,
      5009,
      '1 out of 2 items failed',
      { total: 3, executed: 2, success_count: 1 },
    ],
    [
      'none is skipped',
      { actions: [good, bad, good], stop_on_error: false },
      207,
      5009,
      '1 out of 3 items failed',
      { total: 3, executed: 3, success_count: 2 },
    ],
    [
      'all fail',
      { actions: [bad, bad], parallel: true, stop_on_error: false },
      500,
      5008,
      'All items failed',
      { total: 2, executed: 2, success_count: 0 },
    ],
    ['the first fails', { actions: [bad, good] }, 500, 5008, 'All items failed', { total: 2, executed: 1, success_count: 0 }],
  ])('counts only what was executed: %s', async (_, request, status, code, message, counts) => {
    const answer = await setUp().post('/execute/batch', { ...worker, ...request });
    expect(answer.status).toBe(status);
    const results = expect.arrayContaining([expect.objectContaining({ code: expect.any(Number), meta: expect.anything() })]) as unknown;
    expect(answer.body).toEqual({ code, message, data: { results, ...counts }, meta: meta('batch:execute') });
    expect((answer.body.data as { results: unknown[] }).results).toHaveLength((counts as { executed: number }).executed);
  });

  test('needs actions', async () => {
    expect(await setUp().post('/execute/batch', worker)).toMatchObject({ status: 400, body: { code: 4002 } });
  });
});

describe('sessions', () => {
  test('are created, found, listed, refreshed and destroyed', async () => {
    const { post, pass } = setUp();
    const rag = { ...worker, resource_type: 'rag' };
    const created = await post('/session/create', { ...rag, session_config: {}, custom_name: 'mine' });
    const { session_id, session_name } = created.body.data as { session_id: string; session_name: string };
    expect(created).toEqual({
      status: 200,
      body: {
        code: 0,
        message: 'success',
        data: { session_id: text, session_name: text, resource_type: 'rag', session_status: 'active', error: null },
        meta: sessionMeta('session:create', session_id),
      },
    });
    expect((await post('/session/create', rag)).body).toEqual({
      code: 0,
      message: 'success',
      data: { status: 'exists', session_id, session_name, resource_type: 'rag' },
      meta: sessionMeta('session:create', session_id),
    });
    const another = { ...rag, session_config: { another: true }, custom_name: 'another' };
    expect((await post('/session/create', another)).body.data).toEqual({
      status: 'exists',
      session_id,
      session_name,
      resource_type: 'rag',
    });
    pass(299_000);
    expect((await post('/lifecycle/heartbeat', worker)).body).toMatchObject({
      data: { worker_id: 'w1', active_sessions: ['rag'], timestamp: time },
      meta: sessionMeta('session:heartbeat'),
    });
    pass(299_000);
    expect((await post('/session/list', worker)).body.data).toEqual({
      worker_id: 'w1',
      sessions: [
        {
          resource_type: 'rag',
          session_id,
          session_name,
          status: 'active',
          auto_created: false,
          created_at: '2026-11-15T12:00:00.000000',
          last_activity: '2026-11-15T12:04:59.000000',
          expires_at: time,
        },
      ],
      count: 1,
    });
    expect((await post('/lifecycle/status', worker)).body.data).toEqual({
      worker_id: 'w1',
      active_resources: ['rag'],
      sessions: { rag: { session_id, status: 'active', created_at: time, last_activity: time } },
      tools_available: 4,
    });
    expect((await post('/session/refresh', rag)).body.data).toEqual({
      message: 'Session refreshed for rag',
      resource_type: 'rag',
      session_id,
      expires_at: time,
    });
    expect((await post('/session/refresh', worker)).body.data).toEqual({
      message: 'Refreshed 1 sessions',
      worker_id: 'w1',
      refreshed_count: 1,
      details: { rag: { status: 'refreshed', expires_at: time } },
    });
    expect((await post('/execute', { ...worker, action: 'rag:search', params: { query: 'q' } })).body.meta.session_id).toBe(session_id);
    expect((await post('/session/destroy', rag)).body).toEqual({
      code: 0,
      message: 'success',
      data: { message: 'Session destroyed for rag', session_id, session_name, resource_type: 'rag' },
      meta: sessionMeta('session:destroy', session_id),
    });
    for (const path of ['/session/destroy', '/session/refresh']) {
      expect(await post(path, rag)).toMatchObject({
        status: 404,
        body: { code: 4006, message: 'No session found for rag', data: { resource_type: 'rag' } },
      });
    }
  });

  test('end with their worker', async () => {
    const { post } = setUp();
    await post('/session/create', { ...worker, resource_type: 'rag' });
    expect((await post('/worker/disconnect', worker)).body).toMatchObject({
      data: { worker_id: 'w1', sessions_cleaned: 1 },
      meta: sessionMeta('session:disconnect'),
    });
  });

  test('that do not open say why', async () => {
    expect(await setUp().post('/session/create', { ...worker, resource_type: 'vm' })).toMatchObject({
      status: 500,
      body: {
        code: 4006,
        message: 'Session creation failed',
        data: { session_id: null, session_name: null, resource_type: 'vm', session_status: 'error', error: text },
      },
    });
  });

  test.each([
    ['/session/create', {}, 'worker_id and resource_type required', { worker_id: null, resource_type: null }],
    ['/session/create', worker, 'worker_id and resource_type required', { worker_id: 'w1', resource_type: null }],
    ['/session/destroy', {}, 'worker_id and resource_type required', { worker_id: null, resource_type: null }],
    ['/session/list', {}, 'worker_id required', { worker_id: null }],
    ['/session/refresh', {}, 'worker_id required', { worker_id: null }],
    ['/lifecycle/heartbeat', {}, 'worker_id required', { worker_id: null }],
    ['/lifecycle/status', {}, 'worker_id required', { worker_id: null }],
    ['/worker/disconnect', {}, 'worker_id required', { worker_id: null }],
    ['/init/resource', {}, 'worker_id and resource_type required', { worker_id: null, resource_type: null }],
    ['/init/batch', {}, 'worker_id required', { worker_id: null }],
    ['/init/from-config', {}, 'worker_id and config_path required', { worker_id: null, config_path: null }],
  ])('%s with %j is refused as 4001', async (path, body, message, data) => {
    expect(await setUp().post(path, body)).toMatchObject({ status: 400, body: { code: 4001, message, data } });
  });
});

describe('init', () => {
  test('opens one resource', async () => {
    const { post } = setUp();
    expect(await post('/init/resource', { ...worker, resource_type: 'rag', init_config: {} })).toMatchObject({
      status: 200,
      body: {
        code: 0,
        data: { session_id: text, resource_type: 'rag', session_status: 'active', error: null },
        meta: { tool: 'init:resource' },
      },
    });
    expect(await post('/init/resource', { ...worker, resource_type: 'vm' })).toMatchObject({
      status: 500,
      body: { code: 4006, message: 'Resource initialization failed' },
    });
  });

  test.each<[object, number, number, string]>([
    [{ rag: {} }, 200, 0, 'success'],
    [{ rag: { content: {} }, vm: {} }, 207, 5009, '1 out of 2 resources failed'],
    [{ vm: {} }, 500, 5008, 'All resources failed to initialize'],
  ])('opens several: %j', async (resource_configs, status, code, message) => {
    const answer = await setUp().post('/init/batch', { ...worker, resource_configs });
    expect(answer).toMatchObject({ status, body: { code, message, meta: { tool: 'init:batch' } } });
    const { results, ...counts } = answer.body.data as { results: Record<string, { status: string }> };
    expect(Object.keys(results)).toEqual(Object.keys(resource_configs));
    expect(counts).toMatchObject({ worker_id: 'w1', total: Object.keys(resource_configs).length });
    expect(results.vm?.status ?? 'error').toBe('error');
    for (const result of Object.values(results)) expect(Object.keys(result)).toEqual(['status', 'session_id', 'session_status', 'error']);
  });

  test('sends only configurations that the operator has named, and reads no file', async () => {
    const initConfigs = { 'dev.json': { server: { port: 1, host: 'a' }, resources: {} } };
    const { post } = setUp({ routes: codedPaths({ initConfigs }) });
    const loaded = await post('/init/from-config', {
      ...worker,
      config_path: 'dev.json',
      override_params: { server: { port: 2 }, more: 1 },
    });
    expect(loaded.body).toMatchObject({
      code: 0,
      data: { config_loaded: 'dev.json', config: { server: { port: 2, host: 'a' }, resources: {} } },
    });
    expect((loaded.body.data as { config: object }).config).not.toHaveProperty('more');
    for (const config_path of ['package.json', '/etc/hostname', '__proto__']) {
      expect(await post('/init/from-config', { ...worker, config_path })).toMatchObject({
        status: 404,
        body: { code: 4001, message: `Config file not found: ${config_path}`, data: { config_path } },
      });
    }
  });
});

describe('what has no envelope', () => {
  test('health and tools', async () => {
    const { ask } = setUp();
    expect(await ask('GET', '/health')).toEqual({ status: 200, body: { status: 'healthy', timestamp: time } });
    expect((await ask('GET', '/ready')).body).toEqual({ status: 'ready', tools_count: 4, active_workers: 0, total_sessions: 0 });
    const search = { name: 'search', full_name: 'rag:search', resource_type: 'rag', stateless: false, description: 'Searches documents.' };
    const { body } = await ask('GET', '/api/v1/tools');
    expect(body).toMatchObject({ count: 3 });
    expect((body as unknown as { tools: unknown[] }).tools[1]).toEqual(search);
    expect((await ask('GET', '/api/v1/tools?include_hidden=true')).body).toMatchObject({ count: 4 });
    expect((await ask('GET', '/api/v1/tools/rag:search/schema')).body).toEqual(search);
    expect(await ask('GET', '/api/v1/tools/nothing/schema')).toEqual({
      status: 404,
      body: { status: 'error', message: 'Tool not found: nothing' },
    });
  });

  test('warm-up', async () => {
    const { ask, post } = setUp();
    const backends = { rag: { loaded: true, warmed_up: true }, vm: { loaded: true, warmed_up: false } };
    const summary = { total: 2, warmed_up: 1, pending: 1 };
    expect((await ask('GET', '/api/v1/warmup/status')).body).toEqual({ backends, summary });
    expect((await post('/warmup', { backends: ['rag'] })).body).toEqual({ status: 'success', results: { rag: true }, summary });
    expect((await post('/warmup', { backends: ['rag', 'gpu'] })).body).toEqual({
      status: 'partial_error',
      results: { rag: true, gpu: false },
      summary,
      errors: { gpu: 'Backend not found: gpu. Available backends: rag, vm' },
    });
    expect((await ask('POST', '/api/v1/warmup')).body).toMatchObject({ status: 'partial_error', results: { rag: true, vm: false } });
  });

  test('shutdown lets calls in flight finish, takes no more, and closes', async () => {
    const { post, server } = setUp();
    await post('/session/create', { ...worker, resource_type: 'rag' });
    expect((await post('/server/shutdown')).body).toEqual({ status: 'success', message: 'Server shutdown initiated', sessions_cleaned: 1 });
    expect(await post('/execute', { ...worker, action: 'my_tool', params: { query: 'x' } })).toMatchObject({
      status: 503,
      body: { code: 4006 },
    });
    await server.closed;
  });

  test('shutdown needs the scope admin', async () => {
    const scopes: Readonly<Record<string, readonly string[]>> = { caller: ['tools:call:*'], keeper: ['sessions:admin'], boss: ['admin'] };
    const auth: Authenticate = ({ headers }) => {
      const own = scopes[headers.get('x-api-key') ?? ''];
      return own && { tenantId: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc', scopes: own };
    };
    const { post } = setUp({ auth, auditLog: false });
    const as = (id: string) => ({ 'x-api-key': id });
    for (const id of ['caller', 'keeper']) expect((await post('/server/shutdown', {}, as(id))).status).toBe(403);
    expect((await post('/server/shutdown', {}, as('stranger'))).status).toBe(401);
    expect((await post('/server/shutdown', {}, as('boss'))).status).toBe(200);
  });
});

test.each(['/api/v1/nothing', '/api/v1/execute/nothing'])('a path that does not exist is refused in the envelope: %s', async (path) => {
  expect(await setUp().ask('POST', path, {})).toMatchObject({ status: 404, body: { code: 4001, data: null, meta: { trace_id: text } } });
});

test('a server that speaks nothing else has none of these paths', async () => {
  const { ask } = setUp({}, { toolbox: coded.toolbox ?? {} });
  for (const path of ['/api/v1/execute', '/api/v1/session/create', '/api/v1/server/shutdown', '/health']) {
    const answer = await ask('POST', path, {});
    expect(answer).toMatchObject({ status: 404, body: { type: text, status: 404 } });
  }
});

test('the preset of each dialect makes a server speak it', async () => {
  for (const [dialect, expected] of [
    [flat, { success: true, error: null, query: 'x' }],
    [coded, { code: 0 }],
    [value, { success: true, value: { query: 'x' } }],
    [status, { status: 'ok', data: { query: 'x' } }],
  ] as const) {
    const { ask } = setUp({}, dialect);
    const headers = { 'x-tenant-id': '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc' };
    expect((await ask('POST', '/v1/tools/my_tool', { query: 'x' }, headers)).body).toMatchObject(expected);
    expect((await ask('POST', '/v1/tools/my_tool?dialect=outcome', { query: 'x' }, headers)).body).toMatchObject({
      status: 'ok',
      meta: { tool: 'my_tool' },
    });
  }
  const { ask } = setUp({}, status);
  const answer = await ask('POST', '/v1/tools/my_tool', { query: 'x' }, { 'x-tenant-id': '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc' });
  expect(answer.body).toEqual({
    status: 'ok',
    input: { query: 'x', top_k: 5 },
    data: { result: 'found 5', query: 'x' },
    meta: { took_ms: expect.any(Number) },
  });
  expect(() => setUp({ dialect: { name: 'mcp' } as never })).toThrow('dialect must be a dialect');
});
