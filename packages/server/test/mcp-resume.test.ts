import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createToolbox, defineTool } from 'toolpact';
import { afterEach, expect, test } from 'vitest';
import { createServer } from '../src/index.ts';
import { type Listening, listen } from '../src/node/listen.ts';

/** Real clients whose connection breaks in the middle of a call. */

let listening: Listening;
afterEach(() => listening.close({ drainMs: 0 }));

/** A fetch whose first stream of a tool call ends after its first piece, when the call runs; then the call may end. */
function breaking(release: () => void): { readonly fetch: typeof fetch; readonly seen: string[] } {
  const seen: string[] = [];
  const own: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    const isCall = init?.method === 'POST' && String(init.body).includes('"tools/call"');
    if (headers.has('last-event-id')) seen.push(`came back after ${headers.get('last-event-id')}`);
    const response = await fetch(input, init);
    if (headers.has('last-event-id')) release();
    if (!isCall || response.body === null) return response;
    const reader = response.body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    seen.push('broken');
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(value);
        controller.close();
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
  return { fetch: own, seen };
}

test.each(['v1', 'v2'])('a client of the SDK (%s) whose stream breaks comes back and gets its result; the call ran once', async (kind) => {
  const released = Promise.withResolvers<void>();
  let runs = 0;
  const slow = defineTool({
    name: 'slow',
    description: 'Takes its time.',
    async run() {
      runs += 1;
      await released.promise;
      return { done: true };
    },
  });
  const toolbox = createToolbox([slow], { report: () => undefined });
  listening = await listen(createServer(toolbox, { mcp: { sessions: { resumeMs: 10_000 } } }), { port: 0 });
  const { fetch: own, seen } = breaking(released.resolve);
  const address = new URL('/mcp', listening.url);
  const info = { name: 'agent', version: '1.0.0' };
  const options = {
    fetch: own,
    reconnectionOptions: { initialReconnectionDelay: 1, maxReconnectionDelay: 10, reconnectionDelayGrowFactor: 1, maxRetries: 3 },
  };
  const client = kind === 'v1' ? new ClientV1(info) : new ClientV2(info);
  await client.connect((kind === 'v1' ? new HttpV1(address, options) : new HttpV2(address, options)) as never);
  const result = await (client as ClientV2).callTool({ name: 'slow', arguments: {} });
  expect(result.structuredContent).toEqual({ done: true });
  expect(seen).toEqual(['broken', expect.stringMatching(/^came back after \d+$/)]);
  expect(runs).toBe(1);
  await client.close();
});
