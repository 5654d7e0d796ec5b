import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../src/index.ts';
import { bad, notes, openGateway, serveGateway } from './open-gateway.ts';

async function connect(gateway: Gateway, prepare: (client: Client) => void = () => undefined, capabilities: object = {}): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities });
  prepare(client);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', await serveGateway(gateway))));
  onTestFinished(() => client.close());
  return client;
}

const textOf = (result: object): unknown => (result as { content: { text: string }[] }).content[0]?.text;

describe('what a server asks reaches the client whose call runs', () => {
  const full = { sampling: {}, elicitation: {}, roots: {} };
  const answering = (client: Client): void => {
    client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: `${params.messages.length} message` },
    }));
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: 'accept', content: { colour: params.message } }));
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///home/ann' }] }));
  };

  test.each([
    ['sampling', { model: 'm', role: 'assistant', content: { type: 'text', text: '1 message' } }],
    ['elicitation', { action: 'accept', content: { colour: 'Which colour?' } }],
    ['roots', { roots: [{ uri: 'file:///home/ann' }] }],
  ])('%s', async (what, expected) => {
    const client = await connect(await openGateway({ servers: { bad: bad() } }), answering, full);
    expect(JSON.parse(String(textOf(await client.callTool({ name: 'ask', arguments: { what } }))))).toEqual(expected);
  });

  test('a client that cannot do it: the server is told so, and the call goes on', async () => {
    const client = await connect(await openGateway({ servers: { bad: bad() } }));
    const sampled = await client.callTool({ name: 'ask', arguments: { what: 'sampling' } });
    expect(JSON.parse(String(textOf(sampled)))).toMatchObject({ error: { code: expect.any(Number) } });
    const roots = await client.callTool({ name: 'ask', arguments: { what: 'roots' } });
    expect(JSON.parse(String(textOf(roots)))).toEqual({ roots: [] });
  });
});

test('lines of the log, progress and cancellation are passed on', async () => {
  const gateway = await openGateway({ servers: { bad: bad() } });
  const logged: unknown[] = [];
  const client = await connect(gateway, (one) =>
    one.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params)),
  );
  await client.setLoggingLevel('debug');
  await client.callTool({ name: 'log', arguments: {} });
  await expect.poll(() => logged).toEqual([{ level: 'warning', logger: 'bad', data: 'a line of the log' }]);
  const steps: unknown[] = [];
  await client.callTool({ name: 'progress', arguments: {} }, { onprogress: ({ progress, total }) => steps.push([progress, total]) });
  await expect
    .poll(() => steps)
    .toEqual([
      [1, 2],
      [2, 2],
    ]);
  const stop = new AbortController();
  const hanging = client.callTool({ name: 'hang', arguments: {} }, { signal: stop.signal });
  stop.abort();
  await expect(hanging).rejects.toThrow();
});

test('a changed list is announced', async () => {
  const gateway = await openGateway({ servers: { bad: bad() } });
  const changes: string[] = [];
  const client = await connect(gateway, (one) =>
    one.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void changes.push(method)),
  );
  await client.callTool({ name: 'change_list', arguments: {} });
  await expect.poll(() => changes).toHaveLength(1);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('new_tool');
});

test('resources and prompts are those of the servers; with several, prompts have the name of theirs before them', async () => {
  const one = await connect(await openGateway({ servers: { notes } }));
  await one.callTool({ name: 'write_note', arguments: { title: 'a', text: 'b' } });
  expect(one.getInstructions()).toBe('Keep notes short.');
  expect((await one.listResources()).resources).toEqual([{ uri: 'note:///a', name: 'a' }]);
  expect((await one.readResource({ uri: 'note:///a' })).contents).toEqual([{ uri: 'note:///a', mimeType: 'text/plain', text: 'b' }]);
  await expect(one.readResource({ uri: 'note:///nowhere' })).rejects.toThrow("KeyError('nowhere')");
  expect((await one.listPrompts()).prompts.map(({ name }) => name)).toEqual(['summarize']);

  const two = await connect(await openGateway({ servers: { notes, others: notes, bad: bad() }, store: memoryStore() }));
  await two.callTool({ name: 'others_write_note', arguments: { title: 'c', text: 'd' } });
  expect((await two.listResources()).resources).toEqual([{ uri: 'note:///c', name: 'c' }]);
  expect((await two.readResource({ uri: 'note:///c' })).contents).toMatchObject([{ text: 'd' }]);
  expect((await two.listPrompts()).prompts.map(({ name }) => name)).toEqual(['notes_summarize', 'others_summarize']);
  expect((await two.getPrompt({ name: 'others_summarize', arguments: { title: 'c' } })).messages).toMatchObject([
    { content: { text: 'Summarize: d' } },
  ]);
});
