import { createToolbox, defineTool } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { memoryStore } from 'toolpact/stores/memory';
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

test('every part of a toolbox is there behind a gateway', async () => {
  const store = memoryStore();
  const gateway = await openGateway({ servers: { notes }, store });
  const partsOf = (whole: object): string[] =>
    Object.entries(whole)
      .filter(([name]) => name !== 'tools')
      .flatMap(([name, part]) =>
        isRecord(part) ? partsOf(part).map((inner) => `${name}.${inner}`) : typeof part === 'function' ? [name] : [],
      )
      .sort();
  const parts = partsOf(createToolbox([], { store }));
  expect(parts).toContain('approvals.grants.list');
  expect(partsOf(gateway.toolbox)).toStrictEqual(expect.arrayContaining(parts));
});

test('the standing grants of a gateway are listed and revoked', async () => {
  const rules = [{ tool: 'write_note', approval: true }] as const;
  const gateway = await openGateway({ servers: { notes }, rules, store: memoryStore() });
  const server = createServer(gateway.toolbox, { mcp: gateway.mcp, auditLog: false });
  const readGrants = async (): Promise<unknown> => (await server.fetch(at('/v1/grants'))).json();
  expect(await readGrants()).toStrictEqual({ grants: [] });
  const pending = await gateway.toolbox.call('write_note', { title: 'a', text: 'b' }, { runId: 'run_1' });
  const handle = pending.status === 'pending' ? pending.pending.handle : '';
  const decision = { decision: 'approve', grant: { for: 'run' } };
  const decided = await server.fetch(at(`/v1/approvals/${handle}`, { method: 'POST', body: JSON.stringify(decision) }));
  const { grant } = (await decided.json()) as { readonly grant: { readonly id: string } };
  expect(await readGrants()).toMatchObject({ grants: [{ id: grant.id, tool: 'write_note' }] });
  expect((await server.fetch(at(`/v1/grants/${grant.id}`, { method: 'DELETE' }))).status).toBe(200);
  expect(await readGrants()).toStrictEqual({ grants: [] });
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
