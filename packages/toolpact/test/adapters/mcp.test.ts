import { execPath } from 'node:process';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as ServerV2 } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import { type McpServerOptions, toMcpServer, toTools } from '../../src/adapters/mcp/index.ts';
import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from '../../src/index.ts';
import { type AnyClient, clientV1, clientV2, connect, pairs } from './mcp-connect.ts';

/** A toolbox as an MCP server, met by the real clients of both SDKs. */

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const circular: Record<string, unknown> = {};
circular.self = circular;

const answers: Record<string, () => unknown> = {
  fine: () => ({ celsius: 21 }),
  pending: () => pending({ handle: 'job-1', reason: 'running' }, { message: 'The station is asked.' }),
  partial: () => partial({ celsius: 21 }, [{ index: 1, error: fail('timeout', 'Station 2 is silent.') }], { total: 2 }),
  image: () => ok({ celsius: 21 }, { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }),
  refused: () => fail('not_found', 'There is no such city.', { data: { asked: 'x' } }),
  throws: () => {
    throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
  },
  broken: () => ({ celsius: 'warm' }),
  large: () => ({ celsius: 21, notes: Array.from({ length: 500 }, (_, index) => `note ${index}`) }),
};

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather.',
  input: z.object({ how: z.string() }),
  output: z.object({ celsius: z.number(), notes: z.array(z.string()).length(500).optional() }),
  effects: 'none',
  maxResultChars: 1000,
  run: async ({ how }) => answers[how]?.() as never,
});
const numbers = defineTool({
  name: 'numbers',
  description: 'Lists numbers.',
  output: z.array(z.number()),
  effects: 'idempotent',
  run: () => [1, 2],
});
const store = defineTool({
  name: 'store',
  description: 'Stores what cannot be sent.',
  input: z.object({ what: z.string() }),
  run: ({ what }) => (what === 'bigint' ? { balance: 10n } : what === 'circular' ? circular : undefined),
});
const toolbox = createToolbox([forecast, numbers, store], { report: () => undefined });

async function serve(pair: (typeof pairs)[number], options: McpServerOptions = {}, served = toolbox): Promise<AnyClient> {
  const client = await connect(pair, (server) => toMcpServer(served as typeof toolbox, { ...options, server }));
  open.push(client.close);
  return client;
}

describe.each(pairs)('%s', (pair) => {
  test('the tools are listed with what they promise', async () => {
    const { tools } = await (await serve(pair)).listTools();
    const object = {
      type: 'object',
      anyOf: [{ type: 'object', required: ['celsius'] }, { required: ['pending'] }, { required: ['truncated', 'data'] }],
    };
    expect(tools).toMatchObject([
      {
        name: 'weather_forecast',
        title: 'weather:forecast',
        description: 'Returns the weather.',
        inputSchema: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
        outputSchema: object,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      },
      { name: 'numbers', annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true } },
      { name: 'store', annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false } },
    ]);
    expect('title' in (tools[1] as object)).toBe(false);
    // The older era knows output schemas for objects only.
    expect('outputSchema' in (tools[1] as object)).toBe(pair.includes('stateless'));
  });

  // The clients have the list, and so check every result against its output schema.
  test.each<[string, object]>([
    ['fine', { structuredContent: { celsius: 21 }, content: [{ type: 'text', text: '{"celsius":21}' }] }],
    [
      'pending',
      {
        structuredContent: { pending: { handle: 'job-1', reason: 'running' } },
        content: [{ type: 'text', text: '[pending: running] The station is asked. (handle: job-1)' }],
      },
    ],
    [
      'partial',
      {
        structuredContent: { celsius: 21 },
        content: [{ text: expect.stringMatching(/^\[partial\] 1 of 2 failed\.[\s\S]*Station 2 is silent/) }],
      },
    ],
    ['image', { structuredContent: { celsius: 21 }, content: [{ type: 'text' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }] }],
    ['large', { structuredContent: { truncated: true, data: { celsius: 21 } }, content: [{ text: expect.stringContaining('[cut: ') }] }],
  ])('a call that ends as %s reaches the client', async (how, result) => {
    const client = await serve(pair);
    await client.listTools();
    const answer = await client.callTool({ name: 'weather_forecast', arguments: { how } });
    expect(answer).toMatchObject(result);
    expect(answer.isError ?? false).toBe(false);
  });

  test.each<[string, object, string]>([
    [
      'what a tool refuses',
      { how: 'refused' },
      '[error: not_found] There is no such city.\nNext: Check the name or id before trying again.',
    ],
    ['what a tool throws', { how: 'throws' }, '[error: rate_limited] slow down (HTTP 429)\nNext: '],
    ['a result that breaks its promise', { how: 'broken' }, '[error: invalid_output] weather:forecast broke its own output schema'],
    [
      'arguments that break the schema',
      { how: 5 },
      '[error: invalid_input] Invalid arguments for weather:forecast: how expected a string, received number.',
    ],
    ['missing arguments', {}, '[error: invalid_input] Invalid arguments for weather:forecast: how is required (a string).'],
  ])('%s is an error that the model reads', async (_, args, text) => {
    const client = await serve(pair);
    await client.listTools();
    const answer = await client.callTool({ name: 'weather_forecast', arguments: args });
    expect(answer).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.stringContaining(text) }] });
    expect(answer).not.toHaveProperty('structuredContent');
  });

  test.each<[string, object, string]>([
    [
      'an unknown tool',
      { name: 'weather_forecats', arguments: {} },
      '[error: unknown_tool] There is no tool named "weather_forecats".\nNext: Did you mean',
    ],
    ['no name at all', { arguments: {} }, '[error: unknown_tool] A tool name is needed.'],
    [
      'arguments that are null',
      { name: 'weather_forecast', arguments: null },
      '[error: invalid_input] The arguments must be one JSON object; null was sent.',
    ],
    [
      'arguments in a list',
      { name: 'weather_forecast', arguments: [] },
      '[error: invalid_input] The arguments must be one JSON object; an array was sent.',
    ],
    ['arguments cut off', { name: 'weather_forecast', arguments: '{"how":' }, '[error: invalid_input/arguments_truncated]'],
  ])('%s is an error that the model reads, not one of the protocol', async (_, params, text) => {
    const answer = await (await serve(pair)).callTool(params);
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(text) }] });
  });

  test.each<[string, object]>([
    ['bigint', { content: [{ text: '{"balance":"10"}' }], structuredContent: { balance: '10' } }],
    [
      'circular',
      { isError: true, content: [{ text: expect.stringContaining('[error: invalid_output] The result at self cannot be sent') }] },
    ],
    ['undefined', { content: [{ text: 'null' }] }],
  ])('a result with %s is answered', async (what, result) => {
    expect(await (await serve(pair)).callTool({ name: 'store', arguments: { what } })).toMatchObject(result);
  });

  test('any spelling of a name and arguments as text are understood', async () => {
    const answer = await (await serve(pair)).callTool({ name: 'Weather.Forecast', arguments: '{"how":"fine"}' });
    expect(answer).toMatchObject({ structuredContent: { celsius: 21 } });
  });

  test('calls at the same time do not disturb each other', async () => {
    const client = await serve(pair);
    const all = await Promise.all(
      ['fine', 'throws', 'fine'].map((how) => client.callTool({ name: 'weather_forecast', arguments: { how } })),
    );
    expect(all.map(({ isError }) => isError === true)).toEqual([false, true, false]);
  });

  test('what a client knows of a call and its trace reaches the tool, and what the application says outweighs it', async () => {
    const seen: unknown[] = [];
    const tell = defineTool({
      name: 'tell',
      description: 'Tells.',
      effects: 'none',
      run: (_, { traceId, idempotencyKey, callId, tenantId }) => {
        seen.push({ traceId, idempotencyKey, callId, tenantId });
        return null;
      },
    });
    const heard: Outcome[] = [];
    const telling = createToolbox([tell]);
    telling.subscribe((event) => event.type === 'call-end' && heard.push(event.outcome));
    const client = await serve(pair, { context: () => ({ tenantId: 'acme', callId: 'ours' }) }, telling as never);
    const _meta = {
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'toolpact/idempotency-key': 'order-1',
      'toolpact/call-id': 'theirs',
      tenantId: 'evil',
    };
    await client.callTool({ name: 'tell', arguments: {}, _meta });
    expect(seen).toEqual([{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', idempotencyKey: 'order-1', callId: 'ours', tenantId: 'acme' }]);
    expect(heard).toMatchObject([{ status: 'ok', meta: { tool: 'tell', callId: 'ours' } }]);
  });

  test('progress is reported to a client that asked, with signs of life in between', async () => {
    const enough = Promise.withResolvers<void>();
    const slow = defineTool({
      name: 'slow',
      description: 'Takes its time.',
      effects: 'none',
      run: async (_, { progress }) => {
        progress({ done: 1, total: 3, message: 'one of three' });
        await enough.promise;
        return 'done';
      },
    });
    const client = await serve(pair, { heartbeatMs: 2 }, createToolbox([slow]) as never);
    const reports: { progress: number; total?: number; message?: string }[] = [];
    const onprogress = (report: (typeof reports)[number]) => {
      reports.push(report);
      if (reports.length === 4) enough.resolve();
    };
    expect(await client.callTool({ name: 'slow', arguments: {} }, { onprogress })).toMatchObject({ content: [{ text: 'done' }] });
    expect(reports[0]).toEqual({ progress: 1, total: 3, message: 'one of three' });
    const steps = reports.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
    expect(reports.slice(1).every(({ progress, total }) => progress > 1 && progress < 2 && total === 3)).toBe(true);
  });

  test('a client that stops its call stops the tool', async () => {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Outcome>();
    const stuck = defineTool({
      name: 'stuck',
      description: 'Never ends.',
      run: () => {
        started.resolve();
        return new Promise(() => undefined);
      },
    });
    const served = createToolbox([stuck], { report: () => undefined });
    served.subscribe((event) => event.type === 'call-end' && ended.resolve(event.outcome));
    const client = await serve(pair, {}, served as never);
    const stop = new AbortController();
    const call = client.callTool({ name: 'stuck', arguments: {} }, { signal: stop.signal }).catch((thrown: unknown) => thrown);
    await started.promise;
    stop.abort(new Error('enough'));
    expect(await ended.promise).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect: 'unknown' } });
    expect(await call).toBeInstanceOf(Error);
  });

  test('every result carries its outcome for machines, unless it is to be left out', async () => {
    const full = await (await serve(pair)).callTool({ name: 'weather_forecast', arguments: { how: 'throws' } });
    expect(full).toMatchObject({
      _meta: { 'toolpact/outcome': { v: 1, status: 'error', error: { kind: 'rate_limited', retryAfterMs: 3000 } } },
    });
    const bare = await (await serve(pair, { strict: true })).callTool({ name: 'weather_forecast', arguments: { how: 'throws' } });
    expect(JSON.stringify(bare)).not.toContain('toolpact/outcome');
  });

  test('what is no request for tools is still refused by the protocol', async () => {
    const { client } = await serve(pair);
    await expect((client as ClientV2).request({ method: 'resources/list' } as never, anything as never)).rejects.toMatchObject({
      code: -32601,
    });
  });
});

const anything = {
  safeParse: (data: unknown) => ({ success: true, data }),
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
};

describe('toMcpServer', () => {
  test('refuses a server that has tools of its own, before anything is lost', () => {
    const theirs = new McpServerV1({ name: 'theirs', version: '1' });
    theirs.registerTool('look', {}, () => ({ content: [] }));
    expect(() => toMcpServer(toolbox, { server: theirs.server })).toThrow('A request handler for tools/list already exists');
  });

  test("leaves other requests to the server's own handler for them", async () => {
    const client = await connect('v1 → v1', (server) => {
      server.fallbackRequestHandler = async ({ method }: { method: string }) => ({ heard: method });
      toMcpServer(toolbox, { server });
    });
    open.push(client.close);
    const heard = await (client.client as ClientV1).request({ method: 'shop/hello' } as never, anything as never);
    expect(heard).toEqual({ heard: 'shop/hello' });
  });

  test('tells the toolbox what was offered when a client asks', async () => {
    const events: object[] = [];
    const served = createToolbox([numbers], { events: { emit: (event) => void events.push(event) } });
    const client = await serve('v2 → v2', {}, served as never);
    expect(events).toEqual([]);
    await client.listTools();
    expect(events).toMatchObject([{ type: 'tools-offered', adapter: 'mcp', tools: [{ name: 'numbers' }] }]);
  });

  test('runs a call inside the trace that `telemetry` continues, once, whatever that does', async () => {
    const order: string[] = [];
    const tool = defineTool({ name: 'tool', description: 'Runs.', effects: 'none', run: () => void order.push('run') });
    const client = await serve(
      'v2 → v2',
      {
        telemetry: {
          within: ({ traceparent }, run) => {
            order.push(`in ${String(traceparent)}`);
            void run();
            throw new Error('broken tracing');
          },
        },
      },
      createToolbox([tool]) as never,
    );
    expect(await client.callTool({ name: 'tool', arguments: {}, _meta: { traceparent: 'x' } })).not.toHaveProperty('isError');
    expect(order).toEqual(['in x', 'run']);
  });

  test('a server per request costs no new list', () => {
    const [before] = toTools(toolbox);
    toMcpServer(toolbox.with({ tenantId: 'acme' }), { server: new ServerV2({ name: 'x', version: '1' }) });
    expect(toTools(toolbox)[0]).toBe(before);
  });
});

describe('a server in a process of its own', () => {
  const program = useProgram(new URL('mcp-stdio-server.ts', import.meta.url));

  test.each(['v1', 'v2', 'v2-serve'])('%s answers a client of the first SDK', async (kind) => {
    const client = new ClientV1({ name: 'agent', version: '1' });
    open.push(() => client.close());
    await client.connect(new StdioV1({ command: execPath, args: [program(), kind], stderr: 'inherit' }));
    await judge(clientV1(client));
  });

  test.each(['v1', 'v2', 'v2-serve'])('%s answers a client of the second SDK', async (kind) => {
    const client = new ClientV2({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    open.push(() => client.close());
    await client.connect(new StdioV2({ command: execPath, args: [program(), kind], stderr: 'inherit' }));
    expect(client.getProtocolEra()).toBe(kind === 'v2-serve' ? 'modern' : 'legacy');
    await judge(clientV2(client));
  });

  async function judge(client: AnyClient): Promise<void> {
    expect((await client.listTools()).tools).toMatchObject([{ name: 'double', annotations: { readOnlyHint: true } }]);
    expect(await client.callTool({ name: 'double', arguments: { n: 21 } })).toMatchObject({ structuredContent: { doubled: 42 } });
    expect(await client.callTool({ name: 'double', arguments: { n: 'x' } })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'double', arguments: { n: -1 } })).toMatchObject({
      isError: true,
      content: [
        { text: '[error: conflict] Only what is positive can be doubled.\nNext: Check the current state and change the arguments.' },
      ],
    });
  }
});
