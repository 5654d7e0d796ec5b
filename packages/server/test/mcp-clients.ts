import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** Real clients over HTTP, in one form: of the first SDK, and of the second in either era of the protocol. */

export const kinds = ['v1', 'v2', 'v2, 2026-07-28'] as const;
export type Kind = (typeof kinds)[number];

/** The part of a client that the tests use. */
export interface AnyClient {
  readonly listTools: () => Promise<{ tools: Record<string, unknown>[] }>;
  readonly callTool: (params: object, options?: object) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  readonly headers?: Record<string, string>;
  /** Answers questions to the user; without it the client cannot be asked. */
  readonly onElicit?: (params: Record<string, unknown>) => object;
}

const info = { name: 'agent', version: '1.0.0' };

/** Connects a client to `/mcp` of a server. */
export async function connectMcp(kind: Kind, url: string, { headers = {}, onElicit }: ConnectOptions = {}): Promise<AnyClient> {
  const address = new URL('/mcp', url);
  const capabilities = onElicit === undefined ? {} : { elicitation: {} };
  if (kind === 'v1') {
    const client = new ClientV1(info, { capabilities });
    if (onElicit !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => onElicit(params) as never);
    const transport = new HttpV1(address, { requestInit: { headers } });
    await client.connect(transport as never);
    return {
      listTools: () => client.listTools() as never,
      callTool: (params, options) => client.callTool(params as never, undefined, options as never) as never,
      close: async () => {
        await transport.terminateSession().catch(() => undefined);
        await client.close();
      },
    };
  }
  const isModern = kind !== 'v2';
  const client = new ClientV2(info, { capabilities, ...(isModern && { versionNegotiation: { mode: 'auto' } }) });
  if (onElicit !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onElicit(params as never) as never);
  const transport = new HttpV2(address, { requestInit: { headers } });
  await client.connect(transport);
  return {
    listTools: () => client.listTools() as never,
    callTool: (params, options) => client.callTool(params as never, options as never) as never,
    close: async () => {
      if (!isModern) await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}
