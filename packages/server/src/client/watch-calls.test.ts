import { expect, test } from 'vitest';
import { createClient } from './create-client.ts';

const total = 12_000;
const places = Array.from({ length: total }, (_, place) => place);

test('a reader that lags behind gets everything once, and its client never keeps more than 10,000 changes for it', async () => {
  const connections: number[] = [];
  const send = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const from = Number(new Headers(init?.headers).get('last-event-id') ?? 0);
    connections.push(from);
    // As a server that sends again what it sent shortly before.
    const events = places.slice(Math.max(0, from - 10)).map((place) => {
      const call = { id: `call_${place}`, tool: 'add', status: 'ok', begunAt: '2030-01-01T00:00:00Z' };
      return `id: ${place + 1}\nevent: call\ndata: ${JSON.stringify(call)}\n\n`;
    });
    return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
  const seen: string[] = [];
  for await (const news of createClient('http://tools.test', { fetch: send as typeof fetch, maxAnswerBytes: 1_000 }).watchCalls()) {
    seen.push(news.status === 'ok' && news.data.is === 'call' ? news.data.call.id : news.status);
    if (seen.length === total) break;
  }
  expect([connections, seen]).toEqual([[0, 10_000], places.map((place) => `call_${place}`)]);
});
