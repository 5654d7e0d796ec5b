import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createClient } from '@toolpact/server/client';
import { expectSame } from './inside.ts';

type Checks = Readonly<Record<string, () => Promise<void>>>;

/** Checks the answers of a server in a runtime. `base` is the address below which its paths lie. */
export function checksOf(base: string): Checks {
  const post = (name: string, options: RequestInit = {}): Promise<Response> =>
    fetch(`${base}/v1/tools/${name}`, {
      method: 'POST',
      body: '{}',
      ...options,
      headers: { 'content-type': 'application/json', ...(options.headers as object) },
    });
  const count = async (): Promise<{ begun: number; stopped: number }> =>
    ((await (await post('lingered')).json()) as { data: { begun: number; stopped: number } }).data;

  /** Begins a call that ends only when its caller leaves, leaves, and waits until the tool has been stopped. */
  const leave = async (headers: Record<string, string>): Promise<void> => {
    const before = await count();
    const controller = new AbortController();
    const left = post('linger', { signal: controller.signal, headers })
      .then((response) => response.text())
      .catch(() => 'left');
    await until(async () => (await count()).begun > before.begun);
    controller.abort();
    expectSame(await left, 'left');
    await until(async () => (await count()).stopped > before.stopped);
  };

  return {
    async 'call over HTTP'() {
      const answer = await post('forecast', { body: '{"city":"Kyoto"}' });
      expectSame([answer.status, answer.headers.get('retry-after')], [429, '8']);
      const oslo = (await (await post('forecast', { body: '{"city":"Oslo"}' })).json()) as { data: unknown };
      expectSame(oslo.data, { celsius: 4 });
      expectSame((await post('forecast', { body: '{' })).status, 400);
    },
    async streaming() {
      const response = await post('steps', { headers: { accept: 'text/event-stream' } });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const decoder = new TextDecoder();
      const pieces: string[] = [];
      for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
        pieces.push(decoder.decode(value, { stream: true }));
      expectSame(pieces.join('').match(/^event: \w+/gm), ['event: progress', 'event: progress', 'event: progress', 'event: outcome']);
      // In one piece, the answer was kept back until its end.
      if (pieces.length < 2) throw new Error('the events came all at once');
    },
    'client leaves a call': () => leave({}),
    'client leaves a stream': () => leave({ accept: 'text/event-stream' }),
    async deadlines() {
      const kinds = await Promise.all(
        [1, 4_000, 100, 4_000, 150].map(async (ms, index) => {
          await new Promise((resolve) => setTimeout(resolve, index * 80));
          const body = JSON.stringify({ ms });
          const { status, error } = (await (await post('slow', { body })).json()) as { status: string; error?: { kind: string } };
          return error?.kind ?? status;
        }),
      );
      expectSame(kinds, ['ok', 'timeout', 'ok', 'timeout', 'ok']);
    },
    async 'deferred call'() {
      const client = createClient(base);
      const begun = await client.call('crawl', {});
      const ended = begun.status === 'pending' ? await client.wait(begun.pending.handle, { timeoutMs: 5_000 }) : begun;
      expectSame([begun.status, ended.status === 'ok' ? ended.data : ended], ['pending', 'all pages']);
    },
    async 'description of the server'() {
      const described = await fetch(`${base}/openapi.json`);
      expectSame([described.status, described.headers.get('content-type')], [200, 'application/json']);
    },
    async 'toolpact/client over HTTP'() {
      const client = createClient(base);
      expectSame((await client.call('forecast', { city: 'Oslo' })).status, 'ok');
      const failed = await client.call('forecast', { city: 'Kyoto' }, { timeoutMs: 5_000 });
      expectSame(failed.status === 'error' && failed.error.kind, 'rate_limited');
      const asked = await client.call('pay_invoice', { invoice: `over HTTP ${base}`, amount: 500 });
      expectSame(asked.status, 'pending');
      const listed = await client.list();
      expectSame(listed.status === 'ok' && listed.data.length, 8);
    },
    'MCP, 2025-11-25': () => useMcp(base, {}),
    'MCP, 2026-07-28': () => useMcp(base, { versionNegotiation: { mode: 'auto' } }),
  };
}

/** Lists and calls tools with the official client, with progress. */
async function useMcp(base: string, options: object): Promise<void> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  try {
    expectSame((await client.listTools()).tools.length, 8);
    const failed = await client.callTool({ name: 'forecast', arguments: { city: 'Kyoto' } });
    expectSame(failed.isError, true);
    const told: unknown[] = [];
    const done = await client.callTool({ name: 'steps', arguments: {} }, { onprogress: ({ progress }) => void told.push(progress) });
    expectSame([done.structuredContent, told], [{ done: 3 }, [1, 2, 3]]);
  } finally {
    await client.close();
  }
}

/** Asks again until an answer is true, for at most five seconds. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('not within 5 s');
}
