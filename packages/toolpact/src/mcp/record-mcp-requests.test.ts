import { beforeEach, expect, test } from 'vitest';
import type { McpOperation, McpTelemetry } from '../ports/index.ts';
import { type RecordedServer, recordMcpRequests } from './record-mcp-requests.ts';

type Message = Record<string, unknown>;
interface Wire {
  sessionId?: string;
  onmessage?: (message: Message, extra?: unknown) => void;
  onclose?: () => void;
  start: () => Promise<void>;
  send: (message: Message, options?: unknown) => Promise<void>;
}

const seen: unknown[] = [];
beforeEach(() => {
  seen.length = 0;
});
const telemetry: McpTelemetry = {
  startMcp: ({ method, requestId, ...rest }) => {
    const name = `${method} ${requestId ?? '-'}`;
    seen.push(['start', name, rest]);
    return {
      within: (run) => run(),
      end: (answer) => void seen.push(['end', name, JSON.stringify(answer)]),
      cancel: () => void seen.push(['cancel', name]),
    };
  },
};
const known: RecordedServer = {
  transport: 'stdio',
  nameOf: (name) => (name === 'add' ? { tool: 'add' } : { tool: undefined }),
  isVersion: (version) => version === '2025-11-25',
};

/** A server that takes messages, on a wire that keeps what is sent. */
async function connect(facts: Partial<RecordedServer> = {}, send?: Wire['send']) {
  const delivered: Message[] = [];
  const sent: Message[] = [];
  const wire: Wire = { start: async () => undefined, send: send ?? (async (message) => void sent.push(message)) };
  const server = {
    async connect(transport: Wire) {
      transport.onmessage = (message) => void delivered.push(message);
      await transport.start();
    },
    getNegotiatedProtocolVersion: () => '2025-11-25',
  };
  recordMcpRequests(server as never, telemetry, { ...known, ...facts });
  await server.connect(wire);
  return { wire, delivered, sent };
}
const steps = () => seen.map((one) => (one as unknown[]).slice(0, (one as unknown[])[0] === 'start' ? 2 : 3));

test('a request is recorded from its arrival until its answer is sent, and everything is delivered as it is', async () => {
  const { wire, delivered, sent } = await connect();
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', _meta: { traceparent: 'x' } } };
  wire.onmessage?.(request);
  expect(seen).toEqual([
    [
      'start',
      'tools/call 1',
      { tool: 'add', protocolVersion: '2025-11-25', sessionId: undefined, transport: 'stdio', carrier: { traceparent: 'x' } },
    ],
  ]);
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [] } };
  await wire.send(answer);
  expect(steps().at(-1)).toEqual(['end', 'tools/call 1', '{"result":{"content":[]}}']);
  expect([delivered, sent]).toEqual([[request], [answer]]);
});

test('an answer that cannot be sent ends its record, too', async () => {
  const { wire } = await connect({}, () => Promise.reject(new Error('gone')));
  wire.onmessage?.({ id: 1, method: 'ping' });
  wire.onmessage?.({ id: 2, method: 'ping' });
  await expect(wire.send({ id: 2, error: { code: -32603, message: 'no' } })).rejects.toThrow('gone');
  expect(steps().at(-1)).toEqual(['end', 'ping 2', '{"error":{"code":-32603,"message":"no"}}']);
});

test.each<[string, (wire: Wire) => unknown, unknown[]]>([
  ['a cancellation', (wire) => wire.onmessage?.({ method: 'notifications/cancelled', params: { requestId: 1 } }), ['cancel', 'ping 1']],
  ['the end of the connection', (wire) => wire.onclose?.(), ['cancel', 'ping 1']],
])('%s ends the record of a request that is not answered any more', async (_, happen, last) => {
  const { wire } = await connect();
  wire.onmessage?.({ id: 1, method: 'ping' });
  happen(wire);
  expect(steps().at(-1)).toEqual(last);
  const count = seen.length;
  await wire.send({ id: 1, result: {} });
  expect(seen).toHaveLength(count);
});

test('of requests that are never answered only so many are waited for', async () => {
  const { wire } = await connect();
  for (let id = 1; id <= 10_001; id += 1) wire.onmessage?.({ id, method: 'ping' });
  expect(steps().filter(([what]) => what === 'cancel')).toEqual([['cancel', 'ping 1']]);
});

test('a notification has ended when it was delivered', async () => {
  const { wire } = await connect();
  wire.onmessage?.({ method: 'notifications/initialized' });
  expect(steps()).toEqual([
    ['start', 'notifications/initialized -'],
    ['end', 'notifications/initialized -', '{}'],
  ]);
});

test('answers of the client, requests of the server, and a second request of the same id are not recorded', async () => {
  const { wire, delivered } = await connect();
  wire.onmessage?.({ id: 1, method: 'ping' });
  wire.onmessage?.({ id: 1, method: 'ping' });
  wire.onmessage?.({ id: 7, result: {} });
  await wire.send({ id: 1, method: 'elicitation/create' });
  expect([steps(), delivered.length]).toEqual([[['start', 'ping 1']], 3]);
});

test.each<[string, Message, Partial<McpOperation>]>([
  ['a prompt', { method: 'prompts/get', params: { name: 'greet' } }, { claimed: 'greet' }],
  ['a resource', { method: 'resources/read', params: { uri: 'file:///a' } }, { uri: 'file:///a' }],
  ['a tool without a name', { method: 'tools/call', params: { name: 7 } }, { tool: undefined }],
  ['no parameters', { method: 'tools/call', params: null }, { tool: undefined }],
  ['a trace in headers', { method: 'ping', params: {} }, { carrier: { traceparent: 'h', tracestate: undefined, baggage: undefined } }],
])('%s is reported as what it is', async (_, message, facts) => {
  const { wire } = await connect({ transport: 'http' });
  wire.onmessage?.({ id: 1, ...message }, { request: { headers: new Headers({ traceparent: 'h' }) } });
  expect((seen[0] as unknown[])[2]).toMatchObject(facts);
});

test('over HTTP, what no request brought is not recorded', async () => {
  const { wire, delivered } = await connect({ transport: 'http' });
  wire.onmessage?.({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect([seen, delivered.length]).toEqual([[], 1]);
});
