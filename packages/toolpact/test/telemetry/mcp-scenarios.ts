import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { trace } from '@opentelemetry/api';
import { z } from 'zod';
import { createServer, type ServerOptions } from '../../../server/src/index.ts';
import { serveStdio } from '../../../server/src/stdio.ts';
import type { Guard } from '../../src/extend.ts';
import { createToolbox, defineTool, fail } from '../../src/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { type OpenTelemetryOptions, openTelemetry } from '../../src/telemetry/index.ts';

/** Requests to servers of MCP on every way there is to one. */

export const secret = 'sk-live-abcdefghijklmnop1234';
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
};

/** Tells of calls that have ended, and lets those go on that wait. */
const signs = new EventEmitter();

const inner = defineTool({ name: 'inner', description: 'Is called by another.', effects: 'none', run: () => 1 });
const tools = [
  defineTool({
    name: 'any:end',
    description: 'Ends in any way.',
    input: z.object({ how: z.string() }),
    effects: 'none',
    timeoutMs: 5_000,
    async run({ how }, { signal }) {
      if (how === 'throw') throw new RangeError(`bad, with Authorization: Bearer ${secret}`);
      if (how === 'typed') throw fail('upstream', 'broken', { errorType: '500' });
      if (how === 'fail') return fail('not_found', 'Not there.');
      if (how === 'hang') await once(signal, 'abort');
      if (how === 'nest') await nested.call('inner', {});
      if (how === 'same') await nested.call('any:end', { how: 'ok' });
      if (how === 'child') trace.getTracer('app').startSpan('db query').end();
      return { n: 1 };
    },
  }),
  inner,
  defineTool({ name: 'careful', description: 'Needs a yes.', approval: true, run: () => 'done' }),
  defineTool({ name: 'slow', description: 'Takes its time.', effects: 'none', deferAfterMs: 1, run: () => once(signs, 'go on') }),
] as const;
const nested = createToolbox([tools[0], inner], { telemetry: openTelemetry() });

function createTools(options: OpenTelemetryOptions = {}, more: readonly Guard[] = []) {
  const store = memoryStore();
  const telemetry = openTelemetry(options);
  const toolbox = createToolbox(tools, { telemetry, store, use: more, report: () => {} });
  toolbox.subscribe((event) => event.type === 'call-end' && signs.emit(event.tool));
  return { toolbox, telemetry };
}

type Sent = { readonly params?: object; readonly headers?: Record<string, string>; readonly signal?: AbortSignal };

/** The ways over HTTP: with the fast path and without, in either era, in a session. */
export const httpWays = ['fast 2026-07-28', 'sdk 2026-07-28', 'fast 2025-11-25', 'sdk 2025-11-25', 'session 2025-11-25'] as const;

async function openHttp(way: string, mcp: ServerOptions['mcp'] & object = {}, options?: OpenTelemetryOptions) {
  const { toolbox, telemetry } = createTools(options);
  const server = createServer(toolbox, { telemetry, mcp: { fastPath: way.startsWith('fast'), ...mcp } });
  const isModern = way.endsWith('2026-07-28');
  const session: Record<string, string> = {};
  let id = 0;
  const send = async (method: string, { params = {}, headers = {}, signal }: Sent = {}): Promise<Response> => {
    const isNotification = method.startsWith('notifications/');
    id += 1;
    const given = params as { readonly name?: string; readonly _meta?: object };
    const own = isModern ? { ...given, _meta: { ...meta, ...given._meta } } : given;
    const modern = { 'mcp-method': method, ...(given.name !== undefined && { 'mcp-name': given.name }) };
    return server.fetch(
      new Request('http://127.0.0.1:8787/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(method !== 'initialize' && { 'mcp-protocol-version': way.slice(-10) }),
          ...(isModern && modern),
          ...session,
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...(!isNotification && { id: `r${id}` }), method, params: own }),
        ...(signal && { signal }),
      }),
    );
  };
  const ask = async (method: string, sent?: Sent): Promise<string> => (await send(method, sent)).text();
  if (way.startsWith('session')) {
    const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
    const opened = await send('initialize', { params: init });
    session['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    await ask('notifications/initialized');
  }
  return { ask, send, close: () => server.close(), session: () => session['mcp-session-id'] };
}

async function openStdio(isModern: boolean) {
  const { toolbox, telemetry } = createTools();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const serving = serveStdio(toolbox, { telemetry, stdin, stdout, signals: [] });
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<string> => {
    const isNotification = method.startsWith('notifications/');
    id += 1;
    const own = isModern ? { ...params, _meta: { ...meta, ...(params as { _meta?: object })._meta } } : params;
    const answered = isNotification ? undefined : once(stdout, 'data');
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...(!isNotification && { id }), method, params: own })}\n`);
    return String((await answered)?.[0] ?? '');
  };
  return { ask, close: serving.close };
}

const callOf = (how: string, extra: object = {}) => ({ params: { name: 'any_end', arguments: { how }, ...extra } });

/** Runs requests on one way and notes what was answered. */
function onHttp(way: string, run: (server: Awaited<ReturnType<typeof openHttp>>) => Promise<unknown>, mcp?: object, options?: object) {
  return async (): Promise<unknown> => {
    const server = await openHttp(way, mcp, options);
    const notes = await run(server);
    await server.close();
    return notes;
  };
}

const ends = {
  ok: callOf('ok'),
  throw: callOf('throw'),
  typed: callOf('typed'),
  fail: callOf('fail'),
  nest: callOf('nest'),
  child: callOf('child'),
  'wrong arguments': { params: { name: 'any_end', arguments: { how: 1 } } },
  'a made-up tool': { params: { name: 'drop_all_tables', arguments: {} } },
  pending: { params: { name: 'careful', arguments: {} } },
  deferred: { params: { name: 'slow', arguments: {} } },
} satisfies Record<string, Sent>;
export const endNames = Object.keys(ends) as (keyof typeof ends)[];

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** All scenarios that are about MCP, by name. */
export const mcpScenarios: Record<string, () => Promise<unknown>> = Object.fromEntries([
  ...httpWays.flatMap((way) => [
    ...Object.entries(ends).map(([name, sent]) => [
      `mcp ${way}: ${name}`,
      onHttp(way, async ({ ask, session }) => {
        const answer = await ask('tools/call', sent);
        if (name === 'deferred') {
          const ended = once(signs, 'slow');
          signs.emit('go on');
          await ended;
        }
        return { answer, session: session() };
      }),
    ]),
    [`mcp ${way}: trace from _meta`, onHttp(way, ({ ask }) => ask('tools/call', callOf('ok', { _meta: { traceparent } })))],
    [
      `mcp ${way}: trace from headers`,
      onHttp(way, ({ ask }) =>
        trace.getTracer('http').startActiveSpan('POST /mcp', async (http) => {
          await ask('tools/call', { ...callOf('nest'), headers: { traceparent } });
          http.end();
          return http.spanContext().spanId;
        }),
      ),
    ],
    [`mcp ${way}: list`, onHttp(way, ({ ask }) => ask('tools/list'))],
    [`mcp ${way}: captured`, onHttp(way, ({ ask }) => ask('tools/call', callOf('ok')), {}, { capture: 'span' })],
  ]),
  ['mcp stdio: legacy', () => onStdio(false)],
  ['mcp stdio: modern', () => onStdio(true)],
  ['mcp: an unknown method', onHttp('sdk 2026-07-28', ({ ask }) => ask('made/up'))],
  ['mcp: discover', onHttp('sdk 2026-07-28', ({ ask }) => ask('server/discover'))],
  [
    'mcp: the client leaves',
    onHttp('session 2025-11-25', async ({ send }) => {
      const ended = once(signs, 'any:end');
      const response = await send('tools/call', callOf('hang'));
      await response.body?.cancel();
      await ended;
    }),
  ],
  [
    'mcp: the client cancels',
    onHttp('session 2025-11-25', async ({ send, ask }) => {
      const ended = once(signs, 'any:end');
      await send('tools/call', callOf('hang'));
      await ask('notifications/cancelled', { params: { requestId: 'r3' } });
      await ended;
    }),
  ],
  ['mcp: a tool that calls a tool of its name', onHttp('fast 2026-07-28', ({ ask }) => ask('tools/call', callOf('same')))],
  [
    'mcp: a tool of configure that calls a tool',
    onHttp(
      'sdk 2026-07-28',
      ({ ask }) =>
        trace.getTracer('http').startActiveSpan('POST /mcp', async (http) => {
          await ask('tools/call', { params: { name: 'native', arguments: {} }, headers: { traceparent } });
          http.end();
        }),
      {
        configure(server: never) {
          const { registerTool } = server as Record<string, (...args: unknown[]) => unknown>;
          registerTool?.call(server, 'native', { description: 'Calls on.' }, async () => {
            await nested.call('inner', {});
            return { content: [] };
          });
        },
      },
    ),
  ],
  [
    'mcp: what configure adds',
    onHttp(
      'sdk 2026-07-28',
      async ({ ask }) => {
        for (const name of ['native', 'broken', 'missing']) await ask('tools/call', { params: { name, arguments: {} } });
        for (const name of ['greet', 'nobody']) await ask('prompts/get', { params: { name } });
        await ask('resources/read', { params: { uri: 'file:///notes.txt' }, headers: { 'mcp-name': 'file:///notes.txt' } });
        return undefined;
      },
      {
        configure(server: never) {
          const { registerTool, registerPrompt, registerResource } = server as Record<string, (...args: unknown[]) => unknown>;
          registerTool?.call(server, 'native', { description: 'Is native.' }, () => ({ content: [] }));
          registerTool?.call(server, 'broken', { description: 'Is broken.' }, () => ({ content: [], isError: true }));
          registerPrompt?.call(server, 'greet', { description: 'Greets.' }, () => ({ messages: [] }));
          registerResource?.call(server, 'notes', 'file:///notes.txt', {}, () => ({ contents: [] }));
        },
      },
    ),
  ],
]);

async function onStdio(isModern: boolean): Promise<unknown> {
  const { ask, close } = await openStdio(isModern);
  if (!isModern) {
    await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } });
    await ask('notifications/initialized');
  }
  await ask('tools/list');
  await ask('tools/call', callOf('ok', { _meta: { traceparent } }).params);
  await ask('tools/call', callOf('throw').params);
  await close();
  return undefined;
}
