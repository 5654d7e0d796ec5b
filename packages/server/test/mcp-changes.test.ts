import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createToolbox, defineTool } from 'toolpact';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../src/index.ts';
import type { McpNotifier } from '../src/mcp/settings.ts';
import { type Listening, listen } from '../src/node/listen.ts';

const add = defineTool({ name: 'add', description: 'Adds.', effects: 'none', run: () => 3 });
let notifier: McpNotifier | undefined;
let listening: Listening;

beforeAll(async () => {
  const server = createServer(createToolbox([add]), {
    mcp: {
      configure({ server }, { notify }) {
        notifier = notify;
        server.registerCapabilities({ resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } });
        for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) server.setRequestHandler(method, () => ({}));
      },
    },
  });
  listening = await listen(server, { port: 0 });
});
afterAll(() => listening.close());

/** Connects the official client, and collects what it is told of changes. */
async function connect(options: object): Promise<{ readonly client: Client; readonly heard: string[] }> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, options);
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', listening.url)));
  return { client, heard };
}

function change(): void {
  for (const uri of ['test://a', 'test://b']) notifier?.resourceUpdated(uri);
  notifier?.toolsChanged();
}

test('a client of 2025-11-25 hears of the resources that it subscribed to, until it gives them up', async () => {
  const { client, heard } = await connect({});
  await client.subscribeResource({ uri: 'test://a' });
  // Its stream for notifications opens beside the handshake.
  await expect
    .poll(() => {
      if (heard.length === 0) change();
      return heard;
    })
    .toContain('tools');
  expect(heard).toContain('test://a');
  expect(heard).not.toContain('test://b');
  await client.unsubscribeResource({ uri: 'test://a' });
  heard.length = 0;
  change();
  await expect.poll(() => heard).toContain('tools');
  expect(heard).not.toContain('test://a');
  await client.close();
});

test('a client of 2026-07-28 hears what it listens to, until it closes the subscription', async () => {
  const { client, heard } = await connect({ versionNegotiation: { mode: 'auto' } });
  const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://a'] });
  change();
  await expect.poll(() => heard).toEqual(['test://a', 'tools']);
  await subscription.close();
  change();
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(heard).toEqual(['test://a', 'tools']);
  await client.close();
});
