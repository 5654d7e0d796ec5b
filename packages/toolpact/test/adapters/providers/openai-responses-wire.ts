import { event, findTwice, isJsonObject, type ModelTurn, namePattern, pieces, type Wire } from './wire.ts';

interface Item {
  readonly type?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}
interface Body {
  readonly input: readonly Item[] | string;
}

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

function itemsOf({ text, calls = [], isCut }: ModelTurn): object[] {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return [
    ...(text === undefined ? [] : [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]),
    ...calls.map(({ id, name, json }, index) => {
      const status = isCut && index === calls.length - 1 ? 'incomplete' : 'completed';
      return { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: json, status };
    }),
  ];
}

function responseOf(turn: ModelTurn): object {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    model: 'gpt-5',
    status: turn.isCut ? 'incomplete' : 'completed',
    incomplete_details: turn.isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: itemsOf(turn),
    usage,
  };
}

/** OpenAI's Responses API. */
export const openaiResponsesWire: Wire = {
  toJson: responseOf,
  toEvents(turn) {
    let count = 0;
    const typed = (type: string, data: object) => event({ type, sequence_number: count++, ...data }, type);
    const items = itemsOf(turn).flatMap((item, output_index) => {
      const { text, calls = [] } = turn;
      const isMessage = text !== undefined && output_index === 0;
      const deltas = isMessage
        ? pieces(text).map((delta) => typed('response.output_text.delta', { output_index, content_index: 0, item_id: 'msg_1', delta }))
        : pieces(calls[output_index - (text === undefined ? 0 : 1)]?.json ?? '').map((delta) =>
            typed('response.function_call_arguments.delta', { output_index, item_id: `fc_${output_index}`, delta }),
          );
      return [
        typed('response.output_item.added', { output_index, item }),
        ...deltas,
        typed('response.output_item.done', { output_index, item }),
      ];
    });
    return [
      typed('response.created', { response: { ...responseOf({}), status: 'in_progress' } }),
      ...items,
      typed(turn.isCut ? 'response.incomplete' : 'response.completed', { response: responseOf(turn) }),
    ];
  },
  toError: (status, message) => ({ error: { message, type: status === 429 ? 'requests' : 'server_error', param: null, code: null } }),
  check: (body: Body) => checkPairs(body) ?? checkArguments(body),
  // OpenAI itself takes any text as arguments of an earlier call; other servers do not.
  checkLess: checkPairs,
  told: ({ input }: Body) =>
    Object.fromEntries(
      (typeof input === 'string' ? [] : input)
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id, output }) => [call_id, { text: typeof output === 'string' ? output : JSON.stringify(output) }]),
    ),
  argumentsIn: ({ input }: Body) =>
    Object.fromEntries(
      (typeof input === 'string' ? [] : input)
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id, arguments: args }) => [call_id, args]),
    ),
};

function checkPairs({ input }: Body): string | undefined {
  if (typeof input === 'string') return undefined;
  const calls = input.filter(({ type }) => type === 'function_call');
  const outputs = input.filter(({ type }) => type === 'function_call_output');
  const bad = calls.find(({ name }) => !namePattern.test(String(name)));
  if (bad !== undefined) return `the call ${JSON.stringify(bad)} is not valid`;
  const twice = findTwice(calls.map(({ call_id }) => call_id));
  if (twice !== undefined) return `the call id ${twice} is used twice`;
  const [asked, answered] = [calls, outputs].map((items) => items.map(({ call_id }) => call_id).join());
  return asked === answered ? undefined : `no tool output found for function calls: asked ${asked}, answered ${answered}`;
}

function checkArguments({ input }: Body): string | undefined {
  const calls = typeof input === 'string' ? [] : input.filter(({ type }) => type === 'function_call');
  const bad = calls.find(({ arguments: args }) => !isJsonObject(args));
  return bad && `the arguments of ${JSON.stringify(bad)} are not valid`;
}
