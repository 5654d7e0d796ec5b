import { expect, test } from 'vitest';
import { safeCuts } from './index.ts';

const call = (id: string) => ({ id, type: 'function', function: { name: 'book', arguments: '{}' } });
const turn = (...tool_calls: object[]) => ({ role: 'assistant', tool_calls });
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: '1' });
const user = { role: 'user', content: 'And?' };

const block = (role: string, ...content: object[]) => ({ role, content });
const use = { type: 'tool_use', id: 'a', name: 'book', input: {} };
const answer = { type: 'tool_result', tool_use_id: 'a', content: '1' };

test.each<[title: string, cuts: number[], messages: readonly unknown[], options?: Parameters<typeof safeCuts>[1]]>([
  ['nowhere in an empty list', [], []],
  ['anywhere between words', [0, 1, 2], [user, { role: 'assistant', content: 'Yes.' }, user]],
  ['not between a call and its results', [0, 1, 4], [user, turn(call('a'), call('b')), result('a'), result('b'), user]],
  ['not between a call and a result that came late', [0, 1], [user, turn(call('a')), user, result('a')]],
  [
    'nowhere in items of the OpenAI Agents SDK',
    [0],
    [user, { type: 'function_call', callId: 'a', name: 'book', arguments: '{}' }, { type: 'function_call_result', callId: 'a' }, user],
  ],
  ['not before a result that lost its call', [0, 2], [user, result('z'), user]],
  ['behind a call that was never answered', [0, 1, 2], [user, turn(call('a')), user]],
  ['for Anthropic only before the user', [0, 4], [user, block('assistant', use), block('user', answer), block('assistant'), user]],
  [
    'for Anthropic also before the model, when a summary comes first',
    [0, 1, 4],
    [user, block('assistant', use), block('user', answer), block('assistant'), user],
    { summarized: true },
  ],
  [
    'for Responses not inside of what the model gave in one go',
    [0, 1, 4],
    [
      user,
      { type: 'reasoning', id: 'r' },
      { type: 'function_call', call_id: 'a', name: 'book', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '1' },
      { type: 'reasoning', id: 's' },
      { role: 'assistant', content: 'Yes.' },
    ],
  ],
  [
    'for the AI SDK not between a request for approval and the decision',
    [0, 3],
    [
      user,
      block(
        'assistant',
        { type: 'tool-call', toolCallId: 'a', toolName: 'book', input: {} },
        { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' },
      ),
      block('tool', { type: 'tool-approval-response', approvalId: 'p', approved: true }),
      user,
    ],
  ],
])('a list may be cut %s', (_, cuts, messages, options) => expect(safeCuts(messages, options)).toEqual(cuts));

test.each([[null], [undefined], ['text']])('what is no list has no cuts: %s', (messages) =>
  expect(safeCuts(messages as never)).toEqual([]),
);

test('strange messages do not stop it', () => {
  const throwing = {
    get role() {
      throw new Error('role');
    },
  };
  expect(safeCuts([user, throwing, turn(call('a')), result('a'), null])).toEqual([0, 1, 2, 4]);
});
