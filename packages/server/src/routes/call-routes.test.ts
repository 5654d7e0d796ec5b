import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { createServer } from '../create-server.ts';

test.each([
  ['text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream;q=0.5', 'text/event-stream'],
  ['application/json, text/event-stream;q=0', 'application/json'],
  ['text/event-stream; q=0.0, application/json', 'application/json'],
])('a client that accepts %s gets %s', async (accept, type) => {
  const server = createServer(createToolbox([defineTool({ name: 'add', description: 'Adds.', run: () => 3 })]));
  const request = { method: 'POST', headers: { accept, 'content-type': 'application/json' }, body: '{}' };
  expect((await server.fetch(new Request('http://localhost/v1/tools/add', request))).headers.get('content-type')).toBe(type);
});

test.each([
  ['/v1/batch', { calls: [{ tool: 'add' }], stopOnErr: true }, 'the batch has the unknown field stopOnErr'],
  ['/v1/batch', { calls: [{ tool: 'add' }], parallel: true }, 'parallel has no meaning beside calls, which have concurrency'],
  ['/v1/batch', { actions: [{ action: 'add' }] }, 'calls is missing'],
])('%s refuses %j', async (path, body, message) => {
  const server = createServer(createToolbox([defineTool({ name: 'add', description: 'Adds.', run: () => 3 })]));
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await server.fetch(new Request(`http://localhost${path}`, request));
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)]);
});
