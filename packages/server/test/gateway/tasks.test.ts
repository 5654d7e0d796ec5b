import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, onTestFinished, test } from 'vitest';
import type { Gateway, GatewayOptions } from '../../src/index.ts';
import { openGateway, serveGateway } from './open-gateway.ts';

const tasks = { command: execPath, args: [fileURLToPath(new URL('task-server.mjs', import.meta.url))] };
const open = (options: Partial<GatewayOptions> = {}): Promise<Gateway> => openGateway({ servers: { tasks }, ...options });
const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };

async function connect(gateway: Gateway, prepare: (client: Client) => void = () => undefined, capabilities: object = {}): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: 'legacy' } });
  prepare(client);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', await serveGateway(gateway))));
  onTestFinished(() => client.close());
  return client;
}

/** Sends a request as it is: the SDK has no methods for tasks. */
const ask = (client: Client, method: string, params: object): Promise<Record<string, unknown>> =>
  client.request({ method, params } as never, anything as never) as never;

const seenBy = async (gateway: Gateway): Promise<unknown> => {
  const outcome = await gateway.toolbox.answer({ name: 'seen', args: {} });
  return outcome.status === 'ok' ? String(outcome.data).split('\n') : outcome;
};

test('a tool that its server takes as a task only is called as one, for callers that know of none', async () => {
  const gateway = await open();
  const crawl = gateway.toolbox.answer({ name: 'crawl', args: {} });
  await expect.poll(() => seenBy(gateway)).toContain('tools/call crawl as a task');
  await gateway.toolbox.answer({ name: 'finish', args: {} });
  expect(await crawl).toMatchObject({ status: 'ok', data: 'three pages' });
  expect(gateway.servers()[0]?.tools.map(({ name, tasks: support }) => [name, support])).toEqual([
    ['crawl', 'required'],
    ['order', 'required'],
    ['look', 'optional'],
    ['finish', undefined],
    ['seen', undefined],
    ['silence', undefined],
  ]);
});

test('a tool that its server takes as a task may take longer than others', async () => {
  const gateway = await open({ timeoutMs: 1_000 });
  const crawl = gateway.toolbox.answer({ name: 'crawl', args: {} });
  await expect.poll(() => seenBy(gateway)).toContain('tools/call crawl as a task');
  // A plain tool with the deadline of all has run out of time meanwhile.
  expect(await gateway.toolbox.answer({ name: 'silence', args: {} })).toMatchObject({ error: { kind: 'timeout' } });
  await gateway.toolbox.answer({ name: 'finish', args: {} });
  expect(await crawl).toMatchObject({ status: 'ok' });
});

test('what a task says of itself is the progress of the call', async () => {
  const gateway = await open();
  const said: unknown[] = [];
  const call = gateway.toolbox.answer({ name: 'crawl', args: {} }, { onProgress: ({ message }) => said.push(message) });
  await expect.poll(() => said).toEqual(['page 1 of 3']);
  await gateway.toolbox.answer({ name: 'finish', args: {} });
  await call;
});

test('a call that is stopped cancels its task', async () => {
  const gateway = await open();
  const stop = new AbortController();
  const call = gateway.toolbox.answer({ name: 'crawl', args: {} }, { signal: stop.signal });
  await expect.poll(() => seenBy(gateway)).toContain('tools/call crawl as a task');
  stop.abort();
  expect(await call).toMatchObject({ error: { kind: 'cancelled' } });
  await expect.poll(() => seenBy(gateway)).toContain('tasks/cancel');
});

test('a client that knows tasks gets a task of the gateway for a task of the server, and can cancel it', async () => {
  const gateway = await open({ store: memoryStore(), rules: [{ tool: 'crawl', deferAfterMs: 20 }] });
  const client = await connect(gateway);
  const { tools } = await ask(client, 'tools/list', {});
  const supports = (tools as { name: string; execution?: object }[]).map(({ name, execution }) => [name, execution]);
  expect(supports).toContainEqual(['crawl', { taskSupport: 'optional' }]);
  const call = async (): Promise<{ taskId: string; status: string }> => {
    const { task } = await ask(client, 'tools/call', { name: 'crawl', arguments: {}, task: { ttl: 60_000 } });
    return task as never;
  };
  const task = await call();
  expect(task).toMatchObject({ taskId: expect.any(String), status: 'working' });
  expect(task.taskId).not.toMatch(/^task-/);
  await client.callTool({ name: 'finish', arguments: {} });
  expect(await ask(client, 'tasks/result', { taskId: task.taskId })).toMatchObject({ content: [{ text: 'three pages' }] });
  expect(await ask(client, 'tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'completed' });

  const { taskId } = await call();
  expect(await ask(client, 'tasks/cancel', { taskId })).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => seenBy(gateway)).toContain('tasks/cancel');
});

test('a tool that may be a task is one where the client makes it one', async () => {
  const gateway = await open({ store: memoryStore(), rules: [{ tool: 'look', deferAfterMs: 20 }] });
  const client = await connect(gateway);
  expect(await client.callTool({ name: 'look', arguments: {} })).toMatchObject({ content: [{ text: 'nothing here' }] });
  const { task } = await ask(client, 'tools/call', { name: 'look', arguments: {}, task: { ttl: 60_000 } });
  await client.callTool({ name: 'finish', arguments: {} });
  const { taskId } = task as { readonly taskId: string };
  expect(await ask(client, 'tasks/result', { taskId })).toMatchObject({ content: [{ text: 'three pages' }] });
  expect(await seenBy(gateway)).toEqual(['tools/call look', 'tools/call look as a task', 'tools/call finish', 'tools/call seen']);
});

test('what a task asks reaches the client whose call it is', async () => {
  const answer = (client: Client): void =>
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: 'accept', content: { count: params.message.length } }));
  const client = await connect(await open(), answer, { elicitation: {} });
  expect(await client.callTool({ name: 'order', arguments: {} })).toMatchObject({
    content: [{ text: JSON.stringify({ action: 'accept', content: { count: 9 } }) }],
  });
});
