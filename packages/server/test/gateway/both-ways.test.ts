import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../src/index.ts';
import { bad, notes, openGateway, serveGateway } from './open-gateway.ts';

async function connect(
  gateway: Gateway,
  prepare: (client: Client) => void = () => undefined,
  capabilities: object = {},
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities, versionNegotiation: { mode } });
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

  test.each(['sampling', 'elicitation', 'roots'])('%s, in the answer to a client of the newer era', async (what) => {
    const gateway = await openGateway({ servers: { bad: bad() } });
    const client = await connect(gateway, answering, full, 'auto');
    expect(client.getProtocolEra()).toBe('modern');
    const expected: Readonly<Record<string, object>> = {
      sampling: { content: { text: '1 message' } },
      elicitation: { action: 'accept', content: { colour: 'Which colour?' } },
      roots: { roots: [{ uri: 'file:///home/ann' }] },
    };
    expect(JSON.parse(String(textOf(await client.callTool({ name: 'ask', arguments: { what } }))))).toMatchObject(expected[what] ?? {});
    // The call waited for its client here, so it was made once.
    expect(textOf(await client.callTool({ name: 'fine', arguments: {} }))).toBe('fine');
  });

  test.each(['legacy', 'auto'] as const)('the time of a call does not count while a person is asked: client %s', async (mode) => {
    const gateway = await openGateway({ servers: { bad: bad() }, rules: [{ timeoutMs: 300 }] });
    const slow = (one: Client): void =>
      one.setRequestHandler('elicitation/create', async () => {
        // A call that began later, with the same time, has run out of it.
        expect(await gateway.toolbox.answer({ name: 'hang', args: {} })).toMatchObject({ error: { kind: 'timeout' } });
        return { action: 'accept', content: { colour: 'green' } };
      });
    const client = await connect(gateway, slow, { elicitation: {} }, mode);
    const answered = await client.callTool({ name: 'ask', arguments: { what: 'elicitation' } });
    expect(JSON.parse(String(textOf(answered)))).toEqual({ action: 'accept', content: { colour: 'green' } });
  });

  test('a client of the newer era that cannot do it is told what it lacks, with the status of the protocol', async () => {
    const client = await connect(await openGateway({ servers: { bad: bad() } }), () => undefined, {}, 'auto');
    await expect(client.callTool({ name: 'ask', arguments: { what: 'sampling' } })).rejects.toMatchObject({ code: -32021 });
  });

  test('an answer to a question that nobody asked is refused', async () => {
    const url = await serveGateway(await openGateway({ servers: { bad: bad() } }));
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
    };
    const response = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-name': 'ask' },
        ...{ 'mcp-method': 'tools/call', 'mcp-protocol-version': '2026-07-28' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'ask', arguments: { what: 'sampling' }, requestState: 'gateway.made-up', inputResponses: {}, _meta: meta },
      }),
    });
    expect(await response.text()).toContain('The request state is not known');
  });

  test('a client that cannot do it: the server is told so, and the call goes on', async () => {
    const client = await connect(await openGateway({ servers: { bad: bad() } }));
    const sampled = await client.callTool({ name: 'ask', arguments: { what: 'sampling' } });
    expect(JSON.parse(String(textOf(sampled)))).toMatchObject({ error: { code: expect.any(Number) } });
    const roots = await client.callTool({ name: 'ask', arguments: { what: 'roots' } });
    expect(JSON.parse(String(textOf(roots)))).toEqual({ roots: [] });
  });
});

test('a question is refused while calls of two clients run that cannot be told apart', async () => {
  const gateway = await openGateway({ servers: { bad: bad() } });
  const url = await serveGateway(gateway);
  const asked: string[] = [];
  const open = async (name: string): Promise<Client> => {
    const client = new Client({ name, version: '1.0.0' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } });
    client.setRequestHandler('elicitation/create', async () => {
      asked.push(name);
      return { action: 'decline' };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    onTestFinished(() => client.close());
    return client;
  };
  const [ann, bob] = [await open('ann'), await open('bob')];
  const stop = new AbortController();
  const begun = Promise.withResolvers<unknown>();
  gateway.toolbox.subscribe(begun.resolve);
  const hanging = bob.callTool({ name: 'hang', arguments: {} }, { signal: stop.signal }).catch(() => undefined);
  await begun.promise;
  const refused = await ann.callTool({ name: 'ask', arguments: { what: 'elicitation' } });
  expect(String(textOf(refused))).toContain('not clear which client');
  expect(asked).toEqual([]);
  stop.abort();
  await hanging;
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
  expect((await two.listPrompts()).prompts.map(({ name }) => name)).toEqual(['notes:summarize', 'others:summarize']);
  expect((await two.getPrompt({ name: 'others:summarize', arguments: { title: 'c' } })).messages).toMatchObject([
    { content: { text: 'Summarize: d' } },
  ]);
});
