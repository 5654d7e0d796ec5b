import { describe, expect, test } from 'vitest';
import { exchange, type StreamEvent } from './exchange.ts';

const stream =
  ': hello\n\nevent: progress\ndata: {"done":1}\n\nevent: outcome\ndata: {"a":\ndata: 1}\nid: 7\n\ndata: bare\n\nevent: empty\n\ndata: never ended';
const events = [
  { event: 'progress', data: '{"done":1}' },
  { event: 'outcome', data: '{"a":\n1}', id: '7' },
  { event: 'message', data: 'bare' },
];

/** Reads a stream of events that comes in pieces, until an event is the answer. */
async function read(pieces: readonly string[], isAnswer: (event: StreamEvent) => boolean = () => false, maxAnswerBytes = 2 ** 25) {
  const seen: StreamEvent[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const exchanged = await exchange({
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    url: 'http://tools.test/',
    method: 'POST',
    headers: new Headers(),
    timeoutMs: 60_000,
    maxAnswerBytes,
    onEvent: (event) => seen.push(event) > 0 && isAnswer(event),
  });
  return { exchanged, seen };
}

describe.each([
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['both', '\r\n'],
])('events whose lines end in %s', (_, ending) => {
  const text = stream.replaceAll('\n', ending);

  test.each([1, 2, 3, 7, text.length])('are the same when they come %i characters at a time', async (size) => {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (__, index) => text.slice(index * size, (index + 1) * size));
    const { exchanged, seen } = await read(pieces);
    expect(seen).toEqual(events);
    expect(exchanged).toMatchObject({ is: 'cut', thrown: { message: 'the stream ended before the outcome came' } });
  });
});

test('the event that is the answer is the last one that is read', async () => {
  const { exchanged, seen } = await read([stream], ({ event }) => event === 'outcome');
  expect(exchanged).toMatchObject({ is: 'answered', body: '{"a":\n1}' });
  expect(seen).toEqual(events.slice(0, 2));
});

test.each([
  ['whole', [`data: ${'x'.repeat(1001)}\n\n`]],
  ['in pieces', ['data: ', 'x'.repeat(500), 'x'.repeat(501)]],
  ['as many lines', Array.from({ length: 1000 }, () => 'data: x\n')],
])('a stream with an event that is larger than an answer may be is given up: %s', async (_, pieces) => {
  const { exchanged, seen } = await read(pieces, undefined, 1000);
  expect([exchanged, seen]).toEqual([{ is: 'too_large' }, []]);
});

test('a stream of many small events may be larger than an answer', async () => {
  const pieces = [...Array.from({ length: 100 }, () => 'data: small\n\n: comment\n\n'), 'data: last\n\n'];
  const { exchanged } = await read([...pieces.slice(0, 50), pieces.slice(50).join('')], ({ data }) => data === 'last', 100);
  expect(exchanged).toMatchObject({ is: 'answered', body: 'last' });
});

test('a line that comes in many pieces is not read from its beginning again with each of them', async () => {
  const pieces = ['data: ', ...Array.from({ length: 20_000 }, () => 'x'.repeat(1_000)), '\n\n'];
  const { exchanged } = await read(pieces, () => true);
  expect((exchanged as { body: string }).body).toHaveLength(20_000_000);
});
