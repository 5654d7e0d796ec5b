import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../create-server.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effects: 'none',
  run: ({ a, b }) => ({ sum: a + b }),
});

function ask(server: ReturnType<typeof createServer>, path: string): Promise<Response> {
  return server.fetch(new Request(`http://127.0.0.1:8080${path}`, { headers: { host: '127.0.0.1:8080' } }));
}

test('a server lives and is ready, and is not ready any more once it is closing', async () => {
  const store = memoryStore();
  const server = createServer(createToolbox([add], { store }));
  const healthy = await ask(server, '/healthz');
  expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }]);
  const ready = await ask(server, '/readyz');
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  await server.close();
  const draining = await ask(server, '/readyz');
  expect([draining.status, await draining.json()]).toEqual([503, { status: 'draining' }]);
  expect((await ask(server, '/healthz')).status).toBe(200);
});

test('operators of the server learn how many tools, workers and sessions there are; others do not', async () => {
  const status = 'ready';
  const facts = { status, tools_count: 1, active_workers: 0, total_sessions: 0 };
  const toolbox = createToolbox([add]);
  const as = (scopes: readonly string[] | undefined) =>
    createServer(toolbox, { auth: () => scopes && { tenantId: 'acme', scopes }, auditLog: false });
  expect(await (await ask(createServer(toolbox), '/ready')).json()).toEqual(facts);
  expect(await (await ask(as(['sessions:admin']), '/ready')).json()).toEqual(facts);
  expect(await (await ask(as(['tools:call:*']), '/ready')).json()).toEqual({ status });
  expect((await ask(as(undefined), '/ready')).status).toBe(401);
  expect((await ask(as(undefined), '/readyz')).status).toBe(200);
});
