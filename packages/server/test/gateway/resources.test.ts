import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, onTestFinished, test } from 'vitest';
import type { GatewayOptions } from '../../src/index.ts';
import { openGateway, serveGateway, stoppedClock } from './open-gateway.ts';

type Params = Readonly<Record<string, unknown>>;

/** A server with resources and prompts that remembers what it was asked; each connection is a start of it. */
function resourceServer(answers: Readonly<Record<string, (params: Params) => object | Promise<object>>> = {}) {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const all: Readonly<Record<string, (params: Params) => object | Promise<object>>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { resources: {}, prompts: {}, logging: {}, tools: {} },
      serverInfo: { name: 'x', version: '1.0.0' },
    }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'read' }] }),
    'prompts/list': () => ({ prompts: [] }),
    'tools/list': () => ({ tools: [] }),
    ...answers,
  };
  const connect = (): InMemoryTransport => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    ends.push(() => void theirs.close());
    theirs.onmessage = (message) => {
      const { id, method = '', params = {} } = message as { readonly id?: number; readonly method?: string; readonly params?: Params };
      if (id === undefined) return;
      const what = params.uri ?? params.level ?? params.name;
      if (what !== undefined) asked.push(`${method} ${String(what)}`);
      void Promise.resolve(all[method]?.(params) ?? {}).then((result) => theirs.send({ jsonrpc: '2.0', id, result } as never));
    };
    void theirs.start();
    return ours;
  };
  return { target: { connect }, asked, end: () => ends.at(-1)?.() };
}

async function serve(options: GatewayOptions): Promise<() => Promise<Client>> {
  const url = await serveGateway(await openGateway({ store: memoryStore(), ...options }));
  return async () => {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url));
    await client.connect(transport);
    const close = client.close.bind(client);
    client.close = async () => {
      await transport.terminateSession();
      await close();
    };
    onTestFinished(() => client.close());
    return client;
  };
}

test('a client gives up its own subscriptions only, and with its end all of them', async () => {
  const { target, asked } = resourceServer();
  const connect = await serve({ servers: { x: target } });
  const [ann, bob] = [await connect(), await connect()];
  const uri = 'x://a';
  await ann.subscribeResource({ uri });
  await ann.subscribeResource({ uri });
  await bob.unsubscribeResource({ uri });
  await bob.subscribeResource({ uri });
  await bob.unsubscribeResource({ uri });
  await bob.unsubscribeResource({ uri });
  expect(asked).toEqual(['resources/subscribe x://a']);
  await ann.close();
  await expect.poll(() => asked).toEqual(['resources/subscribe x://a', 'resources/unsubscribe x://a']);
});

test('a client that gives up a subscription before it is confirmed takes it from no other', async () => {
  const confirmed = Promise.withResolvers<object>();
  const { target, asked } = resourceServer({ 'resources/subscribe': () => confirmed.promise });
  const connect = await serve({ servers: { x: target } });
  const [ann, bob] = [await connect(), await connect()];
  const uri = 'x://a';
  const subscribing = [ann.subscribeResource({ uri })];
  await expect.poll(() => asked).toEqual(['resources/subscribe x://a']);
  subscribing.push(bob.subscribeResource({ uri }));
  // A request of the same client after it: the gateway has heard of the subscription.
  await bob.listResources();
  await ann.unsubscribeResource({ uri });
  confirmed.resolve({});
  await Promise.all(subscribing);
  await bob.unsubscribeResource({ uri });
  expect(asked).toEqual(['resources/subscribe x://a', 'resources/unsubscribe x://a']);
});

test('a client cannot subscribe to more than a thousand addresses', async () => {
  const connect = await serve({ servers: { x: resourceServer().target } });
  const client = await connect();
  for (let count = 0; count < 1_000; count += 1) await client.subscribeResource({ uri: `x://${count}` });
  await expect(client.subscribeResource({ uri: 'x://one-more' })).rejects.toThrow('There are too many subscriptions');
});

test('a server that was started again is told what clients have subscribed to, and the level of the log', async () => {
  const { target, asked, end } = resourceServer();
  const { clock, goOn } = stoppedClock();
  const connect = await serve({ servers: { x: target }, clock });
  const client = await connect();
  await client.subscribeResource({ uri: 'x://a' });
  await client.setLoggingLevel('debug');
  asked.length = 0;
  end();
  await expect
    .poll(() => {
      goOn();
      return asked;
    })
    .toEqual(['logging/setLevel debug', 'resources/subscribe x://a']);
});

test('the address of a resource goes to the server that has shown it, and to no other', async () => {
  const inputSchema = { type: 'object' };
  const files = resourceServer({
    'resources/list': () => ({ resources: [{ uri: 'file:///a', name: 'a' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'file:///logs/{day}', name: 'logs' }] }),
    'tools/list': () => ({ tools: [{ name: 'find', inputSchema }] }),
    'tools/call': () => ({ content: [{ type: 'resource_link', uri: 'file:///found', name: 'found' }] }),
  });
  const other = resourceServer({ 'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: '{+any}', name: 'any' }] }) });
  const connect = await serve({ servers: { other: other.target, files: files.target } });
  const client = await connect();
  for (const uri of ['file:///a', 'file:///logs/monday'])
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: 'read' }]);
  await expect(client.readResource({ uri: 'file:///found' })).rejects.toThrow('No server behind this gateway lists the resource');
  await client.callTool({ name: 'files_find', arguments: {} });
  expect((await client.readResource({ uri: 'file:///found' })).contents).toMatchObject([{ text: 'read' }]);
  expect(other.asked).toEqual([]);
});

test('prompts of servers whose names begin alike are told apart', async () => {
  const [a, ab] = [
    resourceServer({ 'prompts/list': () => ({ prompts: [{ name: 'b_x' }] }) }),
    resourceServer({ 'prompts/list': () => ({ prompts: [{ name: 'x' }] }) }),
  ];
  const connect = await serve({ servers: { a: a.target, a_b: ab.target } });
  const client = await connect();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['a:b_x', 'a_b:x']);
  for (const { name } of prompts) await client.getPrompt({ name }).catch(() => undefined);
  expect([a.asked, ab.asked]).toEqual([['prompts/get b_x'], ['prompts/get x']]);
});
