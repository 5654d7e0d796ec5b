import { execPath } from 'node:process';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inputRequired } from '@modelcontextprotocol/server';
import { fromJsonSchema } from '@toolpact/openapi';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useProgram } from '../../../../proofs/fixtures/use-program.ts';
import { createServer } from '../../../server/src/index.ts';
import type { McpClient } from '../../src/adapters/mcp/index.ts';
import { type FromMcpOptions, fromMcp as fromMcpBare, toMcpServer } from '../../src/adapters/mcp/index.ts';
import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from '../../src/index.ts';
import { toModelText } from '../../src/outcome/index.ts';
import { type AnyServer, connect, type Pair, pairs } from './mcp-connect.ts';

/** Tools of MCP servers, sound and broken ones, through the real clients of both SDKs. */

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Takes the tools of a server over and checks what goes to them and comes back. */
const fromMcp: typeof fromMcpBare = (client, options) => fromMcpBare(client, { schema: fromJsonSchema, ...options });

type Handler = (params: Record<string, unknown>, extra: never) => unknown;

/** Makes a server answer with anything at all: nothing here is checked before it is sent. */
function wild(server: AnyServer, handlers: Record<string, Handler>): void {
  server.registerCapabilities({ tools: {} });
  server.fallbackRequestHandler = async ({ method, params = {} }: { method: string; params?: object | undefined }, extra: unknown) =>
    handlers[method]?.(params as Record<string, unknown>, extra as never) as never;
}

const look = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { id: { type: 'number' } } } };
const promising = { ...look, outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } };
const readOnly = { annotations: { readOnlyHint: true } };

interface Setup extends FromMcpOptions {
  readonly tool?: object;
  readonly args?: object;
}

/** Calls the one tool of a server that answers `tools/call` with the given thing. */
async function callOf(pair: Pair, call: Handler, { tool = look, args = { id: 1 }, ...options }: Setup = {}): Promise<Outcome> {
  const { client, close } = await connect(pair, (server) => wild(server, { 'tools/list': () => ({ tools: [tool] }), 'tools/call': call }));
  open.push(close);
  const toolbox = createToolbox(await fromMcp(client, options), { report: () => undefined });
  return toolbox.answer({ name: 'look', args });
}

const error = (code: number, message: string, data?: unknown) => () => {
  throw Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });
};

describe.each(pairs)('%s', (pair) => {
  test.each([
    ['structured content', { content: [{ type: 'text', text: 'no' }], structuredContent: { error: 'The disk is full' } }],
    ['a text that is JSON', { content: [{ type: 'text', text: '{"success":false,"error":"The disk is full"}' }] }],
  ])('%s that states an error is a failure where that is asked for', async (_, result) => {
    expect(await callOf(pair, () => result)).toMatchObject({ status: 'ok' });
    expect(await callOf(pair, () => result, { returnsErrors: true })).toMatchObject({
      status: 'error',
      error: { message: 'The disk is full', errorType: 'TOOL_ERROR' },
    });
  });

  test.each<[string, unknown, object]>([
    ['text', { content: [{ type: 'text', text: 'seen' }] }, { status: 'ok', data: 'seen' }],
    ['structured content', { content: [{ type: 'text', text: '{}' }], structuredContent: { n: 1 } }, { status: 'ok', data: { n: 1 } }],
    [
      'structured content alone',
      { structuredContent: { n: 1 } },
      // The stateless era does not allow it.
      pair.includes('stateless') ? { status: 'error', error: { kind: 'bad_response' } } : { status: 'ok', data: { n: 1 } },
    ],
    [
      'an image',
      {
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      },
      { status: 'ok', content: [{ type: 'text' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
    ],
    [
      'a failure',
      { isError: true, content: [{ type: 'text', text: 'The lid is open' }] },
      {
        status: 'error',
        error: { kind: 'failed', message: 'The lid is open', effect: 'unknown', retryable: false, recovery: 'see_message' },
      },
    ],
    [
      'a failure that says too many requests',
      { isError: true, content: [{ type: 'text', text: 'HTTP 429: too many requests' }] },
      { status: 'error', error: { effect: 'unknown', retryable: false } },
    ],
    ['a result that is none', { content: 'seen' }, { status: 'error', error: { kind: 'bad_response', effect: 'unknown' } }],
    ['content that is none', { content: [{ type: 'image' }] }, { status: 'error', error: { kind: 'bad_response', effect: 'unknown' } }],
    ['a flag that is none', { content: [], isError: 'yes' }, { status: 'error', error: { kind: 'bad_response', effect: 'unknown' } }],
  ])('%s becomes an outcome', async (_, result, outcome) => {
    expect(await callOf(pair, () => result)).toMatchObject(outcome);
  });

  test.each<[string, unknown, object]>([
    ['fits', { content: [], structuredContent: { n: 1 } }, { status: 'ok', data: { n: 1 } }],
    [
      'does not fit',
      { content: [], structuredContent: { n: 'many' } },
      { status: 'error', error: { kind: 'invalid_output', effect: 'unknown', issues: [{ path: ['n'], problem: 'type' }] } },
    ],
    [
      'is missing',
      { content: [{ type: 'text', text: 'seen' }] },
      { status: 'error', error: { kind: 'invalid_output', effect: 'unknown' } },
    ],
    [
      'comes with a failure',
      { isError: true, content: [{ type: 'text', text: 'No such thing' }], structuredContent: { code: 7 } },
      { status: 'error', error: { message: 'No such thing' } },
    ],
  ])('a result that its server promised and that %s', async (_, result, outcome) => {
    expect(await callOf(pair, () => result, { tool: promising })).toMatchObject(outcome);
  });

  test.each<[string, Handler, object]>([
    ['parameters refused', error(-32602, 'id must be odd'), { kind: 'invalid_input', effect: 'none', recovery: 'fix_input' }],
    ['no such tool any more', error(-32602, 'Tool look not found'), { kind: 'unknown_tool', effect: 'none' }],
    [
      'parameters refused in words about results',
      error(-32602, 'limit: at most 100 results can be asked for'),
      { kind: 'invalid_input', effect: 'none', recovery: 'fix_input' },
    ],
    [
      'parameters refused in words about a tool of another kind',
      error(-32602, 'the tool of kind "hammer" was not found in the warehouse'),
      { kind: 'not_found', effect: 'none' },
    ],
    ['an unknown method', error(-32601, 'Method not found'), { kind: 'unsupported', effect: 'none', recovery: 'other_tool' }],
    [
      'a result of its own refused',
      error(-32602, 'Invalid tools/call result: content is missing'),
      { kind: 'bad_response', effect: 'unknown', retryable: false, recovery: 'verify' },
    ],
    ['a bug', error(-32603, 'Internal error'), { kind: 'upstream', effect: 'unknown', retryable: false, recovery: 'verify' }],
  ])('%s by the protocol is a failure that says whether anything ran', async (_, call, failure) => {
    expect(await callOf(pair, call)).toMatchObject({ status: 'error', error: failure });
  });

  test('arguments are checked before anything is sent', async () => {
    const sent: unknown[] = [];
    const outcome = await callOf(pair, (params) => void sent.push(params), { args: { id: 'x' } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', effect: 'none', issues: [{ path: ['id'] }] } });
    expect(sent).toEqual([]);
  });

  test('what has a default may be left out, although servers list it as required', async () => {
    const level = { enum: ['low', 'high'], default: 'low' };
    const inputSchema = {
      type: 'object',
      properties: { id: { type: 'number' }, level, view: { type: 'object', properties: { level }, required: ['level'] } },
      required: ['id', 'level', 'view'],
    };
    const call = (args: object) =>
      callOf(pair, () => ({ content: [{ type: 'text', text: 'seen' }] }), { tool: { ...look, inputSchema }, args });
    expect(await call({ id: 1, view: {} })).toMatchObject({ status: 'ok' });
    expect(await call({ id: 1, view: {}, level: 'top' })).toMatchObject({ error: { issues: [{ path: ['level'] }] } });
    expect(await call({ view: {} })).toMatchObject({ error: { issues: [{ path: ['id'], problem: 'missing' }] } });
  });

  test('without a schema function the server alone checks arguments, and results pass as they are', async () => {
    const sent: unknown[] = [];
    const { client, close } = await connect(pair, (server) =>
      wild(server, {
        'tools/list': () => ({ tools: [promising] }),
        'tools/call': (params) => {
          sent.push(params.arguments);
          return { content: [], structuredContent: { n: 'many' } };
        },
      }),
    );
    open.push(close);
    const toolbox = createToolbox(await fromMcpBare(client), { report: () => undefined });
    expect(toolbox.list()).toMatchObject([{ inputSchema: look.inputSchema, outputSchema: promising.outputSchema }]);
    expect(await toolbox.answer({ name: 'look', args: { id: 'x' } })).toMatchObject({ status: 'ok', data: { n: 'many' } });
    expect(sent).toEqual([{ id: 'x' }]);
  });

  test.each<[string, object, object]>([
    ['one that may have written', look, { kind: 'timeout', effect: 'unknown', retryable: false, recovery: 'verify' }],
    ['one that only reads', { ...look, ...readOnly }, { kind: 'timeout', effect: 'none', retryable: true, recovery: 'wait' }],
  ])('the deadline of a call, %s, tells the server to stop', async (_, tool, failure) => {
    const stopped = Promise.withResolvers<void>();
    const never: Handler = (_params, extra) => {
      signalOf(extra).addEventListener('abort', () => stopped.resolve());
      return new Promise(() => undefined);
    };
    expect(await callOf(pair, never, { tool, timeoutMs: 100, trustHints: true })).toMatchObject({ status: 'error', error: failure });
    await stopped.promise;
  });

  test('a server that is silent for too long is given up, and the answer says so', async () => {
    const stopped = Promise.withResolvers<void>();
    const never: Handler = (_params, extra) => {
      signalOf(extra).addEventListener('abort', () => stopped.resolve());
      return new Promise(() => undefined);
    };
    expect(await callOf(pair, never, { silenceMs: 50 })).toMatchObject({
      status: 'error',
      error: { kind: 'timeout', effect: 'unknown', retryable: false },
    });
    await stopped.promise;
  });

  test('the time of a call stands still while its server asks a person', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const question = { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } };
    const looks: unknown[] = [];
    const serve = (server: AnyServer): void =>
      wild(server, {
        'tools/list': () => ({ tools: [look, { ...look, name: 'hang' }] }),
        'tools/call': async ({ name }) => {
          if (name === 'hang') return new Promise(() => undefined);
          if (!pair.includes('stateless')) await server.elicitInput(question);
          else if (looks.push(name) === 1) return inputRequired({ inputRequests: { sure: inputRequired.elicit(question) } });
          return { content: [{ type: 'text', text: 'seen' }] };
        },
      });
    const { client, close } = await connect(pair, serve, async () => {
      asked.resolve();
      await answer.promise;
      return { action: 'accept', content: {} };
    });
    open.push(close);
    const toolbox = createToolbox(await fromMcp(client, { timeoutMs: 400, silenceMs: 150 }), { report: () => undefined });
    const outcome = toolbox.answer({ name: 'look' });
    await asked.promise;
    // Calls that began later run out of time before the person answers.
    for (const _ of [1, 2, 3]) expect(await toolbox.answer({ name: 'hang' })).toMatchObject({ error: { kind: 'timeout' } });
    answer.resolve();
    expect(await outcome).toMatchObject({ status: 'ok', data: 'seen' });
  });

  test('the caller can stop a call', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { client, close } = await connect(pair, (server) =>
      wild(server, {
        'tools/list': () => ({ tools: [look] }),
        'tools/call': (_params, extra) => {
          signalOf(extra).addEventListener('abort', () => stopped.resolve());
          started.resolve();
          return new Promise(() => undefined);
        },
      }),
    );
    open.push(close);
    const stop = new AbortController();
    const call = createToolbox(await fromMcp(client), { report: () => undefined }).answer({ name: 'look' }, { signal: stop.signal });
    await started.promise;
    stop.abort();
    expect(await call).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect: 'unknown' } });
    await stopped.promise;
  });

  test('progress of the server is progress of the call', async () => {
    const heard: unknown[] = [];
    const { client, close } = await connect(pair, (server) => toMcpServer(createToolbox([slow]), { server }));
    open.push(close);
    const toolbox = createToolbox(await fromMcp(client));
    await toolbox.answer({ name: 'slow' }, { onProgress: (progress) => heard.push(progress) });
    expect(heard).toEqual([{ done: 2, total: 4, message: 'half' }]);
  });

  test('a connection that breaks leaves it open what happened', async () => {
    const { client, close } = await connect(pair, (server) =>
      wild(server, {
        'tools/list': () => ({ tools: [look] }),
        'tools/call': () => {
          void client.close();
          return new Promise(() => undefined);
        },
      }),
    );
    open.push(close);
    const toolbox = createToolbox(await fromMcp(client), { report: () => undefined });
    expect(await toolbox.answer({ name: 'look' })).toMatchObject({
      status: 'error',
      error: { kind: expect.stringMatching(/unreachable|interrupted/), effect: 'unknown', retryable: false, recovery: 'verify' },
    });
    // And now there is none: nothing can have happened.
    expect(await toolbox.answer({ name: 'look' })).toMatchObject({ status: 'error', error: { kind: 'not_ready', effect: 'none' } });
  });

  test('a server that sends its user to a page first leaves the call pending', async () => {
    const data = { elicitations: [{ mode: 'url', elicitationId: 'e-1', url: 'https://example.com/login', message: 'Log in' }] };
    const outcome = await callOf(pair, error(-32042, 'URL elicitation required', data));
    expect(outcome).toMatchObject({
      status: 'pending',
      pending: { handle: 'e-1', reason: 'input', ask: { message: 'Log in: https://example.com/login' } },
    });
  });

  test('every page of a list is read', async () => {
    const pages: Record<string, object> = {
      first: { tools: [{ ...look, name: 'a' }], nextCursor: 'p2' },
      p2: { tools: [{ ...look, name: 'b' }], nextCursor: 'p3' },
      p3: { tools: [{ ...look, name: 'c' }] },
    };
    const { client, close } = await connect(pair, (server) =>
      wild(server, { 'tools/list': ({ cursor = 'first' }) => pages[cursor as string] }),
    );
    open.push(close);
    expect((await fromMcp(client)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('a list without end is refused', async () => {
    const { client, close } = await connect(pair, (server) => wild(server, { 'tools/list': () => ({ tools: [], nextCursor: 'again' }) }));
    open.push(close);
    await expect(fromMcp(client)).rejects.toThrow('lists its tools without end');
  });

  test('of a broken server, whatever can be used is used', async () => {
    const tools = [
      { ...look, name: 'good' },
      { ...look, name: 'no schema', inputSchema: undefined },
      { ...look, name: 'bad/ref', inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } },
      { ...look, name: '3rd', inputSchema: { type: 'object', properties: { a: { pattern: '(a*)\\1$' } } } },
      { ...look, name: 'bad_output', outputSchema: { type: 'object', properties: { a: { type: 'wibble' } } } },
      { ...look, name: 'text', inputSchema: { type: 'string' } },
      { name: 'good', description: 5, title: 'A second one of the same name', inputSchema: {} },
      { inputSchema: { type: 'object' } },
      null,
    ];
    const { client, close } = await connect(pair, (server) =>
      wild(server, {
        'tools/list': () => ({ tools }),
        'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `called ${name}` }] }),
      }),
    );
    open.push(close);
    // In the stateless era the client itself refuses such a list.
    if (pair.includes('stateless')) return expect(fromMcp(client)).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    const remote = await fromMcp(client);
    expect(remote.map(({ name }) => name)).toEqual(['good', 'no_schema', 'bad_ref', 't_3rd', 'bad_output', 'good_2']);
    expect(remote.at(-1)?.description).toBe('A second one of the same name');
    expect(remote.listings.map(({ name }) => name)).toEqual(['good', 'no schema', 'bad/ref', '3rd', 'bad_output', 'good']);
    expect(remote.listings.at(-1)?.title).toBe('A second one of the same name');
    expect(remote.notes).toEqual([
      { tool: 'bad/ref', note: expect.stringContaining("can't resolve reference #/nowhere") },
      { tool: '3rd', note: expect.stringContaining('cannot be checked in bounded time') },
      { tool: 'bad_output', note: expect.stringContaining('its output schema is not checked here') },
    ]);
    expect(remote.skipped).toEqual([
      { tool: 'text', why: 'its input is not an object' },
      { tool: 'undefined', why: 'it has no name' },
      { tool: 'undefined', why: expect.any(String) },
    ]);
    const toolbox = createToolbox(remote, { report: () => undefined });
    for (const [asked, called] of [
      ['bad_ref', 'bad/ref'],
      ['t_3rd', '3rd'],
      ['good_2', 'good'],
      ['bad_output', 'bad_output'],
    ]) {
      expect(await toolbox.answer({ name: asked as string, args: { a: 'aaaa' } })).toMatchObject({
        status: 'ok',
        data: `called ${called}`,
      });
    }
  });

  test('what a call carries is sent to the server', async () => {
    const seen: Record<string, unknown>[] = [];
    const { client, close } = await connect(pair, (server) =>
      wild(server, {
        'tools/list': () => ({ tools: [look] }),
        'tools/call': (params) => {
          seen.push(params);
          return { content: [] };
        },
      }),
    );
    open.push(close);
    const toolbox = createToolbox(await fromMcp(client, { meta: (meta) => ({ ...meta, traceparent: '00-a-b-01' }) }));
    await toolbox.answer({ name: 'look', args: { id: 3 }, callId: 'c-1' }, { traceId: 't-1', idempotencyKey: 'k-1' });
    expect(seen).toMatchObject([
      {
        name: 'look',
        arguments: { id: 3 },
        _meta: {
          'toolpact/call-id': 'c-1',
          'toolpact/trace-id': 't-1',
          'toolpact/idempotency-key': 'k-1',
          traceparent: '00-a-b-01',
        },
      },
    ]);
    expect(seen[0]?._meta).toHaveProperty('progressToken');
  });

  describe('a Toolpact server', () => {
    const answers: Record<string, () => unknown> = {
      data: () => ({ n: 1 }),
      facts: () =>
        ok({ n: 1 }, { message: 'One.', tokenUsage: { prompt: 3 }, warnings: ['old'], content: [{ type: 'text', text: 'one' }] }),
      partial: () => partial({ n: 1 }, [{ index: 1, id: 'b', error: fail('not_found', 'No b.') }], { total: 2 }),
      pending: () => pending({ handle: 'h', reason: 'approval', ask: { message: 'May I?' }, pollAfterMs: 50 }),
      code: () => fail('conflict', 'Taken.', { code: 'taken', data: { by: 'x' }, details: { row: 3 }, effect: 'applied' }),
      upstream: () => {
        throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
      },
    };
    const tool = defineTool({
      name: 'shop:ask',
      description: 'Asks.',
      input: z.object({ how: z.string() }),
      output: z.object({ n: z.number() }),
      failures: { taken: 'conflict' },
      effects: 'idempotent',
      run: ({ how }) => answers[how]?.() as never,
    });
    const theirs = createToolbox([tool], { report: () => undefined });

    test.each(Object.keys(answers))('answers with the same outcome: %s', async (how) => {
      const { client, close } = await connect(pair, (server) => toMcpServer(theirs, { server }));
      open.push(close);
      const ours = createToolbox(await fromMcp(client), { report: () => undefined });
      const near = withoutIds(await theirs.answer({ name: 'shop:ask', args: { how } }));
      const far = withoutIds(await ours.answer({ name: 'shop_ask', args: { how } }));
      expect(far).toEqual(near);
    });

    test('is asked nothing that its own schema refuses', async () => {
      const { client, close } = await connect(pair, (server) => toMcpServer(theirs, { server }));
      open.push(close);
      const ours = createToolbox(await fromMcp(client, { prefix: 'shop', trustHints: true }), { report: () => undefined });
      expect(ours.list()).toMatchObject([{ name: 'shop:shop_ask', effects: 'idempotent' }]);
      expect(toModelText(await ours.answer({ name: 'shop:shop_ask', args: {} }))).toContain('how is required (a string)');
    });
  });
});

describe('a server of the stateless era that asks back', () => {
  const asking = (server: AnyServer): void => {
    server.registerCapabilities({ tools: {} });
    const inputRequests = {
      sure: inputRequired.elicit({ message: 'Sure?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } }),
    };
    server.fallbackRequestHandler = async ({ method }: { method: string }) =>
      (method === 'tools/list' ? { tools: [look] } : inputRequired({ inputRequests, requestState: 's-1' })) as never;
  };

  test('is refused truthfully by a client that has no answers', async () => {
    const { client, close } = await connect('v2 → v2, stateless', asking);
    open.push(close);
    const outcome = await createToolbox(await fromMcp(client), { report: () => undefined }).answer({ name: 'look' });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'unsupported' } });
  });

  test('leaves the call pending where a client passes the question on', async () => {
    const client: McpClient = {
      listTools: async () => ({ tools: [look] }),
      callTool: async () => ({
        resultType: 'input_required',
        inputRequests: { sure: { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object' } } } },
        requestState: 's-1',
      }),
    };
    expect(await createToolbox(await fromMcp(client)).answer({ name: 'look' })).toMatchObject({
      status: 'pending',
      pending: { handle: 's-1', reason: 'input', ask: { message: 'Sure?', schema: { type: 'object' } } },
    });
  });
});

describe('any other client', () => {
  test('that always has another page is refused', async () => {
    let pages = 0;
    const listTools = async () => {
      pages += 1;
      return { tools: [], nextCursor: `page ${pages}` };
    };
    await expect(fromMcp({ listTools, callTool: async () => ({}) })).rejects.toThrow('lists its tools without end');
    expect(pages).toBe(1001);
  });

  test('is used by its two methods', async () => {
    const seen: unknown[] = [];
    const client: McpClient = {
      listTools: async () => ({ tools: [{ ...look, annotations: { idempotentHint: true } }] }),
      callTool: async (params: unknown, _schema: unknown, options: { timeout: number }) => {
        seen.push(params, options.timeout);
        return { content: [{ type: 'text', text: 'seen' }] };
      },
    };
    const [tool] = await fromMcp(client, { silenceMs: 70 });
    expect(tool).toMatchObject({ name: 'look', effects: 'writes' });
    expect(await tool?.call({ id: 1 })).toMatchObject({ status: 'ok', data: 'seen' });
    expect(seen).toMatchObject([{ name: 'look', arguments: { id: 1 } }, 70]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no list', {}],
    ['a list that is none', { tools: 'many' }],
  ])('that lists %s is refused', async (_, page) => {
    const client = { listTools: async () => page, callTool: async () => ({}) } as unknown as McpClient;
    await expect(fromMcp(client)).rejects.toThrow('without a list of tools');
  });
});

test.each([
  ['counts as writing, whatever it says of itself', { readOnlyHint: true, idempotentHint: true }, {}, 'writes'],
  ['is believed that it only reads, where hints are trusted', { readOnlyHint: true }, { trustHints: true }, 'none'],
  [
    'is believed that it may be repeated, where hints of this tool are trusted',
    { idempotentHint: true },
    { trustHints: () => true },
    'idempotent',
  ],
  ['writes, although others are trusted', { readOnlyHint: true }, { trustHints: () => false }, 'writes'],
] as const satisfies readonly (readonly [string, object, FromMcpOptions, string])[])(
  'a tool %s',
  async (_, annotations, options, effects) => {
    const client: McpClient = { listTools: async () => ({ tools: [{ ...look, annotations }] }), callTool: async () => ({}) };
    const [tool] = await fromMcp(client, options);
    expect(tool?.effects).toBe(effects);
  },
);

test.each([
  ['Access denied - path outside allowed directories: /etc/passwd not in /home/ada', { path: '../../etc/passwd' }, 'forbidden'],
  ['Not logged in. Cannot access favorites.', { list: 'f1' }, 'unauthenticated'],
  ['Rate limit hit (429). Retry after 30 seconds.', { file: 'h8' }, 'rate_limited'],
  ['Directory listing timed out for: /mnt/nfs', { path: '/mnt/nfs' }, 'timeout'],
  ['SHOP_TOKEN environment variable is required', { id: 1 }, 'not_configured'],
  ['Failed to fetch PDF: 503', { query: 'attention' }, 'upstream'],
  ['Invalid region: mars-1.', { region: 'mars-1' }, 'invalid_input'],
  ['Note "milk" not found.', { title: 'milk' }, 'not_found'],
  ['Invalid region: mars-1.', {}, 'failed'],
  ['The lid is open.', { id: 1 }, 'failed'],
])('the words %j mean the same when a server returns them and when a tool throws them', async (text, args, kind) => {
  const inputSchema = { type: 'object', properties: Object.fromEntries(Object.keys(args).map((name) => [name, {}])) };
  const client: McpClient = {
    listTools: async () => ({ tools: [{ ...look, inputSchema }] }),
    callTool: async () => ({ isError: true, content: [{ type: 'text', text }] }),
  };
  const own = defineTool({
    name: 'own',
    description: 'Throws.',
    input: z.looseObject({}),
    jsonSchema: { input: inputSchema },
    run: () => Promise.reject(new Error(text)),
  });
  const toolbox = createToolbox([...(await fromMcp(client)), own], { report: () => undefined });
  const [returned, thrown] = [await toolbox.answer({ name: 'look', args }), await toolbox.answer({ name: 'own', args })];
  const { message, recovery, retryable } = thrown.status === 'error' ? thrown.error : {};
  expect(thrown).toMatchObject({ error: { kind } });
  expect(returned).toMatchObject({ error: { kind, message, recovery, retryable, effect: 'unknown' } });
});

test.each([
  ['that it writes', { readOnlyHint: false }, { recovery: 'verify' }],
  ['that it destroys', { readOnlyHint: true, destructiveHint: true }, { recovery: 'verify' }],
  ['that it only reads', { readOnlyHint: true }, { recovery: 'see_message' }],
])('a hint makes a tool stricter only: %s', async (_, annotations, error) => {
  const client: McpClient = {
    listTools: async () => ({ tools: [{ ...look, annotations }] }),
    callTool: async () => ({ isError: true, content: [{ type: 'text', text: 'The lid is open.' }] }),
  };
  const toolbox = createToolbox(await fromMcp(client), { report: () => undefined });
  expect(await toolbox.answer({ name: 'look', args: { id: 1 } })).toMatchObject({ error: { kind: 'failed', effect: 'unknown', ...error } });
});

test('words of a server that repeat an argument are about the arguments', async () => {
  const client: McpClient = {
    listTools: async () => ({ tools: [look] }),
    callTool: async () => ({ isError: true, content: [{ type: 'text', text: 'Picture 4711 not found.' }] }),
  };
  const toolbox = createToolbox(await fromMcp(client), { report: () => undefined });
  expect(await toolbox.answer({ name: 'look', args: { id: 4711 } })).toMatchObject({ error: { kind: 'not_found', recovery: 'fix_input' } });
});

test("the application can say what a server's tools do", async () => {
  const client: McpClient = { listTools: async () => ({ tools: [{ ...look, ...readOnly }] }), callTool: async () => ({}) };
  const [tool] = await fromMcp(client, { effects: ({ annotations }) => (annotations?.readOnlyHint ? 'writes' : undefined) });
  expect(tool?.effects).toBe('writes');
});

test.each([
  ['first', ClientV1, HttpV1],
  ['second', ClientV2, HttpV2],
] as const)('a server that has started again does not know the session of a client of the %s SDK', async (_, Client, Http) => {
  const serve = () => createServer(createToolbox([slow]));
  let server = serve();
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const send = (url: string | URL, init?: RequestInit) => server.fetch(new Request(url, init));
  await client.connect(new Http(new URL('http://127.0.0.1/mcp'), { fetch: send }) as never);
  const [tool] = await fromMcp(client as McpClient);
  server = serve();
  expect(await tool?.call({})).toMatchObject({
    status: 'error',
    error: { kind: 'not_ready', retryable: true, effect: 'none', details: { stage: 'session' } },
  });
  await client.close();
});

describe('a server in a process of its own', () => {
  const program = useProgram(new URL('mcp-stdio-server.ts', import.meta.url));
  const clients: Record<string, (kind: string) => Promise<ClientV1 | ClientV2>> = {
    'the first SDK': async (kind) => {
      const client = new ClientV1({ name: 'agent', version: '1' });
      await client.connect(new StdioV1({ command: execPath, args: [program(), kind], stderr: 'inherit' }));
      return client;
    },
    'the second SDK': async (kind) => {
      const client = new ClientV2({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StdioV2({ command: execPath, args: [program(), kind], stderr: 'inherit' }));
      return client;
    },
  };

  test.each([
    ['the first SDK', 'v2'],
    ['the second SDK', 'v1'],
    ['the second SDK', 'v2-serve'],
  ])('lends its tools through %s to %s', async (sdk, kind) => {
    const client = (await clients[sdk]?.(kind)) as ClientV2;
    open.push(() => client.close());
    const toolbox = createToolbox(await fromMcp(client), { report: () => undefined });
    expect(await toolbox.answer({ name: 'double', args: { n: 21 } })).toMatchObject({ status: 'ok', data: { doubled: 42 } });
    expect(await toolbox.answer({ name: 'double', args: { n: -1 } })).toMatchObject({ status: 'error', error: { kind: 'conflict' } });
  });
});

const slow = defineTool({
  name: 'slow',
  description: 'Takes its time.',
  effects: 'none',
  run: (_, { progress }) => {
    progress({ done: 2, total: 4, message: 'half' });
    return 'done';
  },
});

/** Removes the fields that differ from call to call. */
function withoutIds({ meta, ...outcome }: Outcome): object {
  const { invocationId: _i, traceId: _t, tookMs: _m, tool: _tool, ...rest } = meta;
  return JSON.parse(JSON.stringify({ ...outcome, meta: rest }).replaceAll(/"debugId":"[^"]*"/g, '"debugId":"x"'));
}

function signalOf(extra: { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } }): AbortSignal {
  return (extra.mcpReq?.signal ?? extra.signal) as AbortSignal;
}
