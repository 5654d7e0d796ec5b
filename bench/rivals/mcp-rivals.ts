import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
import type { ServerRival } from './race-servers.ts';

const input = z.object({ a: z.number(), b: z.number() });
const output = z.object({ sum: z.number() });
const info = { name: 'bench', version: '1.0.0' };
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** The same call in both revisions of the protocol. */
const modern = {
  path: '/mcp',
  headers: { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' },
  body: toBody({ _meta: meta }),
  answer: '"structuredContent":{"sum":3}',
};
const legacy = { ...modern, headers: { ...headers, 'mcp-protocol-version': '2025-11-25' }, body: toBody({}) };

/** The work: one `tools/call` over HTTP, arguments and result checked by a schema. */
export const mcpRivals: readonly ServerRival[] = [
  { ...modern, name: 'Toolpact', serve: () => serveToolpact(true) },
  { ...modern, name: 'official MCP SDK 2, `createMcpHandler`', serve: serveSecondSdk },
  { ...legacy, name: 'official MCP SDK 1, stateless', serve: serveFirstSdk },
  { ...modern, name: 'Toolpact with `mcp: { fastPath: false }`, which answers through that SDK', serve: () => serveToolpact(false) },
];

function sumOf({ a, b }: z.infer<typeof input>) {
  const structuredContent = { sum: a + b };
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
}

async function serveToolpact(fastPath: boolean): Promise<number> {
  const add = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: ({ a, b }) => ({ sum: a + b }) });
  return (await listen(createServer(createToolbox([add]), { mcp: { fastPath } }), { port: 0 })).port;
}

async function serveSecondSdk(): Promise<number> {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const { getRequestListener } = await import('@hono/node-server');
  const { fetch: handle } = createMcpHandler(() => {
    const server = new McpServer(info);
    server.registerTool('add', { description: 'Adds.', inputSchema: input, outputSchema: output }, sumOf);
    return server;
  });
  return listenWith(getRequestListener((request) => handle(request), { overrideGlobalObjects: false }) as RequestListener);
}

async function serveFirstSdk(): Promise<number> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  return listenWith((request, response) => {
    const server = new McpServer(info);
    server.registerTool('add', { description: 'Adds.', inputSchema: input.shape, outputSchema: output.shape }, sumOf);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    response.on('close', () => void server.close());
    void server.connect(transport as never).then(() => transport.handleRequest(request, response));
  });
}

async function listenWith(listener: RequestListener): Promise<number> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

function toBody(more: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 }, ...more } });
}
