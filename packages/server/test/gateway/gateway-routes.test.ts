import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { apiKeys, createServer, hashApiKey } from '../../src/index.ts';
import { notes, openGateway } from './open-gateway.ts';

const at = (path: string, init: RequestInit = {}): Request =>
  new Request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', 'content-type': 'application/json', ...init.headers } });

test('the servers behind a gateway are listed, with the rules for their tools', async () => {
  const gateway = await openGateway({ servers: { notes }, rules: [{ tool: 'write_*', timeoutMs: 5_000 }] });
  const server = createServer(gateway.toolbox, { mcp: gateway.mcp, auditLog: false });
  const answer = await server.fetch(at('/v1/inspector/gateway'));
  expect(await answer.json()).toMatchObject({
    servers: [
      {
        name: 'notes',
        status: 'running',
        info: { name: 'notes.py', version: '0.1.0' },
        tools: [{ name: 'read_note', rule: {} }, { name: 'write_note', rule: { timeoutMs: 5_000 } }, { name: 'count_notes' }],
      },
    ],
  });
  expect(await (await server.fetch(at('/v1/inspector'))).json()).toMatchObject({ gateway: true });
  const nothing = await server.fetch(
    at('/v1/inspector/gateway/accept', { method: 'POST', body: '{"tools":[{"name":"write_note","fingerprint":"x"}]}' }),
  );
  expect(await nothing.json()).toMatchObject({ accepted: [] });
  // A name alone does not say which change was read.
  for (const body of ['{}', '{"tools":["write_note"]}'])
    expect((await server.fetch(at('/v1/inspector/gateway/accept', { method: 'POST', body }))).status).toBe(400);
});

test('who is no administrator neither sees the servers nor accepts tools', async () => {
  const key = 'a-key-of-somebody-with-enough-characters';
  const gateway = await openGateway({ servers: { notes } });
  const auth = apiKeys([{ keyId: 'ann', hash: hashApiKey(key), tenantId: '11111111-1111-4111-8111-111111111111' }]);
  const server = createServer(gateway.toolbox, { mcp: gateway.mcp, auditLog: false, auth });
  const headers = { authorization: `Bearer ${key}` };
  expect((await server.fetch(at('/v1/inspector/gateway', { headers }))).status).toBe(403);
  expect((await server.fetch(at('/v1/inspector/gateway/accept', { method: 'POST', body: '{"tools":[]}', headers }))).status).toBe(403);
});

test('a server that is no gateway says so', async () => {
  const ping = defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' });
  const server = createServer(createToolbox([ping]), { auditLog: false });
  expect((await server.fetch(at('/v1/inspector/gateway'))).status).toBe(404);
  expect(await (await server.fetch(at('/v1/inspector'))).json()).not.toHaveProperty('gateway');
});
