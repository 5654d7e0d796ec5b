import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { cancelled, casesOf, type Expectation, timeout, unreachable } from '../error-case.ts';
import { abortSoon, afterwards, html, refused, reply } from '../loopback.ts';
import { secrets } from '../secrets.ts';

const tool = {
  name: 'look',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
};

/** Connects a client to a server in memory whose tool does the given thing. */
async function connected(look: () => unknown): Promise<{ client: Client; server: Server }> {
  const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }) as never);
  server.setRequestHandler(CallToolRequestSchema, look as never);
  return { client: await join(server), server };
}

async function join(server: Pick<Server, 'connect'>): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  afterwards(() => client.close());
  await client.connect(ours);
  return client;
}

const call = async (look: () => unknown) => (await connected(look)).client.callTool({ name: 'look', arguments: {} });
const never = () => new Promise(() => {});
const throws = (code: number, message: string) => () => {
  throw new McpError(code, message);
};

/** Calls a tool of a high-level server and throws what it answers as an error. */
async function answered(name: string, args: object) {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool('look', { inputSchema: { id: z.number() } }, async () => ({ content: [] }));
  const result = await (await join(server)).callTool({ name, arguments: { ...args } });
  if (result.isError) throw result;
}

async function connect(transport: Transport) {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  afterwards(() => client.close());
  return client.connect(transport);
}

const overHttp = (origin: string) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp?api_key=${secrets.apiKey}`), {
      requestInit: { headers: { authorization: `Bearer ${secrets.token}` } },
    }),
  );
const overStdio = (command: string, args: string[] = []) =>
  connect(new StdioClientTransport({ command, args, stderr: 'ignore', env: { PATH: '/usr/bin:/bin' } }));

const gone: Expectation = { kinds: ['unreachable', 'interrupted'], retryable: 'either' };

export const mcpSdkCases = casesOf('@modelcontextprotocol/sdk', [
  { id: 'parameters that the server refuses', run: () => call(throws(-32602, 'id must be a number')), expect: { kind: 'invalid_input' } },
  { id: 'a method that the server lacks', run: () => call(throws(-32601, 'Method not found')), expect: { kind: 'unsupported' } },
  { id: 'a resource that is not there', run: () => call(throws(-32002, 'Resource not found')), expect: { kind: 'not_found' } },
  {
    id: 'a bug in the server',
    run: () => call(() => (undefined as unknown as { id: string }).id),
    expect: { kind: 'upstream', retryable: 'either' },
  },
  { id: 'an unknown tool', run: () => answered('nope', {}), expect: { kinds: ['unknown_tool', 'not_found', 'invalid_input'] } },
  { id: 'arguments that break the schema', run: () => answered('look', { id: 'seven' }), expect: { kind: 'invalid_input' } },
  {
    id: 'a method behind a missing capability',
    run: async () => (await connected(never)).client.listPrompts(),
    expect: { kind: 'unsupported' },
  },
  {
    id: 'an answer that breaks the output schema',
    run: async () => {
      const { client } = await connected(() => ({ content: [], structuredContent: { n: 'many' } }));
      await client.listTools();
      return client.callTool({ name: 'look', arguments: {} });
    },
    expect: { kinds: ['bad_response', 'invalid_output'] },
  },
  {
    id: 'a request over its time',
    run: async () => (await connected(never)).client.callTool({ name: 'look' }, undefined, { timeout: 120 }),
    expect: timeout,
  },
  {
    id: "the caller's abort",
    run: async () => (await connected(never)).client.callTool({ name: 'look' }, undefined, { signal: abortSoon() }),
    expect: cancelled,
  },
  {
    id: 'a server that goes away',
    run: async () => {
      const { client, server } = await connected(never);
      setTimeout(() => server.close(), 30);
      return client.callTool({ name: 'look' });
    },
    expect: gone,
  },
  {
    id: 'a client that is not connected',
    run: () => new Client({ name: 'agent', version: '1.0.0' }).listTools(),
    expect: { kind: 'not_ready', retryable: 'either' },
  },
  {
    id: 'a server that wants a login',
    run: async () => overHttp(await reply(401, { error: 'invalid_token' }, { 'www-authenticate': 'Bearer error="invalid_token"' })),
    expect: { kind: 'unauthenticated', status: 401 },
  },
  {
    id: 'a session that has ended',
    run: async () => overHttp(await reply(404, { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null })),
    expect: { kinds: ['not_found', 'not_ready'], retryable: 'either' },
  },
  {
    id: 'a 502 page',
    run: async () => overHttp(await html(502, 'Bad Gateway')),
    expect: { kind: 'upstream', status: 502, retryable: true },
  },
  { id: 'a 200 page', run: async () => overHttp(await html(200, 'Welcome')), expect: { kind: 'bad_response' } },
  { id: 'a closed port', run: async () => overHttp(await refused()), expect: unreachable },
  { id: 'a command that is not installed', run: () => overStdio('no-such-mcp-server'), expect: { kinds: ['not_found', 'not_configured'] } },
  { id: 'a process that ends at once', run: () => overStdio(process.execPath, ['-e', 'process.exit(1)']), expect: gone },
]);
