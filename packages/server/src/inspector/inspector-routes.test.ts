import { createToolbox, defineTool, fail } from 'toolpact';
import { circuitBreaker, rateLimit } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { originDialects } from '../../test/with-origins.ts';
import { apiKeys, hashApiKey } from '../auth/api-keys.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';
import type { InspectorBench } from './inspector-options.ts';

const acme = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const keyOf = (name: string): string => `a-key-of-${name}-with-enough-characters`;
const keys = { acme: keyOf('acme'), admin: keyOf('admin'), few: keyOf('few'), other: keyOf('other') };
const auth = apiKeys([
  { keyId: 'acme', hash: hashApiKey(keys.acme), tenantId: acme },
  { keyId: 'admin', hash: hashApiKey(keys.admin), tenantId: acme, scopes: ['*'] },
  { keyId: 'few', hash: hashApiKey(keys.few), tenantId: acme, scopes: ['tools:call:add'] },
  { keyId: 'other', hash: hashApiKey(keys.other), tenantId: other },
]);

const bench: InspectorBench = {
  faults: [{ name: 'down', description: 'The service cannot be reached.' }],
  breakWith: (toolbox) => {
    const answer = toolbox.answer as (call: object) => Promise<unknown>;
    const broken = { ...toolbox, call: () => answer({ name: 'lose', args: { id: 'broken' } }) };
    return { toolbox: { ...broken, with: () => broken } };
  },
  check: async (tools) => ({ tools: (tools ?? ['all']).map((tool) => ({ tool })), findings: [] }),
  lockOf: async () => ({ state: 'changed', changes: [{ place: 'input.a', level: 'breaking', message: 'it is gone' }] }),
};

function setUp(options: ServerOptions = {}) {
  const store = memoryStore();
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    effects: 'none',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    failures: { overflow: 'too_large' },
    run: ({ a, b }) => ({ sum: a + b }),
  });
  const lose = defineTool({
    name: 'lose',
    description: 'Fails.',
    effects: 'writes',
    input: z.object({ id: z.string() }),
    idempotency: {},
    run({ id }) {
      if (id === 'bug') throw new Error('the pipe burst', { cause: new Error('the frost') });
      return fail('unreachable', `nothing at ${id}`);
    },
  });
  const fill = defineTool({
    name: 'fill',
    description: 'Answers with much.',
    effects: 'none',
    maxResultChars: 1_000_000,
    run: () => 'x'.repeat(400_000),
  });
  const use = [rateLimit({ limit: 50, store }), circuitBreaker({ store })];
  const toolbox = createToolbox([add, lose, fill], { store, use, report: () => undefined });
  const server = createServer(toolbox, { auditLog: false, dialects: originDialects, ...options });
  const ask = async (path: string, { key, body, headers }: { key?: string; body?: unknown; headers?: Record<string, string> } = {}) => {
    const response = await server.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          ...headers,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: the tests read what the page reads
    const json: any = response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
  return { ask, toolbox };
}

describe('what a server says of itself', () => {
  test('without options', async () => {
    const { ask } = setUp();
    expect((await ask('/v1/inspector')).json).toMatchObject({
      name: 'toolpact',
      dev: false,
      auth: false,
      store: true,
      causes: false,
      docs: true,
      faults: [],
      mcp: { url: 'http://127.0.0.1/mcp' },
    });
  });

  test('names the address that its caller knows in configurations of MCP clients', async () => {
    const { ask } = setUp({ auth });
    const { mcp } = (await ask('/v1/inspector?base=https%3A%2F%2Ftools.example.com%2Fteam%2F', { key: keys.acme })).json;
    expect(mcp.url).toBe('https://tools.example.com/team/mcp');
    const [code] = mcp.configs;
    expect(JSON.parse(code.text)).toEqual({
      mcpServers: {
        toolpact: { type: 'http', url: 'https://tools.example.com/team/mcp', headers: { Authorization: 'Bearer <your key>' } },
      },
    });
  });

  test('asks for a credential like every other route', async () => {
    const { ask } = setUp({ auth });
    for (const path of ['/v1/inspector', '/v1/inspector/health', '/v1/inspector/tools/add', '/v1/calls/x/readings', '/v1/calls/x/kept'])
      expect((await ask(path)).status).toBe(401);
  });

  test('is described in OpenAPI', async () => {
    const { ask } = setUp();
    const { paths } = (await ask('/openapi.json')).json;
    expect(Object.keys(paths).filter((path) => /inspector|calls\/\{id\}\//.test(path))).toEqual([
      '/v1/calls/{id}/cancel',
      '/v1/calls/{id}/readings',
      '/v1/calls/{id}/cause',
      '/v1/calls/{id}/wire',
      '/v1/calls/{id}/related',
      '/v1/calls/{id}/difference',
      '/v1/calls/{id}/kept',
      '/v1/calls/{id}/rerun',
      '/v1/calls/{id}/repeat',
      '/v1/inspector',
      '/v1/inspector/tools/{name}',
      '/v1/inspector/break',
      '/v1/inspector/check',
      '/v1/inspector/gateway',
      '/v1/inspector/gateway/accept',
      '/v1/inspector/health',
    ]);
  });
});

describe('the messages that made a call', () => {
  const post = (path: string, body: object) => ({
    path,
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  });
  const accept = { accept: 'application/json, text/event-stream' };

  test('are shown as they were on the wire, without secrets', async () => {
    const { toolbox } = setUp();
    const server = createServer(toolbox, { auditLog: false, inspector: { page: false, causes: true, wire: true } });
    const send = async ({ path, init }: ReturnType<typeof post>, headers: Readonly<Record<string, string>> = {}) =>
      server.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers: { ...init.headers, ...headers } }));
    const read = async (id: string) => (await server.fetch(new Request(`http://127.0.0.1/v1/calls/${id}/wire`))).json();
    const plain = await send(post('/v1/tools/add', { a: 2, b: 3, password: 'hunter2-hunter2' }), { 'x-api-key': 'k'.repeat(30) });
    const { meta } = (await plain.json()) as { readonly meta: { readonly invocationId: string } };
    const { messages } = (await read(meta.invocationId)) as { readonly messages: readonly { request: object; answer: object }[] };
    expect(messages).toMatchObject([
      {
        request: { method: 'POST', path: '/v1/tools/add', headers: { 'x-api-key': '[redacted]' } },
        answer: { status: expect.any(Number) },
      },
    ]);
    expect(JSON.stringify(messages)).not.toContain('hunter2');
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 1 } } };
    await (await send(post('/mcp', call), accept)).text();
    const [newest] = (await toolbox.calls.list({ limit: 1 })).calls;
    expect(await read(newest?.id ?? '')).toMatchObject({
      messages: [{ request: { path: '/mcp', body: expect.stringContaining('"method": "tools/call"') }, answer: { status: 200 } }],
    });
  });

  test('are refused where none are kept, and to callers who may not see causes', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.call('add', { a: 2, b: 3 }, { invocationId: 'one' });
    expect((await ask('/v1/calls/one/wire')).status).toBe(403);
    const { ask: askAs } = setUp({ auth, inspector: { page: false, causes: true, wire: true } });
    expect((await askAs('/v1/calls/one/wire', { key: keys.acme })).status).toBe(403);
  });
});

describe('one call', () => {
  test('is given as each reader gets it', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.call('add', { a: 2, b: 3 }, { invocationId: 'one', callId: 'call_7' });
    const { readings, dialects } = (await ask('/v1/calls/one/readings')).json;
    const texts = Object.fromEntries(readings.map(({ form, text }: { form: string; text: string }) => [form, text]));
    expect(texts.plain).toBe('{"sum":5}');
    expect(JSON.parse(texts.openai)).toEqual({ role: 'tool', tool_call_id: 'call_7', content: '{"sum":5}' });
    expect(JSON.parse(texts['openai-responses'])).toMatchObject({ type: 'function_call_output', call_id: 'call_7' });
    expect(JSON.parse(texts.anthropic)).toMatchObject({ type: 'tool_result', tool_use_id: 'call_7' });
    expect(JSON.parse(texts.gemini)).toMatchObject({ functionResponse: { name: 'add' } });
    expect(JSON.parse(texts.mcp)).toMatchObject({ structuredContent: { sum: 5 } });
    expect(dialects.map(({ name }: { name: string }) => name)).toEqual(['flat', 'coded', 'value', 'status', 'problem']);
    expect(JSON.parse(dialects[0].text)).toMatchObject({ success: true, a: 2, b: 3, sum: 5 });
  });

  test('that is large is cut in the view and whole in one form', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.call('fill', {}, { invocationId: 'large' });
    const path = '/v1/calls/large/readings';
    const all = await ask(path);
    expect(all.json.isCut).toBe(true);
    expect(all.text.length).toBeLessThan(4_000_000);
    const one = (await ask(`${path}?form=plain`)).json;
    expect(one.readings).toMatchObject([{ form: 'plain', text: 'x'.repeat(400_000) }]);
    expect(one.isCut).toBeUndefined();
  });

  test('shows the error behind it only where the server allows it, and only to administrators', async () => {
    const closed = setUp();
    await closed.toolbox.call('lose', { id: 'bug' }, { invocationId: 'closed' });
    expect((await closed.ask('/v1/calls/closed/cause')).status).toBe(403);

    const { ask, toolbox } = setUp({ auth, inspector: { page: false, causes: true, readSource: () => undefined } });
    await toolbox.call('lose', { id: 'bug' }, { invocationId: 'open', tenantId: acme });
    await toolbox.call('add', { a: 1, b: 1 }, { invocationId: 'fine', tenantId: acme });
    expect((await ask('/v1/calls/open/cause', { key: keys.acme })).status).toBe(403);
    const cause = (await ask('/v1/calls/open/cause', { key: keys.admin })).json;
    expect(cause).toMatchObject({ name: 'Error', message: 'the pipe burst', causes: [{ name: 'Error', message: 'the frost' }] });
    expect(cause.stack).toContain('inspector-routes.test.ts');
    expect((await ask('/v1/calls/fine/cause', { key: keys.admin })).json).toStrictEqual({});
  });

  test('with the id of another call does not show the cause of that one', async () => {
    const { ask, toolbox } = setUp({ inspector: { page: false, causes: true } });
    await toolbox.call('lose', { id: 'elsewhere' }, { invocationId: 'same', tenantId: other });
    await toolbox.call('lose', { id: 'bug' }, { invocationId: 'same', tenantId: acme });
    expect((await ask(`/v1/calls/same/cause?tenantId=${other}`)).json).toStrictEqual({});
  });

  test('is listed with those of its run, with its key and with its replays', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.call('add', { a: 0, b: 0 }, { invocationId: 'before', runId: 'run_1' });
    await toolbox.call('lose', { id: 'a' }, { invocationId: 'first', idempotencyKey: 'k', runId: 'run_1' });
    await toolbox.call('lose', { id: 'a' }, { invocationId: 'second', idempotencyKey: 'k', runId: 'run_2' });
    await toolbox.call('add', { a: 0, b: 0 }, { invocationId: 'after', runId: 'run_1' });
    const idsOf = (calls: readonly { readonly id: string }[]) => calls.map(({ id }) => id);
    const { run, key, replays } = (await ask('/v1/calls/first/related')).json;
    expect([idsOf(run), idsOf(key), idsOf(replays)]).toEqual([['before', 'after'], ['second'], expect.any(Array)]);
  });

  test('can be kept as a command, code, a test and a report', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.call('lose', { id: "it's \u202e $(rm -rf /)" }, { invocationId: 'one', userId: 'ann@example.com' });
    const { curl, client, test: kept, report } = (await ask('/v1/calls/one/kept?base=https://tools.example.com/x')).json;
    expect(curl).toContain("curl -sS 'https://tools.example.com/x/v1/tools/lose'");
    expect(curl).toContain(`-d '{"id":"it'\\''s \\u202e $(rm -rf /)"}'`);
    expect(client).toContain('createClient("https://tools.example.com/x/")');
    expect(kept).toContain('"kind":"unreachable"');
    expect(report).not.toContain('ann@example.com');
    expect(JSON.parse(report)).toMatchObject({ tool: 'lose', outcome: { status: 'error' } });
  });

  test('of a name with line breaks adds no line to a test or a command', async () => {
    const { ask, toolbox } = setUp();
    await toolbox.answer({ name: 'x\nprocess.exit(1)' }, { invocationId: 'odd' });
    const { curl, test: kept } = (await ask('/v1/calls/odd/kept')).json;
    expect(`${curl}\n${kept}`.split('\n').some((line: string) => line.startsWith('process.exit'))).toBe(false);
  });

  test('of another tenant, or of a tool that its caller may not call, is not there', async () => {
    const { ask, toolbox } = setUp({ auth, inspector: { page: false, causes: true } });
    await toolbox.call('lose', { id: 'bug' }, { invocationId: 'one', tenantId: acme });
    for (const part of ['readings', 'related', 'kept']) {
      expect((await ask(`/v1/calls/one/${part}`, { key: keys.acme })).status).toBe(200);
      expect((await ask(`/v1/calls/one/${part}`, { key: keys.other })).status).toBe(404);
      expect((await ask(`/v1/calls/one/${part}`, { key: keys.few })).status).toBe(404);
      expect((await ask(`/v1/calls/one/${part}?tenantId=${acme}`, { key: keys.other })).status).toBe(403);
    }
  });
});

describe('tools and health', () => {
  test('a tool is given with its failures, promises, guards and lock', async () => {
    const { ask } = setUp({ inspector: { page: false, bench } });
    expect((await ask('/v1/inspector/tools/add')).json).toMatchObject({
      name: 'add',
      effects: 'none',
      failures: { overflow: 'too_large' },
      guards: [{ name: 'list', phase: 'list' }, { name: 'remember' }, { name: 'rate-limit' }, { name: 'circuit-breaker' }],
      lock: { state: 'changed' },
    });
    expect((await ask('/v1/inspector/tools/lose')).json).toMatchObject({ promises: ['idempotency'] });
    expect((await setUp().ask('/v1/inspector/tools/add')).json).toMatchObject({ lock: { state: 'unknown', changes: [] } });
    expect((await ask('/v1/inspector/tools/nope')).status).toBe(404);
  });

  test('health has calls, circuits and limits as they stand', async () => {
    const { ask, toolbox } = setUp();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await toolbox.call('lose', { id });
    await toolbox.call('add', { a: 1, b: 1 });
    const health = (await ask('/v1/inspector/health')).json;
    expect(health).toMatchObject({ total: 6, kinds: { unreachable: 5 }, running: 0, complete: true });
    expect(health.breakers).toMatchObject([
      { tool: 'add', state: 'closed' },
      { tool: 'lose', state: 'open', openUntil: expect.stringMatching(/Z$/) },
      { tool: 'fill', state: 'closed' },
    ]);
    expect(health.limits).toMatchObject([
      { guard: 'rate-limit', tool: 'lose', used: 5, limit: 50, windowEndsAt: expect.stringMatching(/Z$/) },
      { guard: 'rate-limit', tool: 'add', used: 1, limit: 50 },
    ]);
  });

  test('health shows a caller its own tenant and tools alone', async () => {
    const { ask, toolbox } = setUp({ auth });
    await toolbox.call('lose', { id: 'a' }, { tenantId: acme });
    expect((await ask('/v1/inspector/health', { key: keys.other })).json).toMatchObject({ total: 0, limits: [] });
    const few = (await ask('/v1/inspector/health', { key: keys.few })).json;
    expect(few).toMatchObject({ total: 0, limits: [], breakers: [{ tool: 'add' }] });
  });
});

describe('the bench of a developer', () => {
  test('breaks a call, which is recorded', async () => {
    const { ask } = setUp({ inspector: { page: false, bench } });
    const broken = await ask('/v1/inspector/break', { body: { tool: 'add', arguments: { a: 1, b: 1 }, fault: 'down' } });
    expect(broken).toMatchObject({ status: 200, json: { outcome: { status: 'error', error: { kind: 'unreachable' } } } });
    expect(broken.json.modelText).toContain('[error: unreachable]');
    expect((await ask(`/v1/calls/${broken.json.id}`)).json).toMatchObject({ kind: 'unreachable' });
  });

  test.each([
    ['no tool', { fault: 'down' }],
    ['no fault', { tool: 'add' }],
    ['a fault that does not exist', { tool: 'add', fault: 'fire' }],
    ['no object', [1]],
  ])('refuses %s', async (_, body) => {
    expect((await setUp({ inspector: { page: false, bench } }).ask('/v1/inspector/break', { body })).status).toBe(400);
  });

  test('names the faults that there are to somebody who misspells one', async () => {
    const { ask } = setUp({ inspector: { page: false, bench } });
    const { text } = await ask('/v1/inspector/break', { body: { tool: 'add', fault: 'dwon' } });
    expect(JSON.parse(text)).toMatchObject({ detail: 'There is no fault "dwon". There are: down.' });
  });

  test('checks tools by name', async () => {
    const { ask } = setUp({ inspector: { page: false, bench } });
    expect((await ask('/v1/inspector/check', { body: { tools: ['add'] } })).json).toEqual({ tools: [{ tool: 'add' }], findings: [] });
    expect((await ask('/v1/inspector/check', { body: {} })).json).toMatchObject({ tools: [{ tool: 'all' }] });
    expect((await ask('/v1/inspector/check', { body: { tools: ['nope'] } })).status).toBe(400);
  });

  test('is not there on other servers', async () => {
    const { ask } = setUp();
    expect((await ask('/v1/inspector/break', { body: { tool: 'add', fault: 'down' } })).status).toBe(403);
    expect((await ask('/v1/inspector/check', { body: {} })).status).toBe(403);
  });
});

describe('the page', () => {
  const files = new Map([
    ['index.html', { type: 'text/html; charset=utf-8', text: '<!doctype html><title>page</title>' }],
    ['assets/index-abc.js', { type: 'text/javascript; charset=utf-8', text: 'export {}' }],
    ['favicon.svg', { type: 'image/svg+xml', text: '<svg/>' }],
  ]);

  test.each<[string, Parameters<typeof setUp>[0]]>([
    ['without the option', {}],
    ['with `page: false`', { inspector: { page: false } }],
    ['with keys', { auth }],
  ])('is not served %s, and the paths that lead to it answer what an unknown path answers', async (_, options) => {
    const { ask } = setUp(options);
    for (const path of ['/nothing-here', '/', '/docs', '/inspector', '/inspector/'])
      expect(await ask(path)).toMatchObject({ status: 404, json: { title: 'Not found', detail: 'There is nothing at this path.' } });
  });

  test('is served under one address, to which the others lead relatively', async () => {
    const { ask } = setUp({ auth, inspector: { files } });
    for (const path of ['/', '/inspector']) {
      const { status, headers } = await ask(path);
      expect([status, headers.get('location')]).toEqual([302, 'inspector/']);
    }
    const page = await ask('/inspector/');
    expect(page).toMatchObject({ status: 200, text: '<!doctype html><title>page</title>' });
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect((await ask('/inspector/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
    expect((await ask('/inspector/assets/index-abc.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of ['/inspector/nope.js', '/inspector/assets/nope.js', '/inspector/assets/..%2Findex.html'])
      expect((await ask(path)).status).toBe(404);
  });

  test('has its tools where `/docs` leads, with and without a description in OpenAPI', async () => {
    for (const openapi of [true, false]) {
      const { status, headers } = await setUp({ auth, openapi, inspector: { files } }).ask('/docs');
      expect([status, headers.get('location')]).toEqual([302, 'inspector/#/tools']);
    }
  });

  test.each([
    ['files without a page', { files: new Map() }],
    ['a trace address without a place for the id', { page: false, traceUrl: 'https://traces.example.com' }],
    ['a trace address that is a script', { page: false, traceUrl: 'javascript:alert({traceId})' }],
    ['an unknown option', { page: false, file: files } as never],
  ])('%s is refused at once', (_, inspector) => {
    expect(() => setUp({ inspector })).toThrow(TypeError);
  });
});
