import { event, findTwice, type ModelTurn, pieces, type Wire } from './wire.ts';

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}
interface Body {
  /** A conversation that the server keeps: later requests bring only what is new. */
  readonly thread?: { readonly type: 'create' | 'continue' };
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

const reasonOf = ({ calls = [], isCut }: ModelTurn) => (isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn');

function messageOf(content: readonly object[], stop_reason: string | null): object {
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: null, cache_read_input_tokens: null };
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-5', content, stop_reason, stop_sequence: null, usage };
}

/** An answer in one piece always has an object as input, whatever the model wrote. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const blocksIn = (content: string | readonly Block[]) => (typeof content === 'string' ? [] : content);

/** Anthropic's Messages API. */
export const anthropicWire: Wire = {
  toJson(turn) {
    const text = turn.text === undefined ? [] : [{ type: 'text', text: turn.text, citations: null }];
    const calls = (turn.calls ?? []).map(({ id, name, json }) => ({
      type: 'tool_use',
      id,
      name,
      input: inputOf(json),
      caller: { type: 'direct' },
    }));
    return messageOf([...text, ...calls], reasonOf(turn));
  },
  toEvents(turn) {
    const typed = (type: string, data: object = {}) => event({ type, ...data }, type);
    const blocks = [
      ...(turn.text === undefined
        ? []
        : [
            { start: { type: 'text', text: '', citations: null }, deltas: pieces(turn.text).map((text) => ({ type: 'text_delta', text })) },
          ]),
      ...(turn.calls ?? []).map(({ id, name, json }) => ({
        start: { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
        deltas: ['', ...pieces(json)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      })),
    ];
    return [
      typed('message_start', { message: messageOf([], null) }),
      typed('ping'),
      ...blocks.flatMap(({ start, deltas }, index) => [
        typed('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => typed('content_block_delta', { index, delta })),
        typed('content_block_stop', { index }),
      ]),
      typed('message_delta', { delta: { stop_reason: reasonOf(turn), stop_sequence: null }, usage: { output_tokens: 5 } }),
      typed('message_stop'),
    ];
  },
  toError: (status, message) => ({ type: 'error', error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message } }),
  resume(body: Body, last: { readonly body: Body; readonly turn: ModelTurn }) {
    if (body.thread?.type !== 'continue') return body;
    // The server does not refuse its own output.
    const { content: blocks } = anthropicWire.toJson(last.turn) as { content: readonly Block[] };
    const content = blocks.map((block) => (block.type !== 'tool_use' || isObject(block.input) ? block : { ...block, input: {} }));
    return { ...body, messages: [...last.body.messages, { role: 'assistant', content }, ...body.messages] };
  },
  check({ messages }: Body) {
    for (const [index, { role, content }] of messages.entries()) {
      if (content.length === 0) return `messages.${index}: content must not be empty`;
      const uses = blocksIn(content).filter(({ type }) => type === 'tool_use');
      const results = blocksIn(content).filter(({ type }) => type === 'tool_result');
      const before = blocksIn(messages[index - 1]?.content ?? []).filter(({ type }) => type === 'tool_use');
      if (role !== 'assistant' && uses.length > 0) return `messages.${index}: tool_use can only be in assistant messages`;
      const [asked, answered] = [before.map(({ id }) => id).join(), results.map(({ tool_use_id }) => tool_use_id).join()];
      if (asked !== answered)
        return `messages.${index}: tool_use ids without tool_result right after: asked ${asked}, answered ${answered}`;
      const bad = uses.find(({ name, input }) => !/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) || !isObject(input));
      if (bad !== undefined) return `messages.${index}: ${JSON.stringify(bad)} is not valid`;
      if (uses.length > 0 && index === messages.length - 1) return `messages.${index}: tool_use ids without tool_result blocks`;
    }
    const twice = findTwice(
      messages.flatMap(({ content }) => blocksIn(content).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))),
    );
    return twice === undefined ? undefined : `tool_use ids must be unique: ${twice}`;
  },
  told: ({ messages }: Body) =>
    Object.fromEntries(
      messages
        .flatMap(({ content }) => blocksIn(content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id, content, is_error = false }) => [
          tool_use_id,
          { text: typeof content === 'string' ? content : JSON.stringify(content), failed: is_error },
        ]),
    ),
  argumentsIn: ({ messages }: Body) =>
    Object.fromEntries(
      messages.flatMap(({ content }) => blocksIn(content)).flatMap(({ type, id, input }) => (type === 'tool_use' ? [[id, input]] : [])),
    ),
};
