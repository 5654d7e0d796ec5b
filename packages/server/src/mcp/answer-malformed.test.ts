import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createToolbox, defineTool } from 'toolpact';
import { expect, onTestFinished, test } from 'vitest';
import { serveStdio } from '../stdio.ts';

const noop = defineTool({ name: 'noop', description: 'Does nothing.', effects: 'none', run: () => 1 });
const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** Writes to a server on stdio and reads lines until one has the last id. */
async function talk(pieces: readonly (string | object)[], last: unknown): Promise<Record<string, unknown>[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(createToolbox([noop]), { stdin, stdout, signals: [], drainMs: 60_000 });
  onTestFinished(async () => {
    stdin.end();
    await serving.closed;
  });
  for (const piece of pieces) stdin.write(typeof piece === 'string' ? piece : `${JSON.stringify({ jsonrpc: '2.0', ...piece })}\n`);
  const heard: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: stdout })) {
    heard.push(JSON.parse(line) as Record<string, unknown>);
    if (heard.at(-1)?.id === last) break;
  }
  return heard;
}

test.each<[string, object]>([
  ['params that are null', { method: 'tools/list', params: null }],
  ['params that are a list', { method: 'tools/call', params: [] }],
  ['an opening without params', { method: 'initialize', params: null }],
  ['a method that is no text', { method: 5 }],
  ['another version of JSON-RPC', { method: 'ping', jsonrpc: '1.0' }],
])('a request with %s is answered with its id', async (_, request) => {
  expect(await talk([{ id: 'a', ...request }], 'a')).toEqual([
    {
      jsonrpc: '2.0',
      id: 'a',
      error: { code: -32600, message: 'Invalid request: jsonrpc must be "2.0", method a text, and params an object or left out.' },
    },
  ]);
});

test('a malformed request in pieces is answered, and what comes around it as ever', async () => {
  const pieces = [
    { id: 1, method: 'initialize', params: client },
    'no message\n',
    { method: 'notifications/initialized', params: null },
    '{"jsonrpc":"2.0","id":2,"met',
    'hod":"tools/list","params"',
    ':null}\n{"jsonrpc":"2.0","id":3,"method":"tools/list"}\n',
  ];
  const heard = await talk(pieces, 3);
  expect(heard.map(({ id, error }) => [id, (error as { code?: number } | undefined)?.code])).toEqual(
    expect.arrayContaining([
      [1, undefined],
      [2, -32600],
      [3, undefined],
    ]),
  );
  expect(heard).toHaveLength(3);
});
