import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { z } from 'zod';
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

const q = z.object({ q: z.string() });
test.each<[string, z.ZodType<object, object>, object, unknown]>([
  ['brings a trace id', q, { q: 'x', trace_id: 'trace-1' }, { trace: 'trace-1', args: { q: 'x' } }],
  [
    'brings a trace id to a tool that takes no other arguments',
    z.strictObject({ q: z.string() }),
    { q: 'x', trace_id: 'trace-1' },
    { trace: 'trace-1', args: { q: 'x' } },
  ],
  [
    'brings a trace id to a tool that takes any arguments',
    q.loose(),
    { q: 'x', trace_id: 'trace-1' },
    { trace: 'trace-1', args: { q: 'x', trace_id: 'trace-1' } },
  ],
  [
    'has an argument of that name',
    q.extend({ trace_id: z.string() }),
    { q: 'x', trace_id: 'row-7' },
    { trace: 'from-header', args: { q: 'x', trace_id: 'row-7' } },
  ],
  ['has something else of that name', q, { q: 'x', trace_id: 7 }, { trace: 'from-header', args: { q: 'x' } }],
])('a body %s', async (what, input, body, expected) => {
  const run = (args: object, { traceId }: { traceId: string }) => ({ trace: traceId, args });
  const server = createServer(createToolbox([defineTool({ name: 'look', description: 'Looks.', input, effects: 'none', run })]));
  const headers = { 'content-type': 'application/json', ...(what.startsWith('has') && { 'x-trace-id': 'from-header' }) };
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await server.fetch(new Request('http://localhost/v1/tools/look', request));
  expect(await response.json()).toMatchObject({ status: 'ok', data: expected });
});
