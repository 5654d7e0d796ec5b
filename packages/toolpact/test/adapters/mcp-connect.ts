import { Client as ClientV2, InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** Real servers and clients of both SDKs, joined in memory. */

const info = { name: 'shop', version: '1.0.0' };
const agent = { name: 'agent', version: '1.0.0' };

/** The part of a client that the tests use, in one form for both SDKs. */
export interface AnyClient {
  /** The SDK's own client. */
  readonly client: ClientV1 | ClientV2;
  readonly listTools: () => Promise<{ tools: Record<string, unknown>[] }>;
  readonly callTool: (params: object, options?: object) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

export type AnyServer = ServerV1 | ServerV2;

/** Every way a client of one SDK meets a server of the other, or its own; the last one speaks 2026-07-28. */
export const pairs = ['v1 → v1', 'v2 → v1', 'v1 → v2', 'v2 → v2', 'v2 → v2, stateless'] as const;
export type Pair = (typeof pairs)[number];

/** Connects a client to a server of its pair that `prepare` made ready, and `onElicit` answers what the server asks. */
export async function connect(pair: Pair, prepare: (server: AnyServer) => unknown, onElicit?: () => Promise<object>): Promise<AnyClient> {
  const client = pair.startsWith('v1') ? clientV1(new ClientV1(agent)) : clientV2(newClientV2(pair));
  if (onElicit !== undefined) {
    const { client: own } = client;
    own.registerCapabilities({ elicitation: {} });
    if (own instanceof ClientV1) own.setRequestHandler(ElicitRequestSchema, onElicit as never);
    else own.setRequestHandler('elicitation/create', onElicit as never);
  }
  // Messages are JSON on every real wire.
  const [ours, theirs] = (pair.startsWith('v1') ? MemoryV1 : MemoryV2).createLinkedPair();
  for (const end of [ours, theirs]) {
    const { send } = end;
    end.send = async (message: unknown, options: unknown) => send.call(end, JSON.parse(JSON.stringify(message)), options as never);
  }
  if (pair === 'v2 → v2, stateless') {
    serveStdio(
      () => {
        const server = new ServerV2(info);
        prepare(server);
        return server;
      },
      { transport: theirs as never },
    );
  } else {
    const server = pair.includes('→ v1') ? new ServerV1(info) : new ServerV2(info);
    prepare(server);
    await server.connect(theirs as never);
  }
  await client.client.connect(ours as never);
  return client;
}

function newClientV2(pair: Pair): ClientV2 {
  return new ClientV2(agent, pair.includes('stateless') ? { versionNegotiation: { mode: 'auto' } } : {});
}

export function clientV1(client: ClientV1): AnyClient {
  return {
    client,
    listTools: () => client.listTools() as never,
    callTool: (params, options) => client.callTool(params as never, undefined, options as never) as never,
    close: () => client.close(),
  };
}

export function clientV2(client: ClientV2): AnyClient {
  return {
    client,
    listTools: () => client.listTools() as never,
    callTool: (params, options) => client.callTool(params as never, options as never) as never,
    close: () => client.close(),
  };
}
