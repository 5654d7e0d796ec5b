import { expect, test } from 'vitest';
import { createChatCollector } from './chat-collector.ts';

const begin = (index: number | undefined, id: string | undefined, args = '') => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name: 'find', arguments: args },
});
const more = (index: number | undefined, args: string, rest: object = {}) => ({
  ...(index !== undefined && { index }),
  ...rest,
  function: { arguments: args },
});
const call = (id: string | undefined, args: string) => ({
  type: 'function',
  ...(id !== undefined && { id }),
  function: { name: 'find', arguments: args },
});

function collected(deltas: readonly object[]): Record<string, unknown> | undefined {
  const collector = createChatCollector();
  for (const delta of deltas) collector.add({ choices: [{ index: 0, delta }] });
  collector.add({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
  const { choices } = collector.end() as { choices: readonly { readonly message: Record<string, unknown> }[] };
  return choices[0]?.message;
}

test.each<[title: string, pieces: readonly object[], calls: readonly object[]]>([
  ['one call in pieces', [begin(0, 'a'), more(0, '{"n"'), more(0, ':1}')], [call('a', '{"n":1}')]],
  ['two calls whose pieces come in turn', [begin(0, 'a'), begin(1, 'b'), more(0, '{}'), more(1, '[]')], [call('a', '{}'), call('b', '[]')]],
  ['calls that come out of order', [begin(1, 'b', '[]'), begin(0, 'a', '{}')], [call('a', '{}'), call('b', '[]')]],
  [
    'later pieces with nothing in their other fields',
    [begin(0, 'a'), { index: 0, id: null, type: null, function: { name: null, arguments: '{' } }, more(0, '}', { id: '', type: '' })],
    [call('a', '{}')],
  ],
  ['later pieces that say everything again', [begin(0, 'a', '{'), begin(0, 'a', '}')], [call('a', '{}')]],
  [
    'a name in pieces',
    [
      { index: 0, id: 'a', function: { name: 'fi' } },
      { index: 0, function: { name: 'nd', arguments: '{}' } },
    ],
    [call('a', '{}')],
  ],
  ['two calls under one number', [begin(0, 'a', '{'), more(0, '}'), begin(0, 'b', '['), more(0, ']')], [call('a', '{}'), call('b', '[]')]],
  [
    'two calls without numbers',
    [begin(undefined, 'a', '{}'), begin(undefined, 'b'), more(undefined, '[]')],
    [call('a', '{}'), call('b', '[]')],
  ],
  ['two calls under one id', [begin(0, 'a', '{}'), begin(1, 'a', '[]')], [call('a', '{}'), call('a', '[]')]],
  ['an id that comes late', [begin(0, undefined, '{'), more(0, '}', { id: 'a' })], [call('a', '{}')]],
  [
    'a custom tool',
    [
      { index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'SEL' } },
      { index: 0, custom: { input: 'ECT' } },
    ],
    [{ id: 'a', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }],
  ],
])('puts together %s', (_, pieces, calls) => {
  expect(collected(pieces.map((piece) => ({ tool_calls: [piece] })))?.tool_calls).toEqual(calls);
});

test('puts texts and lists of other servers together', () => {
  const message = collected([
    { content: 'a', reasoning_content: 'x', reasoning_details: [{ n: 1 }] },
    { content: 'b', reasoning_content: 'y', reasoning_details: [{ n: 2 }] },
  ]);
  expect(message).toEqual({ role: 'assistant', content: 'ab', reasoning_content: 'xy', reasoning_details: [{ n: 1 }, { n: 2 }] });
});

test('takes no stream for whole that did not say why it ended', () => {
  const collector = createChatCollector();
  collector.add({ choices: [{ index: 0, delta: { tool_calls: [begin(0, 'a', '{}')] } }] });
  expect(() => collector.end()).toThrow('the stream ended before the answer did');
});
