import assert from 'node:assert/strict';
import { createSdkMcpServer, type Options } from '@anthropic-ai/claude-agent-sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createToolbox, defineTool } from 'toolpact';
import { toMcpServer } from 'toolpact/adapters/mcp';
import { z } from 'zod';

// A tool whose service is too busy, in a server that runs in the process of the agent.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

const weather = createSdkMcpServer({ name: 'weather' });
toMcpServer(toolbox, { server: weather.instance.server });
export const options: Options = { mcpServers: { weather }, allowedTools: ['mcp__weather__forecast'] };

// In place of `query({ prompt, options })`, which starts the command of Claude Code: a client that calls as it does.
const client = new Client({ name: 'agent', version: '1.0.0' });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([weather.instance.connect(far), client.connect(near)]);
const { tools } = await client.listTools();
assert.equal(tools[0]?.name, 'forecast');
const busy = await client.callTool({ name: 'forecast', arguments: { city: 'Kyoto' } });
const wrong = await client.callTool({ name: 'forcast', arguments: {} });
console.log(busy.content, wrong.content);
assert.ok(busy.isError === true && wrong.isError === true);
assert.match(JSON.stringify(busy.content), /rate_limited.*Wait 8 s/);
assert.match(JSON.stringify(wrong.content), /unknown_tool.*Did you mean/);
await client.close();
