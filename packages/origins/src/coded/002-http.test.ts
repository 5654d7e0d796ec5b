import { createServer } from '@toolpact/server';
import { defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietBox } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const my_tool = defineTool({
  name: 'my_tool',
  description: 'Searches.',
  input: z.object({ query: z.string().min(1), top_k: z.number().int().default(5) }),
  effects: 'none',
  run({ query, top_k }) {
    if (query === 'raise') throw new Error('first line\nsecond line');
    return { result: `${top_k} results`, query };
  },
});
const toolbox = quietBox([my_tool], { preset });

function serve(server = createServer(toolbox, { auditLog: false })) {
  return async (method: string, path: string, body: object = {}) => {
    const request = method === 'GET' ? {} : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await server.fetch(new Request(`http://127.0.0.1${path}`, request));
    const { code, message, data, meta } = (await response.json()) as Record<string, unknown> & { meta?: Record<string, unknown> };
    return { status: response.status, code, message, data, meta };
  };
}
const execute = (params: object, action = 'my_tool') => serve()('POST', '/api/v1/execute', { worker_id: 'w-1', action, params });

describe('002 over HTTP', () => {
  test('002-01 002-47 a success', async () => {
    expect(await execute({ query: 'test', trace_id: 't-1' })).toEqual({
      status: 200,
      code: 0,
      message: 'success',
      data: { result: '5 results', query: 'test' },
      meta: {
        tool: 'my_tool',
        execution_time_ms: expect.any(Number),
        resource_type: null,
        session_id: null,
        trace_id: 't-1',
      },
    });
  });

  test.each([
    ['002-30', {}, 'my_tool', 400, 4002],
    ['002-31', { query: 5 }, 'my_tool', 400, 4003],
    ['002-42', { query: 'raise' }, 'my_tool', 500, 5004],
    ['002-47', { query: '' }, 'my_tool', 400, 4003],
  ])('%s %j of %s is %i with %i', async (_, params, action, status, code) => {
    const response = await execute(params, action);
    expect(response).toMatchObject({ status, code, data: null });
    expect(response.message).not.toBe('success');
    if (code === 5004) expect(response.message).toBe('first line\nsecond line');
  });

  test('002-32 a name that no tool has is 400 with 4001, in the words of the system', async () => {
    expect(await execute({ query: 'test' }, 'no_such_tool')).toMatchObject({
      status: 400,
      code: 4001,
      message: 'Tool not found: no_such_tool',
      data: { action: 'no_such_tool' },
    });
  });

  test('002-32 a name that several tools have is 400 with 4001 and the candidates', async () => {
    const named = (name: string) => defineTool({ name, description: 'x', effects: 'none', run: () => ({}) });
    const box = quietBox([named('rag:search'), named('web:search')], { preset });
    const ask = serve(createServer(box, { auditLog: false }));
    const action = { action: 'search', params: {} };
    const candidates = ['rag:search', 'web:search'];
    const ambiguous = {
      code: 4001,
      message: "Ambiguous tool name 'search'. Multiple matches: ['rag:search', 'web:search']. Please use full name with prefix.",
      data: { candidates },
    };
    expect(await ask('POST', '/api/v1/execute', action)).toMatchObject({ status: 400, ...ambiguous });
    const batch = await ask('POST', '/api/v1/execute/batch', { actions: [action] });
    expect(batch.data).toMatchObject({ results: [ambiguous] });
  });

  const json = { 'content-type': 'application/json' };
  test.each([
    ['no JSON', '{', json],
    ['no object', '[]', json],
    ['nothing', '', json],
    ['no text as action', '{"action":5}', json],
    ['an empty action', '{"action":""}', json],
    ['no JSON by its type', '{"action":"my_tool"}', { 'content-type': 'text/plain' }],
  ])('002-11 a request that cannot be read is 400 with 4001: %s', async (_, body, headers) => {
    const server = createServer(toolbox, { auditLog: false });
    const response = await server.fetch(new Request('http://127.0.0.1/api/v1/execute', { method: 'POST', headers, body }));
    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({ status: 400, code: 4001, data: null });
  });

  test('002-11 a path that does not exist is 404 with 4001', async () => {
    expect(await serve()('POST', '/api/v1/nothing')).toMatchObject({ status: 404, code: 4001, data: null });
  });

  test('002-05 002-09 a request that is refused has its tool and its trace in `meta`', async () => {
    const refused = { status: 400, code: 4003, meta: { tool: 'my_tool', trace_id: 't-1' } };
    expect(await serve()('POST', '/api/v1/execute', { action: 'my_tool', params: [], trace_id: 't-1' })).toMatchObject(refused);
    const inParams = { action: 'my_tool', params: { trace_id: 't-1' }, timeout: -1 };
    expect(await serve()('POST', '/api/v1/execute', inParams)).toMatchObject(refused);
  });

  /** The paths that the system shipped. */
  const paths = [
    ['GET', '/health'],
    ['GET', '/ready'],
    ['GET', '/api/v1/tools'],
    ['GET', '/api/v1/tools/my_tool/schema'],
    ['GET', '/api/v1/warmup/status'],
    ['POST', '/api/v1/execute'],
    ['POST', '/api/v1/execute/batch'],
    ['POST', '/api/v1/session/create'],
    ['POST', '/api/v1/session/destroy'],
    ['POST', '/api/v1/session/list'],
    ['POST', '/api/v1/session/refresh'],
    ['POST', '/api/v1/lifecycle/heartbeat'],
    ['POST', '/api/v1/lifecycle/status'],
    ['POST', '/api/v1/worker/disconnect'],
    ['POST', '/api/v1/init/resource'],
    ['POST', '/api/v1/init/batch'],
    ['POST', '/api/v1/init/from-config'],
    ['POST', '/api/v1/warmup'],
    ['POST', '/api/v1/server/shutdown'],
  ] as const;

  test('002-41 all nineteen paths of the system are there, and on no other server', async () => {
    const missing = async (ask: ReturnType<typeof serve>) => {
      const found = await Promise.all(paths.map(async ([method, path]) => [path, (await ask(method, path)).status] as const));
      return found.filter(([, status]) => status === 404).map(([path]) => path);
    };
    expect(paths).toHaveLength(19);
    expect(await missing(serve())).toEqual([]);
    const server = createServer(toolbox, { auditLog: false });
    const described = (await (await server.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as {
      paths: Record<string, object>;
    };
    const spelt = paths.map(([method, path]) => [method.toLowerCase(), path.replace('/my_tool/', '/{name}/')] as const);
    expect(spelt.filter(([method, path]) => !Object.hasOwn(described.paths[path] ?? {}, method))).toEqual([]);
    expect(await missing(serve(createServer(quietBox([my_tool]), { auditLog: false })))).toEqual(
      paths.map(([, path]) => path).filter((path) => path !== '/ready'),
    );
  });
});
