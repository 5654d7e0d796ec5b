import { preset as status } from '@toolpact/origins/status';
import type { CallContext } from 'toolpact';
import { createToolbox, defineTool, type Preset } from 'toolpact';
import { budget } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { withOrigins } from '../../test/with-origins.ts';
import { createClient } from '../client/index.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';

const tenantId = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';

/** A tool that gives what it knows of its call, behind a server and its client. */
function setUp(options: ServerOptions = {}, bound: CallContext = {}, preset?: Preset) {
  const look = defineTool({
    name: 'look',
    description: 'Gives its context.',
    input: z.object({}),
    effects: 'none',
    run: (_, { remainingMs, budgetTokens, locale, safetyMode, auth }) => ({
      budgetTokens,
      locale,
      safetyMode,
      auth,
      seconds: Math.ceil(remainingMs / 1000),
    }),
  });
  const store = memoryStore();
  const toolbox = createToolbox([look], {
    store,
    use: [budget({ store })],
    report: () => undefined,
    ...(preset && { preset }),
  });
  const server = createServer(toolbox.with(bound as CallContext<never>), { auditLog: false, ...withOrigins, ...options });
  const client = createClient('http://127.0.0.1:8080', { fetch: (...args) => server.fetch(new Request(...args)), retry: false });
  const post = async (body: unknown, headers: Readonly<Record<string, string>> = {}, path = '/v1/tools/look') => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const response = await server.fetch(new Request(`http://127.0.0.1:8080${path}`, request));
    return {
      status: response.status,
      body: (await response.json()) as { readonly data: unknown; readonly error: { readonly message: string } },
    };
  };
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(new Request(`http://127.0.0.1:8080${path}`, { headers }));
    return { status: response.status, text: await response.text() };
  };
  return { client, post, get };
}

test('the time, the token budget, the locale and the safety mode of a call reach the tool behind a server', async () => {
  const { client } = setUp();
  const sent = { timeoutMs: 120_000, budgetTokens: 4096, locale: 'de-DE', safetyMode: 'strict' };
  const data = { seconds: 120, budgetTokens: 4096, locale: 'de-DE', safetyMode: 'strict' };
  expect(await client.call('look', {}, sent)).toMatchObject({ status: 'ok', data });
  expect(await client.with({ locale: 'ja-JP' }).call('look', {}, { budgetTokens: 5 })).toMatchObject({
    data: { seconds: 30, budgetTokens: 5, locale: 'ja-JP' },
  });
  const [answer] = await client.batch([{ tool: 'look', args: {} }], sent);
  expect(answer?.outcome).toMatchObject({ status: 'ok', data });
});

test('a header lowers what a server or its toolbox allows, and never raises it', async () => {
  const { client, post } = setUp({ maxTimeoutMs: 60_000 }, { budgetTokens: 100, safetyMode: 'strict' });
  expect(await client.call('look', {}, { timeoutMs: 120_000, budgetTokens: 4096, safetyMode: 'off' })).toMatchObject({
    data: { seconds: 60, budgetTokens: 100, safetyMode: 'strict' },
  });
  expect(await client.call('look', {}, { budgetTokens: 50 })).toMatchObject({ data: { budgetTokens: 50 } });
  const execution = { action: 'look', timeout: 5 };
  expect((await post(execution, { 'x-timeouts-ms': '50000' }, '/v1/execute')).body.data).toMatchObject({ seconds: 5 });
  expect((await post(execution, { 'x-timeouts-ms': '2000' }, '/v1/execute')).body.data).toMatchObject({ seconds: 2 });
});

test.each([
  ['x-timeouts-ms', 'soon', 'X-Timeouts-Ms must be an integer'],
  ['x-timeouts-ms', '-5', 'timeouts_ms must be an integer above 0'],
  ['x-budget-tokens', '1.5', 'X-Budget-Tokens must be an integer'],
])('the header %s: %s is refused', async (name, value, message) => {
  expect(await setUp().post({}, { [name]: value })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(message) } },
  });
});

test('credentials for tools do not travel', async () => {
  expect((await setUp().post({}, { 'x-auth': 'token', auth: 'token' })).body.data).not.toHaveProperty('auth');
});

test.each<[string, ServerOptions, Preset?]>([
  ['its tenant option', { tenant: 'required' }],
  ['the preset of its toolbox', {}, status],
])('a server that needs a tenant by %s refuses calls without one', async (_, options, preset) => {
  const { post } = setUp(options, {}, preset);
  const refused = await post({});
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain('X-Tenant-ID is required');
  expect((await post({}, { 'x-tenant-id': tenantId })).status).toBe(200);
  expect((await post({}, { 'x-tenant-id': 'acme' })).status).toBe(400);
  expect((await post({ calls: [{ tool: 'look' }] }, {}, '/v1/batch')).status).toBe(400);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', arguments: {} } };
  expect((await post(call, { accept: 'application/json, text/event-stream' }, '/mcp')).status).toBe(400);
});

test('a header that names no tenant is refused on every route but the open ones', async () => {
  const { get } = setUp();
  for (const path of ['/v1/calls', '/v1/calls/stream', '/v1/calls/summary', '/v1/tools']) {
    const { status, text } = await get(path, { 'x-tenant-id': 'acme' });
    expect([status, text]).toEqual([400, expect.stringContaining('X-Tenant-ID must be a UUID')]);
  }
  expect((await get('/healthz', { 'x-tenant-id': 'acme' })).status).toBe(200);
});

test('a tenant in another spelling is the same one', async () => {
  const { post, get } = setUp();
  await post({}, { 'x-tenant-id': `{${tenantId}}` });
  expect(JSON.parse((await get('/v1/calls', { 'x-tenant-id': tenantId })).text)).toMatchObject({ calls: [{ tool: 'look' }] });
  expect(JSON.parse((await get('/v1/calls')).text)).toMatchObject({ calls: [] });
});

test('a server that needs a tenant shows no calls without one', async () => {
  const { get } = setUp({ tenant: 'required' });
  expect(await get('/v1/calls')).toMatchObject({ status: 400, text: expect.stringContaining('X-Tenant-ID is required') });
  expect((await get('/v1/calls', { 'x-tenant-id': tenantId })).status).toBe(200);
  expect((await get('/v1/tools')).status).toBe(200);
});

test('the tenant of a credential counts', async () => {
  const { post } = setUp({ auth: ({ headers }) => (headers.get('x-api-key') === 'k' ? { tenantId } : undefined) }, {}, status);
  expect((await post({}, { 'x-api-key': 'k' })).status).toBe(200);
});
