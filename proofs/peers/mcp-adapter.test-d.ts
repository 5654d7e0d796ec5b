import type { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ListToolsResult as ListV1 } from '@modelcontextprotocol/sdk/types.js';
import {
  createMcpHandler,
  type ListToolsResult as ListV2,
  type CallToolResult as ResultV2,
  Server as ServerV2,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { fromMcp, toMcpServer, toTools } from 'toolpact/adapters/mcp';
import type { McpResult } from 'toolpact/dialects';
import { openTelemetry, propagateTrace } from 'toolpact/telemetry';
import { z } from 'zod';

/** The adapter's own types are those of the SDKs, as far as they meet. */

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  effects: 'none',
  run: ({ a, b }) => ({ sum: a + b }),
});
const toolbox = createToolbox([add]);
const info = { name: 'sums', version: '1.0.0' };

// A server of either SDK goes in and comes out as itself.
export const first: ServerV1 = toMcpServer(toolbox, { server: new ServerV1(info) });
export const second: ServerV2 = toMcpServer(toolbox.with({ tenantId: 'acme' }), { server: new ServerV2(info), telemetry: openTelemetry() });
export const inside: ServerV1 = toMcpServer(toolbox, { server: ({} as McpServerV1).server });
export const handler = createMcpHandler(() => toMcpServer(toolbox, { server: new ServerV2(info) }));
export const made: Promise<void> = second.connect(new StdioServerTransport());

// Tools that ask for the application's own context get it from the adapter's options.
const whose = defineTool.withContext<{ user: string }>()({ name: 'whose', description: 'Tells whose.', run: (_, { app }) => app.user });
export const owned: ServerV2 = toMcpServer(createToolbox([whose]), {
  server: new ServerV2(info),
  context: () => ({ app: { user: 'ada' } }),
});

// Lists and answers have the types of the SDKs.
export const listedV1: ListV1['tools'] = toTools(toolbox);
export const listedV2: ListV2['tools'] = toTools(toolbox);
export const resultV2 = (result: McpResult): ResultV2 => result;

// A client of either SDK is taken, and its tools live beside one's own.
export async function joined(old: ClientV1, recent: ClientV2): Promise<Outcome> {
  const remote = [...(await fromMcp(old)), ...(await fromMcp(recent, { prefix: 'shop', meta: propagateTrace, schema: fromJsonSchema }))];
  const both = createToolbox([add, ...remote]);
  const sum = await both.call('add', { a: 1, b: 2 });
  if (sum.status === 'ok') sum.data.sum satisfies number;
  // @ts-expect-error our own tools keep their types
  await both.call('add', { a: 'one' });
  return both.answer({ name: 'shop:look', args: {} });
}

// @ts-expect-error a server has to be given
toMcpServer(toolbox, {});
// @ts-expect-error and it has to be one
toMcpServer(toolbox, { server: {} });
// @ts-expect-error a client lists and calls
void fromMcp({ listTools: async () => ({ tools: [] }) });
