import { event, findTwice, isJsonObject, namePattern, pieces, type Wire } from './wire.ts';

interface Message {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}
interface Body {
  readonly messages: readonly Message[];
}

const head = { id: 'chatcmpl-1', created: 1_760_000_000, model: 'gpt-5' };
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const reasonOf = ({ calls = [], isCut }: { calls?: readonly unknown[]; isCut?: true }) =>
  isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';

/** OpenAI's chat API. */
export const openaiChatWire: Wire = {
  toJson(turn) {
    const calls = (turn.calls ?? []).map(({ id, name, json }) => ({ id, type: 'function', function: { name, arguments: json } }));
    const message = { role: 'assistant', content: turn.text ?? null, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) };
    return { ...head, object: 'chat.completion', choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(turn) }], usage };
  },
  toEvents(turn) {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
    const calls = (turn.calls ?? []).flatMap(({ id, name, json }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(json).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]);
    return [
      chunk({ role: 'assistant', content: turn.text === undefined ? null : '' }),
      ...pieces(turn.text ?? '').map((content) => chunk({ content })),
      ...calls,
      chunk({}, reasonOf(turn)),
      event({ ...head, object: 'chat.completion.chunk', choices: [], usage }),
      event('[DONE]'),
    ];
  },
  toError: (status, message) => ({ error: { message, type: status === 429 ? 'requests' : 'server_error', param: null, code: null } }),
  check: (body: Body) => checkPairs(body) ?? checkArguments(body),
  // OpenAI itself takes any text as arguments of an earlier call; other servers do not.
  checkLess: checkPairs,
  told: ({ messages }: Body) =>
    Object.fromEntries(
      messages.filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, { text: String(content) }]),
    ),
  argumentsIn: ({ messages }: Body) =>
    Object.fromEntries(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, function: f }) => [id, f.arguments]))),
};

function checkPairs({ messages }: Body): string | undefined {
  let waiting: string[] = [];
  for (const { role, content, tool_call_id, tool_calls } of messages) {
    if (role === 'tool') {
      if (tool_call_id !== waiting[0]) return `the tool message ${tool_call_id} does not answer ${waiting[0]}`;
      if (typeof content !== 'string') return `the answer to ${tool_call_id} has no content`;
      waiting = waiting.slice(1);
      continue;
    }
    if (waiting.length > 0) return `tool_call_ids did not have response messages: ${waiting.join(', ')}`;
    waiting = (tool_calls ?? []).map(({ id }) => id);
    if (role === 'assistant' && !content && waiting.length === 0) return 'an assistant message needs content or tool_calls';
    const bad = (tool_calls ?? []).find(({ function: f }) => !namePattern.test(f.name));
    if (bad !== undefined) return `the call ${JSON.stringify(bad)} is not valid`;
  }
  if (waiting.length > 0) return `tool_call_ids did not have response messages: ${waiting.join(', ')}`;
  const twice = findTwice(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  return twice === undefined ? undefined : `the call id ${twice} is used twice`;
}

function checkArguments({ messages }: Body): string | undefined {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const bad = calls.find(({ function: f }) => !isJsonObject(f.arguments));
  return bad && `the arguments of ${JSON.stringify(bad)} are not valid`;
}
