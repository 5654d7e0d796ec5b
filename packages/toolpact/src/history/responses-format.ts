import { openai } from '../dialects/index.ts';
import { fieldsOf, fitted, healText, idOf, isBlank, textOf, toText, unfit } from './fields.ts';
import { healArgumentText } from './heal-arguments.ts';
import type { Fields, Format, Piece, StoredCall } from './transcript.ts';

/** The calls that the caller answers with text, and what the answer is called. All others are left alone. */
const outputTypes: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};
const resultTypes: ReadonlySet<unknown> = new Set(Object.values(outputTypes));

/** Who speaks to the model. */
const givenRoles: ReadonlySet<unknown> = new Set(['user', 'developer', 'system']);

/** OpenAI's Responses items: calls and outputs are items of their own, each needs the other, outputs come later. */
export const responsesFormat: Format = {
  resultsFollow: false,
  idsOptional: false,
  opensWithUser: false,
  cutsAtUser: false,
  fitId: (id) => fitted(id, 64),
  fitName: (name) => fitted(name, 128, unfit),
  read(item) {
    const { type, role, content, call_id, output } = item;
    if (typeof type === 'string' && Object.hasOwn(outputTypes, type)) return [{ side: 'model', parts: [item], calls: [readCall(item)] }];
    if (resultTypes.has(type)) {
      return [{ side: 'user', parts: [item], result: { id: idOf(call_id), name: textOf(item.name), content: output, part: item } }];
    }
    if (role === undefined) return [{ side: isGiven(type) ? 'other' : 'model', parts: [item] }];
    if (role !== 'assistant') return [{ side: givenRoles.has(role) ? 'user' : 'other', parts: [item] }];
    return isBlank(content) ? [] : [{ side: 'model', parts: [item] }];
  },
  healContent: ({ content }) => healText(content),
  withContent: (part, output) => ({ ...part, output }),
  healArgs: ({ part, args }) => (part.type === 'function_call' ? healArgumentText(args) : undefined),
  encode({ id, part: { type, caller } }, outcome) {
    const encoded = openai.encode(outcome, { strict: true, form: 'responses', callId: id });
    const part: Fields = { ...encoded, type: outputTypes[String(type)], ...(!isBlank(caller) && { caller }) };
    return { id, name: undefined, content: part.output, part };
  },
  note(lead, result) {
    const content = result?.content;
    if (Array.isArray(content)) return [{ role: 'user', content: [{ type: 'input_text', text: lead }, ...content] }];
    return [{ role: 'user', content: result === undefined ? lead : `${lead}\n${toText(content ?? '')}` }];
  },
  // A thought is refused without what it led to.
  prune(pieces) {
    const kept: Piece[] = [];
    for (const piece of pieces.toReversed()) {
      const isThought = fieldsOf(piece.parts[0])?.type === 'reasoning';
      if (!isThought || (kept.length > 0 && kept.at(-1)?.side !== 'user')) kept.push(piece);
    }
    return kept.toReversed();
  },
  joins: () => false,
  build([piece]) {
    const { parts, calls, result, call: answered, changed } = piece as Piece;
    if (result !== undefined) return changed && answered !== undefined ? { ...result.part, call_id: answered.id } : result.part;
    const [call] = calls;
    if (call === undefined || !changed) return parts[0];
    return { ...call.part, call_id: call.id, name: call.name, ...(call.healedArgs !== undefined && { arguments: call.healedArgs }) };
  },
};

function readCall(item: Fields): StoredCall {
  const { call_id, name, arguments: args, input } = item;
  return { id: idOf(call_id), name: textOf(name), args: args ?? input, part: item };
}

/** Checks whether an item comes from the caller or points somewhere else, so that nothing is known of what may stand next to it. */
function isGiven(type: unknown): boolean {
  return typeof type !== 'string' || /_output$|_response$|^item_reference$|^compaction/.test(type);
}
