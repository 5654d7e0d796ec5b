import { expect, test } from 'vitest';
import { createDropRepeats, type StreamPart } from './drop-repeats.ts';

const text = { type: 'text-delta', id: 'c1', delta: 'Hm.' } as unknown as StreamPart;
const call = (id: string, input: string, toolName = 'pay'): StreamPart => ({ type: 'tool-call', toolCallId: id, toolName, input });
const streamed = (id: string, input: string): StreamPart[] => [
  { type: 'tool-input-start', id, toolName: 'pay' },
  { type: 'tool-input-delta', id, delta: input },
  { type: 'tool-input-end', id },
  call(id, input),
];

test.each<[string, readonly StreamPart[], readonly StreamPart[]]>([
  ['a call that was sent twice is passed on once', [call('c1', '{}'), call('c1', '{}')], [call('c1', '{}')]],
  ['a streamed one too', [...streamed('c1', '{}'), ...streamed('c1', '{}'), text], [...streamed('c1', '{}'), text]],
  [
    'another call with the same id is passed on whole',
    [...streamed('c1', '{}'), ...streamed('c1', '{"a":1}')],
    [...streamed('c1', '{}'), ...streamed('c1', '{"a":1}')],
  ],
  [
    'other ids, names and arguments make other calls',
    [call('c1', '{}'), call('c2', '{}'), call('c1', '{}', 'get'), call('c1', '{"a":1}')],
    [call('c1', '{}'), call('c2', '{}'), call('c1', '{}', 'get'), call('c1', '{"a":1}')],
  ],
  ['what is no call is passed on', [call('c1', '{}'), text, text], [call('c1', '{}'), text, text]],
])('%s', (_, sent, passed) => {
  const dropRepeats = createDropRepeats();
  expect(sent.flatMap(dropRepeats)).toEqual(passed);
});
