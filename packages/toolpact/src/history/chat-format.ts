import { openai } from '../dialects/index.ts';
import { fieldsOf, fitted, healText, idOf, isBlank, textOf, toText, unfit } from './fields.ts';
import { healArgumentText } from './heal-arguments.ts';
import type { Fields, Format, Piece, ReadPiece, StoredCall } from './transcript.ts';

/** OpenAI's chat messages: every tool call is answered by a `tool` message of its own, directly behind the assistant's. */
export const chatFormat: Format = {
  resultsFollow: true,
  idsOptional: false,
  opensWithUser: false,
  cutsAtUser: false,
  fitId: (id) => fitted(id, 40),
  fitName: (name) => fitted(name, 64, unfit),
  isNamed: ({ part }) => isKnown(part),
  read(message) {
    const { role, tool_call_id, content } = message;
    if (role === 'assistant') return readAssistant(message);
    if (role !== 'tool') return [{ side: role === 'user' ? 'user' : 'other', parts: [message] }];
    return [{ side: 'user', parts: [message], result: { id: idOf(tool_call_id), name: undefined, content, part: message } }];
  },
  healContent: ({ content }) => healText(content),
  withContent: (part, content) => ({ ...part, content }),
  // The input of a custom tool is text of any form.
  healArgs: ({ part, args }) => (part.type === 'custom' || !isKnown(part) ? undefined : healArgumentText(args)),
  encode({ id }, outcome) {
    const part = { ...openai.encode(outcome, { strict: true, callId: id }) } as Fields;
    return { id, name: undefined, content: part.content, part };
  },
  note(lead, result) {
    const content = result?.content;
    if (Array.isArray(content)) return [{ role: 'user', content: [{ type: 'text', text: lead }, ...content] }];
    return [{ role: 'user', content: result === undefined ? lead : `${lead}\n${toText(content ?? '')}` }];
  },
  joins: () => false,
  build([piece]) {
    const { parts, calls, result, call, changed } = piece as Piece;
    if (result !== undefined) return changed && call !== undefined ? { ...result.part, tool_call_id: call.id } : result.part;
    if (!changed) return parts[0];
    const { tool_calls: _, ...message } = parts[0] as Fields;
    return calls.length === 0 ? message : { ...message, tool_calls: calls.map(writeCall) };
  },
};

function readAssistant(message: Fields): readonly ReadPiece[] {
  const { tool_calls, content, refusal, audio, function_call } = message;
  const calls = Array.isArray(tool_calls) ? tool_calls.flatMap(readCall) : [];
  const isSaid = calls.length > 0 || !isBlank(content) || [refusal, audio, function_call].some((part) => !isBlank(part));
  if (!isSaid) return [];
  // An empty list of calls is refused, so is one with gaps.
  return [
    {
      side: 'model',
      parts: [message],
      calls,
      changed: Array.isArray(tool_calls) && (calls.length === 0 || calls.length < tool_calls.length),
    },
  ];
}

function readCall(stored: unknown): StoredCall[] {
  const part = fieldsOf(stored);
  if (part === undefined) return [];
  const { name, arguments: args, input } = fieldsOf(part.function ?? part.custom) ?? {};
  return [{ id: idOf(part.id), name: textOf(name), args: part.type === 'custom' ? input : args, part }];
}

/** Recognises a call of a function or a custom tool; of other calls only the id is changed. */
function isKnown({ type, function: called }: Fields): boolean {
  return type === undefined || type === 'function' || type === 'custom' || called !== undefined;
}

function writeCall({ id, name, part, healedArgs }: StoredCall): Fields {
  if (!isKnown(part)) return { ...part, id };
  if (part.type === 'custom') return { ...part, id, custom: { ...fieldsOf(part.custom), name } };
  return {
    type: 'function',
    ...part,
    id,
    function: { ...fieldsOf(part.function), name, ...(healedArgs !== undefined && { arguments: healedArgs }) },
  };
}
