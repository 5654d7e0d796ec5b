import { anthropic } from '../dialects/index.ts';
import { contentFormat } from './content-format.ts';
import { fieldsOf, fitted, idOf, isBlank, textOf, toText, unfit } from './fields.ts';
import type { Fields, Format } from './transcript.ts';

const thoughts: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** Blocks of a tool result that a user's message may hold too. */
const sayable: ReadonlySet<unknown> = new Set(['text', 'image', 'document', 'search_result']);

/** Anthropic's messages: `tool_use` blocks are answered first thing in the very next message, by the user, and roles alternate. */
export const anthropicFormat: Format = contentFormat({
  key: 'content',
  idsOptional: false,
  opensWithUser: true,
  cutsAtUser: true,
  fitId: (id) => fitted(id, 64, unfit),
  fitName: (name) => fitted(name, 128, unfit),
  joins: (before, after) => before.side === after.side && before.side !== 'other',
  sideOf: ({ role }) => (role === 'assistant' ? 'model' : role === 'user' ? 'user' : 'other'),
  readCall: ({ type, id, name, input }) => (type === 'tool_use' ? { id: idOf(id), name: textOf(name), args: input } : undefined),
  readResult: ({ type, tool_use_id, content }) =>
    type === 'tool_result' ? { id: idOf(tool_use_id), name: undefined, content } : undefined,
  healContent({ content }) {
    if (content === undefined || typeof content === 'string') return content;
    if (!Array.isArray(content)) return isBlank(content) ? '' : toText(content);
    const said = content.filter((block) => !isVoid(fieldsOf(block) ?? {}));
    return said.length === content.length ? content : said;
  },
  withContent: (part, content) => ({ ...part, content }),
  isVoid,
  endsWithSubstance: true,
  isSubstance: ({ type }) => !thoughts.has(type),
  writeCall: (part, { id, name, args, healedArgs = args }) => ({ ...part, id, name, input: healedArgs }),
  writeResult: ({ part }, { id }) => ({ ...part, tool_use_id: id }),
  toResult: ({ id }, outcome) => ({ ...anthropic.encode(outcome, { strict: true, callId: id }) }),
  toParts: ({ content }) =>
    Array.isArray(content)
      ? content
          .filter((block) => !isVoid(fieldsOf(block) ?? {}))
          .map((block) => (sayable.has((block as Fields | null)?.type) ? block : toText(block)))
      : [toText(content ?? '')],
  toTextPart: (text) => ({ type: 'text', text }),
  frameOf: ({ side }) => ({ role: side === 'model' ? 'assistant' : 'user' }),
});

function isVoid({ type, text }: Fields): boolean {
  return type === 'text' && isBlank(text);
}
