import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createToolbox, defineTool } from 'toolpact';
import { afterEach, expect, test } from 'vitest';
import { createServer } from '../create-server.ts';
import type { ToolServer } from '../server-options.ts';
import { serveStdio } from '../stdio.ts';

const report = defineTool({
  name: 'report',
  description: 'Writes to the log.',
  effects: 'none',
  async run(_, { log }) {
    log('begun');
    await Promise.resolve();
    log('sent with Bearer sk-live-0123456789abcdef0123', { pages: 2 });
    return 'done';
  },
});
const toolbox = createToolbox([report]);
let server: ToolServer | undefined;
afterEach(() => server?.close());

type Message = { readonly method?: string; readonly params?: unknown; readonly result?: { readonly capabilities?: object } };

/** Sends a message, and gives what was answered: the session, and all messages of the stream. */
async function send(message: object, headers: Record<string, string> = {}) {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...usual, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const response = (await server?.fetch(request)) as Response;
  const text = await response.text();
  const lines = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, line = '']) => line);
  const messages = lines.map((line) => JSON.parse(line) as Message);
  const logs = messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
  return { session: response.headers.get('mcp-session-id') ?? '', messages, logs };
}

async function openSession() {
  const clientInfo = { name: 'a', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { session, messages } = await send({ id: 1, method: 'initialize', params });
  return { headers: { 'mcp-session-id': session }, capabilities: messages[0]?.result?.capabilities };
}

const call = { id: 2, method: 'tools/call', params: { name: 'report', arguments: {} } };
const both = [
  { level: 'info', logger: 'report', data: 'begun' },
  { level: 'info', logger: 'report', data: { message: 'sent with Bearer [redacted]', details: { pages: 2 } } },
];

test('a client with a session hears what a tool writes to the log, redacted, until it sets a higher level', async () => {
  server = createServer(toolbox, { mcp: { logs: true } });
  const { headers, capabilities } = await openSession();
  expect(capabilities).toMatchObject({ logging: {} });
  expect((await send(call, headers)).logs).toEqual(both);
  await send({ id: 3, method: 'logging/setLevel', params: { level: 'warning' } }, headers);
  expect((await send(call, headers)).logs).toEqual([]);
});

test('a client of 2026-07-28 hears it if its request names a level', async () => {
  server = createServer(toolbox, { mcp: { logs: true } });
  const callAt = (level: object) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      ...level,
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'report' };
    return send({ ...call, params: { ...call.params, _meta } }, headers);
  };
  expect((await callAt({ 'io.modelcontextprotocol/logLevel': 'debug' })).logs).toEqual(both);
  expect((await callAt({ 'io.modelcontextprotocol/logLevel': 'error' })).logs).toEqual([]);
  expect((await callAt({})).logs).toEqual([]);
});

test('over stdio the client hears it from the level that it has set, unless the application says no', async () => {
  const logsOf = async (options: { readonly logs?: boolean }, level?: string) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const serving = serveStdio(toolbox, { stdin, stdout, signals: [], ...options });
    const messages: Message[] = [];
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const ask = async (message: { readonly id: number }): Promise<void> => {
      stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      for (let answer: Message & { readonly id?: unknown } = {}; answer.id !== message.id; ) {
        answer = JSON.parse((await lines.next()).value as string) as Message;
        messages.push(answer);
      }
    };
    const clientInfo = { name: 'a', version: '1' };
    await ask({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } } as never);
    if (level !== undefined) await ask({ id: 3, method: 'logging/setLevel', params: { level } } as never);
    await ask(call);
    stdin.end();
    await serving.closed;
    return messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
  };
  expect(await logsOf({})).toEqual(both);
  expect(await logsOf({}, 'info')).toEqual(both);
  expect(await logsOf({}, 'error')).toEqual([]);
  expect(await logsOf({ logs: false })).toEqual([]);
});

test('over HTTP nothing is sent unless the application says so: the log is for its operators', async () => {
  server = createServer(toolbox);
  const { headers, capabilities } = await openSession();
  expect(capabilities).not.toHaveProperty('logging');
  expect((await send(call, headers)).logs).toEqual([]);
});
