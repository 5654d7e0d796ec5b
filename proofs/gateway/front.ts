// One process of the measurement: `upstream`, `gateway <url>` or `by-hand <url>`. Says its address, and what it used whenever it is asked.
import { createInterface } from 'node:readline';
import { serve } from '@hono/node-server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createGateway, createServer } from '@toolpact/server';
import { listen } from '@toolpact/server/node';
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';

const [, , kind, url = ''] = process.argv;

const echo = defineTool({
  name: 'echo',
  description: 'Gives a text back.',
  input: z.object({ text: z.string() }),
  effects: 'none',
  run: ({ text }) => ({ text }),
});

async function upstream(): Promise<string> {
  return (await listen(createServer(createToolbox([echo]), { auditLog: false }), { port: 0 })).url;
}

async function gateway(): Promise<string> {
  const { toolbox, mcp } = await createGateway({ servers: { echo: { url } }, report: () => undefined });
  return (await listen(createServer(toolbox, { mcp, auditLog: false }), { port: 0 })).url;
}

/** The shortest proxy over the official SDK: what it is asked about tools, it asks. */
async function byHand(): Promise<string> {
  const client = new Client({ name: 'proxy', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } });
    made.server.setRequestHandler('tools/list', ({ params }) => client.request({ method: 'tools/list', ...(params && { params }) }));
    made.server.setRequestHandler('tools/call', ({ params }) => client.request({ method: 'tools/call', params }));
    return made;
  });
  return new Promise((resolve) => {
    serve({ fetch: (request) => handler.fetch(request), port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}`),
    );
  });
}

const starts: Readonly<Record<string, () => Promise<string>>> = { upstream, gateway, 'by-hand': byHand };
console.log(await starts[kind ?? '']?.());
createInterface({ input: process.stdin })
  .on('line', () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, heapMb: process.memoryUsage().heapUsed / 1_048_576 }));
  })
  .on('close', () => process.exit(0));
