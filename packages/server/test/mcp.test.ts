import { type CallContext, createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../src/index.ts';
import { type Listening, type ListenOptions, listen } from '../src/node/listen.ts';
import { type AnyClient, type ConnectOptions, connectMcp, type Kind, kinds } from './mcp-clients.ts';

/** `/mcp` on a real socket, met by the real clients of both SDKs. */

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Contexts of the calls that the tools received. */
let seen: CallContext[] = [];
let stopped = Promise.withResolvers<string>();

function createTools() {
  seen = [];
  stopped = Promise.withResolvers<string>();
  let sent = 0;
  const add = defineTool({
    name: 'math:add',
    description: 'Adds.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    effects: 'none',
    run: ({ a, b }, context) => {
      seen.push(context as CallContext);
      return { sum: a + b };
    },
  });
  const send = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    approval: ({ to }) => (to === 'me' ? false : `Send a letter to ${to}?`),
    idempotency: { ttlMs: 60_000 },
    run: ({ to }) => {
      sent += 1;
      return { to, sent };
    },
  });
  const slow = defineTool({
    name: 'slow',
    description: 'Waits until it is stopped.',
    effects: 'none',
    run: (_, { signal, progress }) => {
      progress({ done: 1, total: 2, message: 'half' });
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.resolve('stopped');
          reject(signal.reason as Error);
        });
      });
    },
  });
  const region = defineTool({
    name: 'region',
    description: 'Takes a header.',
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    effects: 'none',
    run: (input) => input.region,
  });
  const store = memoryStore();
  return createToolbox([add, send, slow, region], { store, report: () => undefined });
}

async function start(options: Parameters<typeof createServer>[1] = {}, listening: ListenOptions = {}): Promise<Listening> {
  const server = await listen(createServer(createTools(), { auditLog: false, ...options }), { port: 0, ...listening });
  open.push(() => server.close({ drainMs: 0 }));
  return server;
}

async function connect(kind: Kind, url: string, options?: ConnectOptions): Promise<AnyClient> {
  const client = await connectMcp(kind, url, options);
  open.push(client.close);
  return client;
}

const textOf = (result: Record<string, unknown>) => (result.content as { text: string }[])[0]?.text;

describe.each([true, false])('with the fast path: %s', (fastPath) => {
  const settings = { mcp: { fastPath } };

  describe.each(kinds)('%s', (kind) => {
    test('tools are listed and called', async () => {
      const { url } = await start(settings);
      const client = await connect(kind, url);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['math_add', 'send', 'slow', 'region', 'wait_for_result']);
      expect(await client.callTool({ name: 'math_add', arguments: { a: 1, b: 2 } })).toMatchObject({
        content: [{ type: 'text', text: '{"sum":3}' }],
        structuredContent: { sum: 3 },
      });
    });

    test.each<[string, object, string]>([
      ['a tool that does not exist', { name: 'maths_ad', arguments: {} }, '[error: unknown_tool]'],
      ['wrong arguments', { name: 'math_add', arguments: { a: 'x' } }, 'a expected a number, received string'],
      ['missing arguments', { name: 'math_add' }, 'a is required (a number)'],
    ])('%s is something the model reads', async (_, params, text) => {
      const { url } = await start(settings);
      const result = await (await connect(kind, url)).callTool(params);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(text);
    });

    test('progress arrives, and a client that gives up stops its call', async () => {
      const { url } = await start(settings);
      const client = await connect(kind, url);
      const giveUp = new AbortController();
      const reports: unknown[] = [];
      const onprogress = (report: unknown) => {
        reports.push(report);
        giveUp.abort();
      };
      await expect(client.callTool({ name: 'slow', arguments: {} }, { signal: giveUp.signal, onprogress })).rejects.toThrow();
      expect(reports).toEqual([{ progress: 1, total: 2, message: 'half' }]);
      expect(await stopped.promise).toBe('stopped');
    });

    test('the trace and the key of a call come from its _meta', async () => {
      const { url } = await start(settings);
      const client = await connect(kind, url, { headers: { 'x-run-id': 'run_7', 'x-trace-id': 'from-the-header' } });
      const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
      const meta = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'toolpact/call-id': 'call-1' };
      await client.callTool({ name: 'math_add', arguments: { a: 1, b: 2 }, _meta: meta });
      await client.callTool({ name: 'math_add', arguments: { a: 1, b: 2 } });
      expect(seen).toMatchObject([
        { traceId: trace, callId: 'call-1', runId: 'run_7' },
        { traceId: 'from-the-header', runId: 'run_7' },
      ]);
      const letter = { name: 'send', arguments: { to: 'me' }, _meta: { 'toolpact/idempotency-key': 'letter-1' } };
      expect((await client.callTool(letter)).structuredContent).toEqual({ to: 'me', sent: 1 });
      expect((await client.callTool(letter)).structuredContent).toEqual({ to: 'me', sent: 1 });
    });

    describe('a call that needs an approval', () => {
      const letter = { name: 'send', arguments: { to: 'you' } };

      test.each<[string, object, object | string]>([
        ['runs once the user says yes', { action: 'accept', content: { approve: true } }, { to: 'you', sent: 1 }],
        ['is denied when the user says no', { action: 'accept', content: { approve: false } }, '[error: denied]'],
        ['is denied when the user declines', { action: 'decline' }, '[error: denied]'],
      ])('%s', async (_, answer, expected) => {
        const { url } = await start(settings);
        const asked: unknown[] = [];
        const client = await connect(kind, url, {
          onElicit: ({ message }) => {
            asked.push(message);
            return answer;
          },
        });
        const result = await client.callTool(letter);
        expect(asked).toEqual(['Send a letter to you?\n\nsend: {"to":"you"}']);
        if (typeof expected === 'string') expect(textOf(result)).toContain(expected);
        else expect(result.structuredContent).toEqual(expected);
      });

      test('waits when the client cannot be asked', async () => {
        const { url } = await start(settings);
        const result = await (await connect(kind, url)).callTool(letter);
        expect(result).toMatchObject({ structuredContent: { pending: { reason: 'approval', ask: { message: 'Send a letter to you?' } } } });
      });

      test('waits when no person is to be asked', async () => {
        const { url } = await start({ mcp: { fastPath, approvals: 'never' } });
        const client = await connect(kind, url, { onElicit: () => ({ action: 'accept', content: { approve: true } }) });
        expect(await client.callTool(letter)).toMatchObject({ structuredContent: { pending: { reason: 'approval' } } });
      });
    });

    describe('a caller with a credential', () => {
      const tenants: Record<string, { tenantId: string; subject: string; scopes?: readonly string[] }> = {
        'Bearer ann': { tenantId: '11111111-1111-4111-8111-111111111111', subject: 'ann', scopes: ['tools:call:math:add'] },
        'Bearer ben': { tenantId: '22222222-2222-4222-8222-222222222222', subject: 'ben' },
        'Bearer eve': { tenantId: '22222222-2222-4222-8222-222222222222', subject: 'eve', scopes: ['*'] },
      };
      const auth = ({ headers }: { headers: { get: (name: string) => string | null } }) => tenants[headers.get('authorization') ?? ''];

      test('is served as its tenant, with the tools it may call', async () => {
        const { url } = await start({ ...settings, auth });
        const client = await connect(kind, url, { headers: { authorization: 'Bearer ann' } });
        expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['math_add']);
        await client.callTool({ name: 'math_add', arguments: { a: 1, b: 2 } });
        expect(seen).toMatchObject([{ tenantId: '11111111-1111-4111-8111-111111111111', userId: 'ann' }]);
        for (const name of ['slow', 'nothing']) {
          expect(textOf(await client.callTool({ name, arguments: {} }))).toContain('This credential may not call this tool.');
        }
      });

      test('is refused without it', async () => {
        const { url } = await start({ ...settings, auth });
        await expect(connect(kind, url, { headers: { authorization: 'Bearer mallory' } })).rejects.toThrow();
      });

      test.each([
        ['waits for another person unless it may decide', 'Bearer ben', { pending: { reason: 'approval' } }],
        ['may approve if it may decide', 'Bearer eve', { sent: 1 }],
      ])('%s', async (_, authorization, structuredContent) => {
        const { url } = await start({ ...settings, auth });
        const onElicit = () => ({ action: 'accept', content: { approve: true } });
        const client = await connect(kind, url, { headers: { authorization }, onElicit });
        expect(await client.callTool({ name: 'send', arguments: { to: 'you' } })).toMatchObject({ structuredContent });
      });
    });
  });
});

describe('an argument that is repeated as a header', () => {
  test.each<[string, Record<string, string>, number, object]>([
    ['agrees', { 'mcp-param-region': 'eu' }, 200, { result: { content: [{ text: 'eu' }] } }],
    ['differs', { 'mcp-param-region': 'us' }, 400, { error: { code: -32020 } }],
    ['is missing', {}, 400, { error: { code: -32020 } }],
  ])('that %s', async (_, headers, status, body) => {
    const { url } = await start();
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'region',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'region',
          arguments: { region: 'eu' },
          _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
        },
      }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });
});
