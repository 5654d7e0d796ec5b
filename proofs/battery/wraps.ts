import { fromJsonSchema } from '@toolpact/openapi';
import type { AnyTool, Toolbox } from 'toolpact';
import type { AdapterSubject } from '../suites/adapters/adapter-subject.ts';

type Wrap = NonNullable<AdapterSubject['wrap']>;

/** For adapters that also wrap tools of their host: a toolbox, made the host's own tools and wrapped again. By the host's name. */
export const wraps: Readonly<Record<string, Wrap>> = {
  'ai-sdk': async (toolbox) => {
    const { fromTools, toTools } = await import('toolpact/adapters/ai-sdk');
    return fromTools(toTools(toolbox));
  },
  langchain: async (toolbox) => {
    const { fromTools, toTools } = await import('toolpact/adapters/langchain');
    return fromTools(toTools(toolbox));
  },
  'mcp-v1': async (toolbox) => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js');
    const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
    return overMcp(toolbox, new Client(info), new Server(info), InMemoryTransport.createLinkedPair());
  },
  'mcp-v2': async (toolbox) => {
    const { Client, InMemoryTransport } = await import('@modelcontextprotocol/client');
    const { Server } = await import('@modelcontextprotocol/server');
    return overMcp(toolbox, new Client(info), new Server(info), InMemoryTransport.createLinkedPair());
  },
};

const info = { name: 'bank', version: '1.0.0' };

interface Connectable {
  connect(transport: never): Promise<void>;
}

async function overMcp(
  toolbox: Toolbox<readonly AnyTool[]>,
  client: Connectable,
  server: Connectable,
  [ours, theirs]: readonly [unknown, unknown],
): Promise<readonly AnyTool[]> {
  const { fromMcp, toMcpServer } = await import('toolpact/adapters/mcp');
  toMcpServer(toolbox, { server: server as never });
  await Promise.all([server.connect(theirs as never), client.connect(ours as never)]);
  return fromMcp(client as never, { schema: fromJsonSchema });
}
