import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { toMcpServer } from 'toolpact/adapters/mcp';
import { metaKeys } from '../../../packages/toolpact/src/mcp/index.ts';
import { type BareSetup, type BatteryHost, finalAnswer, type RunRecord, type RunSetup } from '../host.ts';

/** MCP has no agent; a plain loop stands in: it calls all tools at once and gives what comes back to the model. A call that throws ends it. */

const info = { name: 'bank', version: '1.0.0' };

async function run(setup: RunSetup): Promise<RunRecord> {
  const server = setup.mode === 'bare' ? bareServer(setup.tools) : toMcpServer(setup.toolbox, { server: new Server(info) });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  asJson(theirs);
  const client = new Client(info);
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  await client.listTools();
  try {
    return await runLoop(setup, (params) => client.callTool(params as never));
  } finally {
    await client.close();
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

/** Makes a transport carry JSON, as every real one does. */
export function asJson(transport: { send(message: never, options?: never): Promise<void> }): void {
  const { send } = transport;
  transport.send = async (message: unknown, options?: never) => send.call(transport, JSON.parse(JSON.stringify(message)) as never, options);
}

/** Writes a result as the SDK's documentation does. */
export function toResult(value: unknown, structured: boolean): object {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { content: [{ type: 'text', text }], ...(structured && { structuredContent: value }) };
}

export async function runLoop(setup: RunSetup, callTool: (params: object) => Promise<object>): Promise<RunRecord> {
  const results = await Promise.all(
    setup.calls.map(async ({ id, name, args }) => {
      const { content, isError } = (await callTool({ name, arguments: args, _meta: { [metaKeys.callId]: id } })) as {
        content: readonly { readonly text?: string }[];
        isError?: boolean;
      };
      return [id, { text: content.map((block) => block.text ?? JSON.stringify(block)).join('\n'), failed: isError === true }] as const;
    }),
  );
  return {
    answer: finalAnswer,
    toModel: Object.fromEntries(results),
    ...(setup.mode === 'bare' && { app: Object.fromEntries(results.map(([id, { failed }]) => [id, { failed }])) }),
  };
}

export const hosts: readonly BatteryHost[] = [
  { name: 'mcp-v1', title: 'MCP v1', adapter: 'mcp', packages: ['@modelcontextprotocol/sdk'], hasOutputSchema: true, run },
];
