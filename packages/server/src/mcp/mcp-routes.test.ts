import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';
import type { McpSettings } from './settings.ts';

const add = defineTool({
  name: 'math:add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  effects: 'none',
  run: ({ a, b }) => ({ sum: a + b }),
});
const toolbox = createToolbox([add], { report: () => undefined });

const envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

/** Sends one request of 2026-07-28. */
async function ask(options: ServerOptions, method: string, params: Record<string, unknown> = {}, meta: object = {}) {
  const name = params.name ?? params.uri;
  const response = await createServer(toolbox, options).fetch(
    post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...envelope, ...meta } } }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    }),
  );
  return { response, body: (await response.json()) as { result: Record<string, unknown>; error?: { code: number; message: string } } };
}

function post(body: string, headers: Record<string, string> = {}): Request {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', host: 'localhost' };
  return new Request('http://localhost/mcp', { method: 'POST', headers: { ...usual, ...headers }, body });
}

describe('what an application adds', () => {
  const configure: McpSettings['configure'] = (server, { era }) => {
    server.registerPrompt('greet', { description: 'Greets.' }, () => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${era}.` } }],
    }));
    server.registerTool('native', { description: 'A tool of MCP alone.' }, () => ({ content: [{ type: 'text', text: 'native' }] }));
    server.registerTool('math_add', { description: 'In the way.' }, () => ({ content: [{ type: 'text', text: 'wrong' }] }));
  };
  const settings: [string, McpSettings][] = [
    ['at once', { configure }],
    [
      'after a while',
      {
        async configure(server, serving) {
          await Promise.resolve();
          configure(server, serving);
        },
      },
    ],
    ['without the fast path', { configure, fastPath: false }],
  ];

  test.each(settings)('is served next to the toolbox, whose tools come first: %s', async (_, mcp) => {
    const { body: listed } = await ask({ mcp }, 'tools/list');
    expect(listed.result.tools).toMatchObject([
      { name: 'math_add', description: 'Adds.' },
      { name: 'native', description: 'A tool of MCP alone.' },
    ]);
    const { body: prompt } = await ask({ mcp }, 'prompts/get', { name: 'greet' });
    expect(prompt.result.messages).toMatchObject([{ content: { text: 'Hello, modern.' } }]);
    const { body: own } = await ask({ mcp }, 'tools/call', { name: 'math_add', arguments: { a: 1, b: 2 } });
    expect(own.result.structuredContent).toEqual({ sum: 3 });
    const { body: native } = await ask({ mcp }, 'tools/call', { name: 'native', arguments: {} });
    expect(native.result.content).toEqual([{ type: 'text', text: 'native' }]);
  });

  test('is listed in pages, with the tools of the toolbox on the first one only', async () => {
    const configured: McpSettings['configure'] = ({ server }) => {
      server.registerCapabilities({ tools: {} });
      server.setRequestHandler('tools/list', ({ params }) => {
        const page = Number(params?.cursor ?? 0);
        return { tools: [{ name: `native_${page}`, inputSchema: { type: 'object' } }], ...(page < 2 && { nextCursor: String(page + 1) }) };
      });
    };
    const names: unknown[] = [];
    let cursor: unknown;
    do {
      const { body } = await ask({ mcp: { configure: configured } }, 'tools/list', cursor === undefined ? {} : { cursor });
      names.push((body.result.tools as { name: string }[]).map(({ name }) => name));
      cursor = body.result.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual([['math_add', 'native_0'], ['native_1'], ['native_2']]);
  });

  test('is tried at the start, so that a mistake in it shows', () => {
    const wrong = () => {
      throw new TypeError('no such prompt');
    };
    expect(() => createServer(toolbox, { mcp: { configure: wrong } })).toThrow('no such prompt');
  });
});

test('the server says about itself what its options say', async () => {
  const { body } = await ask(
    { mcp: { name: 'weather', version: '2.0.0', server: { instructions: 'Ask for cities.' } } },
    'server/discover',
  );
  expect(body.result).toMatchObject({
    instructions: 'Ask for cities.',
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'weather', version: '2.0.0' } },
  });
});

test.each([true, false])('a call runs inside the trace that its _meta brings, and tells its trace: fast path %s', async (fastPath) => {
  const brought: unknown[] = [];
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const telemetry: ServerOptions['telemetry'] = {
    startMcp: () => undefined,
    within: (headers, run) => {
      brought.push(headers);
      return run();
    },
  };
  const { response } = await ask(
    { mcp: { fastPath }, telemetry },
    'tools/call',
    { name: 'math_add', arguments: { a: 1, b: 2 } },
    { traceparent, tracestate: 'x=1' },
  );
  expect(brought).toEqual([{ traceparent, tracestate: 'x=1' }]);
  expect(response.headers.get('x-trace-id')).toBe(trace);
});

test.each([true, false])('an answer names the trace of its call also when the request brought none: fast path %s', async (fastPath) => {
  const { response, body } = await ask({ mcp: { fastPath } }, 'tools/call', { name: 'math_add', arguments: { a: 1, b: 2 } });
  const { 'toolpact/outcome': outcome } = body.result._meta as { 'toolpact/outcome': { meta: { traceId: string } } };
  expect(response.headers.get('x-trace-id')).toBe(outcome.meta.traceId);
});

test.each<[string, string, Record<string, string>, number, number]>([
  ['no body', '', {}, 400, -32700],
  ['no JSON', '{', {}, 400, -32700],
  ['too deep', '['.repeat(100), {}, 400, -32700],
  ['no JSON-RPC', '{"a":1}', {}, 400, -32600],
  ['another content type', '{}', { 'content-type': 'application/problem+json' }, 415, -32000],
  ['too large', ' '.repeat(2_000_000), {}, 413, -32000],
])('a body that is %s is refused in JSON-RPC', async (_, body, headers, status, code) => {
  const response = await createServer(toolbox, { auditLog: false }).fetch(post(body, headers));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code }, id: null });
});

test.each<[string, McpSettings]>([
  ['the tools of a toolbox alone', {}],
  ['without the fast path', { fastPath: false }],
  ['with prompts besides', { configure: (server) => void server.registerPrompt('greet', {}, () => ({ messages: [] })) }],
  ['with tools besides', { configure: (server) => void server.registerTool('native', {}, () => ({ content: [] })) }],
])('an unknown method is answered with 404 and the error of the protocol: %s', async (_, mcp) => {
  const { response, body } = await ask({ mcp }, 'unknown/method');
  expect([response.status, body.error?.code]).toEqual([404, -32601]);
  expect((await ask({ mcp }, 'tools/list')).response.status).toBe(200);
});

test('nothing is served where MCP is switched off', async () => {
  expect((await createServer(toolbox, { mcp: false }).fetch(post('{}'))).status).toBe(404);
});

test.each<[object, string]>([
  [{ heartbeat: 1 }, 'mcp: the option "heartbeat" does not exist. Did you mean "heartbeatMs"?'],
  [{ approvals: 'everybody' }, 'mcp.approvals must be'],
  [{ approvals: 'callers' }, 'the toolbox has no store'],
  [{ sessions: { max: 0 } }, 'mcp.sessions.max must be a number above 0'],
  [{ sessions: { ttl: 1 } }, 'mcp.sessions: the option "ttl" does not exist'],
  [{ stateKey: 'short' }, 'mcp.stateKey must be at least 32 bytes long'],
  [{ heartbeatMs: -1 }, 'mcp.heartbeatMs must be 0 or more'],
  [{ configure: 'prompts' }, 'mcp.configure must be a function'],
])('settings that could not be kept are refused: %o', (mcp, message) => {
  expect(() => createServer(toolbox, { mcp: mcp as McpSettings })).toThrow(message);
});

test.each([
  [3, 200],
  [4, 400],
])('of %i messages in one request, where a batch may have 3 calls, the status is %i', async (count, status) => {
  const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'math_add', arguments: { a: 1, b: 2 } } };
  const body = JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...call, id })));
  const response = await createServer(toolbox, { maxBatch: 3 }).fetch(post(body));
  expect(response.status).toBe(status);
  const text = await response.text();
  expect([text.match(/"sum":3/g)?.length ?? 0, text.includes('-32600')]).toEqual(status === 200 ? [expect.any(Number), false] : [0, true]);
});

test('the calls of one request do not share the id that its headers name', async () => {
  const ids: string[] = [];
  const leave = toolbox.subscribe((event) => void (event.type === 'call-end' && ids.push(event.invocationId)));
  const named = '0198c2f0-0000-7000-8000-000000000001';
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'math_add', arguments: { a: 1, b: id } } });
  await (await createServer(toolbox).fetch(post(JSON.stringify([call(1), call(2)]), { 'x-invocation-id': named }))).text();
  leave();
  expect(new Set([named, ...ids]).size).toBe(3);
});
