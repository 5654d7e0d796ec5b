import { describe, expect, test } from 'vitest';
import { createEventReader } from './event-reader.ts';

const stream =
  ': hello\n\nevent: progress\ndata: {"done":1}\n\nevent: outcome\ndata: {"a":\ndata: 1}\nid: 7\n\ndata: bare\n\nevent: empty\n\ndata: never ended';
const events = [
  { event: 'progress', data: '{"done":1}' },
  { event: 'outcome', data: '{"a":\n1}' },
  { event: 'message', data: 'bare' },
];

describe.each([
  ['line feeds', '\n'],
  ['carriage returns', '\r'],
  ['both', '\r\n'],
])('events whose lines end in %s', (_, ending) => {
  const text = stream.replaceAll('\n', ending);

  test.each([1, 2, 3, 7, text.length])('are the same when they come %i characters at a time', (size) => {
    const reader = createEventReader();
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (__, index) => text.slice(index * size, (index + 1) * size));
    expect(pieces.flatMap((piece) => reader.push(piece))).toEqual(events);
  });
});

test('a line that comes in many pieces is not read from its beginning again with each of them', () => {
  const reader = createEventReader();
  const piece = 'x'.repeat(1_000);
  reader.push('data: ');
  for (let count = 0; count < 20_000; count += 1) reader.push(piece);
  expect(reader.push('\n\n')[0]?.data).toHaveLength(20_000_000);
});
