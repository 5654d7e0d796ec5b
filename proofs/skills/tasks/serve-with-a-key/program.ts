import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { apiKeys, createApiKey, createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox } from 'toolpact';
import { greet } from './tools.ts';

const { key, hash } = createApiKey();
const auth = apiKeys([{ hash, tenantId: 'acme' }]);
const server = await listen(createServer(createToolbox([greet]), { auth }), { port: 0 });

const callers: Record<string, string>[] = [{}, { authorization: `Bearer ${key}` }];
for (const headers of callers) {
  const response = await fetch(`${server.url}/v1/tools/greet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Ann' }),
  });
  const outcome = (await response.json()) as { data?: string; error?: { kind: string } };
  console.log(response.status, outcome.data ?? outcome.error?.kind);
}

const client = new Client({ name: 'program', version: '1.0.0' });
const requestInit = { headers: { authorization: `Bearer ${key}` } };
await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
const { content } = await client.callTool({ name: 'greet', arguments: { name: 'Bob' } });
console.log(JSON.stringify(content));
await client.close();
await server.close();
