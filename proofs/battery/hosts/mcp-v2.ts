import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toMcpServer } from 'toolpact/adapters/mcp';
import type { BareSetup, BatteryHost, RunRecord, RunSetup } from '../host.ts';
import { asJson, runLoop, toResult } from './mcp-v1.ts';

const info = { name: 'bank', version: '1.0.0' };

/** Speaks 2026-07-28, over the entry that serves it on a connection. */
async function run(setup: RunSetup): Promise<RunRecord> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  asJson(theirs);
  const serve = () => (setup.mode === 'bare' ? bareServer(setup.tools) : toMcpServer(setup.toolbox, { server: new Server(info) }));
  const served = serveStdio(serve, { transport: theirs });
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(ours);
  await client.listTools();
  try {
    return await runLoop(setup, (params) => client.callTool(params as never));
  } finally {
    await client.close();
    await served.close();
  }
}

export function bareServer(specs: BareSetup['tools']): McpServer {
  const server = new McpServer(info);
  for (const { name, description, input, output, run: execute } of specs) {
    const config = { description, inputSchema: input, ...(output !== undefined && { outputSchema: output }) };
    server.registerTool(name, config as never, (async (args: never) => toResult(await execute(args), output !== undefined)) as never);
  }
  return server;
}

export const hosts: readonly BatteryHost[] = [
  {
    name: 'mcp-v2',
    title: 'MCP v2',
    adapter: 'mcp',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
    hasOutputSchema: true,
    run,
  },
];
