import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createMcpResume, firstEventId } from './resume.ts';

const message = (n: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id: n, result: { text } });

async function replay({ events }: ReturnType<typeof createMcpResume>, id: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  const send = async (eventId: string, { id: n }: { readonly id?: unknown }): Promise<void> => void sent.push([eventId, n]);
  sent.push(await events.replayEventsAfter(id, { send: send as never }));
  return sent;
}

test('what came after an event on its stream is sent again, and nothing of other streams', async () => {
  const resume = createMcpResume(1_000);
  const { storeEvent } = resume.events;
  const first = await storeEvent('a', {} as never);
  await storeEvent('b', message(1));
  await storeEvent('a', {} as never);
  await storeEvent('a', message(2));
  await storeEvent('a', message(3));
  expect(await replay(resume, first)).toEqual([['4', 2], ['5', 3], 'a']);
  expect([resume.streamOf('2'), resume.streamOf('9'), resume.streamOf(null)]).toEqual(['b', undefined, undefined]);
});

test.each([
  ['many events', 1_500, 10, '501'],
  ['much text', 10, 1_000_000, '7'],
])('of %s the newest are kept', async (_, count, chars, oldest) => {
  const { events, streamOf } = createMcpResume(1_000);
  for (let n = 0; n < count; n += 1) await events.storeEvent('a', message(n, 'x'.repeat(chars)));
  expect([streamOf(String(Number(oldest) - 1)), streamOf(oldest), streamOf(String(count))]).toEqual([undefined, 'a', 'a']);
});

test('one event that is larger than all that may be kept is kept until the next', async () => {
  const { events, streamOf } = createMcpResume(1_000);
  await events.storeEvent('a', message(1, 'x'.repeat(5_000_000)));
  expect(streamOf('1')).toBe('a');
  await events.storeEvent('a', message(2));
  expect([streamOf('1'), streamOf('2')]).toEqual([undefined, 'a']);
});

test.each([
  ['id: 7\ndata: \n\n', '7'],
  ['event: message\nid: 12\ndata: {"id: 5":1}\n\nid: 13\ndata: {}\n\n', '12'],
  [': keep-alive\n\n', undefined],
  ['data: {"text":"id: 5"}\n\n', undefined],
])('the first id in %j is %s', (text, id) => expect(firstEventId(new TextEncoder().encode(text))).toBe(id));
