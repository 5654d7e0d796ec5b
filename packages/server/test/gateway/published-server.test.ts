import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openGateway, serveGateway } from './open-gateway.ts';

const peers = createRequire(new URL('../../../../proofs/peers/package.json', import.meta.url));
const folder = dirname(peers.resolve('@modelcontextprotocol/server-everything/package.json'));
const everything = { command: execPath, args: [join(folder, 'dist/index.js'), 'stdio'] };

async function connect(): Promise<Client> {
  const gateway = await openGateway({ servers: { everything }, rules: [{ tool: 'get-sum', effects: 'none' }] });
  const capabilities = { sampling: {}, elicitation: {}, roots: {} };
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: 'legacy' } });
  client.setRequestHandler('sampling/createMessage', async () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'a sample' },
  }));
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { requestedSchema } = params as { readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> } };
    const { properties } = requestedSchema;
    return { action: 'accept', content: 'interpretation' in properties ? { interpretation: 'technical' } : { name: 'Ann' } };
  });
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///home/ann', name: 'home' }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', await serveGateway(gateway))));
  onTestFinished(() => client.close());
  return client;
}

const textOf = (result: object): string =>
  (result as { readonly content: readonly { readonly text?: string }[] }).content.map(({ text = '' }) => text).join('\n');

test('a published server works behind the gateway as it does alone, and wrong arguments do not reach it', async () => {
  const client = await connect();
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'simulate-research-query']));
  expect(textOf(await call('echo', { message: 'hello' }))).toBe('Echo: hello');
  expect(textOf(await call('get-sum', { a: 2, b: 3 }))).toContain('5');
  expect(await call('get-sum', { a: 'two', b: 3 })).toMatchObject({ isError: true });
  expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('simple-prompt');
  expect(textOf(await call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 5 }))).toContain('a sample');
  expect(textOf(await call('trigger-elicitation-request'))).toContain('Ann');
  // A task of the server, which asks its user in the middle.
  const report = await client.callTool({ name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } });
  expect(textOf(report)).toContain('python (technical)');
});
