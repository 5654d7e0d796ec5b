import { createToolbox, defineTool, fail } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeys, hashApiKey } from '../auth/api-keys.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';

const tenantId = '11111111-1111-4111-8111-111111111111';
const key = 'a-key-of-a-few-tools-with-enough-characters';

async function setUp(options: ServerOptions = {}) {
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    effects: 'none',
    input: z.object({ a: z.number(), password: z.string().optional() }),
    run: ({ a }) => a + 1,
  });
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    steps: true,
    async run(_, { step }) {
      await step('reserve', async () => 1);
      return step('pay', async () => Promise.reject(fail('upstream', 'The bank hung up.')));
    },
  });
  const toolbox = createToolbox([add, order], { store: memoryStore(), report: () => undefined });
  const server = createServer(toolbox, { auditLog: false, ...options });
  const call = (name: string, args: object, id: string) => toolbox.answer({ name, args }, { tenantId, invocationId: id });
  await call('add', { a: 1, password: 'hunter2-hunter2' }, 'first');
  await call('order', {}, 'second');
  await call('add', { a: 2 }, 'third');
  return async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await server.fetch(new Request(`http://localhost/v1/calls/download?tenantId=${tenantId}&${query}`, { headers }));
    return { response, text: await response.text() };
  };
}

test('calls are downloaded whole, a line for each, as far as they pass the filters', async () => {
  const download = await setUp();
  const { response, text } = await download('tool=add');
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
    200,
    'application/x-ndjson',
    'attachment; filename="calls.jsonl"',
  ]);
  expect(text.endsWith('}\n')).toBe(true);
  const calls = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(calls.map(({ id, outcome }) => [id, outcome.data])).toEqual([
    ['third', 3],
    ['first', 2],
  ]);
  expect(text).not.toContain('hunter2');
});

test('calls are downloaded as traces, their steps inside', async () => {
  const { response, text } = await (await setUp())('format=otlp&tool=order');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="calls.otlp.json"');
  const [{ scopeSpans }] = JSON.parse(text).resourceSpans;
  const [call, reserve, pay] = scopeSpans[0].spans;
  expect(call).toMatchObject({ name: 'execute_tool order', kind: 1, status: { code: 2, message: 'The bank hung up.' } });
  expect(call.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'upstream' } });
  expect(call.attributes).toContainEqual({ key: 'toolpact.attempts', value: { intValue: '1' } });
  expect([call.traceId, call.spanId]).toEqual([expect.stringMatching(/^[\da-f]{32}$/), expect.stringMatching(/^[\da-f]{16}$/)]);
  expect(BigInt(call.endTimeUnixNano) >= BigInt(call.startTimeUnixNano)).toBe(true);
  expect([reserve, pay].map(({ traceId, parentSpanId, name, status }) => [traceId, parentSpanId, name, status])).toEqual([
    [call.traceId, call.spanId, 'step reserve', {}],
    [call.traceId, call.spanId, 'step pay', { code: 2 }],
  ]);
});

test.each([
  ['jsonl', ''],
  ['otlp', '"spans":[]'],
])('a file without calls is a sound one: %s', async (format, part) => {
  const { response, text } = await (await setUp())(`format=${format}&tool=none`);
  expect([response.status, text === '' || JSON.stringify(JSON.parse(text)) === text, text.includes(part)]).toEqual([200, true, true]);
});

test.each([
  ['format=csv', 'format must be one of jsonl, otlp.'],
  ['limit=0', 'limit must be a whole number from 1.'],
  ['status=late', 'status must be one of running, ok, partial, error, pending.'],
])('a wrong question is refused: %s', async (query, detail) => {
  const { response, text } = await (await setUp())(query);
  expect([response.status, JSON.parse(text).detail]).toEqual([400, detail]);
});

test('no more calls than asked for are sent, and none that the caller may not see', async () => {
  expect((await (await setUp())('limit=1')).text.trim().split('\n')).toHaveLength(1);
  const auth = apiKeys([{ keyId: 'few', hash: hashApiKey(key), tenantId, scopes: ['tools:call:order'] }]);
  const { text } = await (await setUp({ auth }))('', { authorization: `Bearer ${key}` });
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).tool),
  ).toEqual(['order']);
});
