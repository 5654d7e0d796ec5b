import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withOrigins } from '../../test/with-origins.ts';
import { createServer } from '../create-server.ts';
import type { ServerOptions } from '../server-options.ts';

let remaining: number[] = [];
const run = (_: unknown, { remainingMs }: { readonly remainingMs: number }) => {
  remaining.push(remainingMs);
  return {};
};
const shape = { description: 'Notes its time.', input: z.object({}), effects: 'none', run } as const;
const toolbox = createToolbox([
  defineTool({ ...shape, name: 'patient' }),
  defineTool({ ...shape, name: 'slow', timeoutMs: 3_600_000 }),
  defineTool({ ...shape, name: 'quick', timeoutMs: 60_000 }),
]);
const hour = 3_600_000;

/** Sends a request and gives the times that its calls had, rounded up to minutes. */
async function minutesOf(path: string, body: object, options: ServerOptions = {}, headers: Record<string, string> = {}): Promise<number[]> {
  remaining = [];
  const usual = { 'content-type': 'application/json', accept: 'application/json', host: 'localhost' };
  const request = new Request(`http://localhost${path}`, { method: 'POST', headers: { ...usual, ...headers }, body: JSON.stringify(body) });
  await (await createServer(toolbox, { ...withOrigins, ...options }).fetch(request)).text();
  return remaining.map((ms) => Math.ceil(ms / 60_000));
}

type Ask = (tool: string, ms: number, options?: ServerOptions) => Promise<number[]>;

const ways: readonly (readonly [string, Ask])[] = [
  ['an action', (action, ms, options) => minutesOf('/v1/execute', { action, timeout: ms / 1000 }, options)],
  [
    'an action that is streamed',
    (action, ms, options) => minutesOf('/v1/execute', { action, timeout: ms / 1000 }, options, { accept: 'text/event-stream' }),
  ],
  ['a call of a batch', (tool, ms, options) => minutesOf('/v1/batch', { calls: [{ tool, timeoutMs: ms }] }, options)],
  ['an action of a batch', (action, ms, options) => minutesOf('/v1/batch', { actions: [{ action, timeout: ms / 1000 }] }, options)],
  ['a header', (tool, ms, options) => minutesOf(`/v1/tools/${tool}`, {}, options, { 'x-timeouts-ms': String(Math.min(ms, 1e14)) })],
  ['a batch of actions', (action, ms, options) => minutesOf('/v1/batch', { actions: [{ action }], timeout: ms / 1000 }, options)],
];

describe.each(ways)('the time that %s states', (_, ask) => {
  test('counts up to ten minutes', async () => {
    expect(await ask('patient', 5 * 60_000)).toEqual([5]);
    expect(await ask('patient', hour)).toEqual([10]);
    expect(await ask('slow', hour)).toEqual([10]);
    expect(await ask('patient', Number.MAX_VALUE)).toEqual([10]);
  });

  test('counts up to what the server says', async () => {
    expect(await ask('patient', hour, { maxTimeoutMs: 120_000 })).toEqual([2]);
    expect(await ask('patient', hour, { maxTimeoutMs: 1_800_000 })).toEqual([30]);
  });

  test('never raises the time of a tool', async () => {
    expect(await ask('quick', hour)).toEqual([1]);
  });
});

test('a tool has the time that it states where its caller states none', async () => {
  expect(await minutesOf('/v1/tools/slow', {})).toEqual([60]);
  expect(await minutesOf('/v1/batch', { calls: [{ tool: 'slow' }] })).toEqual([60]);
});

test.each(['timeout', 'x-timeout', 'x-timeout-ms', 'timeout-ms', 'request-timeout'])('the header %s changes no time', async (name) => {
  expect(await minutesOf('/v1/tools/patient', {}, {}, { [name]: String(hour) })).toEqual([1]);
});

describe.each([true, false])('over MCP, with the fast path: %s', (fastPath) => {
  const accept = 'application/json, text/event-stream';
  const ask = (name: string, more: object): Promise<number[]> =>
    minutesOf(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, ...more } },
      { mcp: { fastPath } },
      { accept },
    );

  test.each([
    ['nothing', {}],
    ['_meta', { _meta: { timeoutMs: hour, timeout: hour, 'toolpact/timeout-ms': hour } }],
    ['the parameters', { timeoutMs: hour, timeout: hour }],
  ])('%s changes the time of a call', async (_, more) => {
    expect(await ask('patient', more)).toEqual([1]);
    expect(await ask('quick', more)).toEqual([1]);
  });
});
