import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { apiKeys, createApiKey, type ServerOptions } from '../../src/index.ts';
import { bad, openGateway, serveGateway } from './open-gateway.ts';

const [acme, other] = [createApiKey(), createApiKey()];
const auth = apiKeys([
  { hash: acme.hash, tenantId: 'acme' },
  { hash: other.hash, tenantId: 'other' },
]);

/** Connects a client that notes what it is asked and told. */
async function listen(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly client: Client; readonly heard: string[] }> {
  const heard: string[] = [];
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', async () => {
    heard.push('question');
    return { action: 'decline' };
  });
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(String(params.data)));
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return { client, heard };
}

/** Calls a tool as a program does that speaks no MCP. */
async function post(url: string, tool: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(new URL(`/v1/tools/${tool}`, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.text();
}

test.each<[string, Pick<ServerOptions, 'auth'>]>([
  ['of another tenant', { auth }],
  ['of nobody that is known', {}],
])('what a server asks and says during a call over HTTP does not reach the only client over MCP, which is %s', async (_, options) => {
  const url = await serveGateway(await openGateway({ servers: { bad: bad() } }), options);
  const { heard } = await listen(url, { 'x-api-key': other.key });
  expect(await post(url, 'ask', { what: 'elicitation' }, { 'x-api-key': acme.key })).toContain('cannot be asked');
  await post(url, 'log', {}, { 'x-api-key': acme.key });
  expect(heard).toEqual([]);
});

test('what a server says after a call reaches its only client, unless that may be of another tenant', async () => {
  const own = await serveGateway(await openGateway({ servers: { bad: bad() } }));
  const { client, heard } = await listen(own);
  await client.callTool({ name: 'later', arguments: {} });
  await expect.poll(() => heard.toSorted()).toEqual(['a line after the call', 'question']);

  const lines: string[] = [];
  const shared = await serveGateway(await openGateway({ servers: { bad: bad() }, log: (line) => lines.push(line) }), { auth });
  const stranger = await listen(shared, { 'x-api-key': other.key });
  await post(shared, 'later', {}, { 'x-api-key': acme.key });
  await expect.poll(() => lines).toContain('asked');
  await stranger.client.callTool({ name: 'log', arguments: {} });
  await expect.poll(() => stranger.heard).toEqual(['a line of the log']);
});
