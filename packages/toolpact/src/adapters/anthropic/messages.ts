import { anthropic } from '../../dialects/index.ts';
import { readExactly } from '../../json/index.ts';
import { textOutcome } from '../frameworks/tell-model.ts';
import type { ProviderForm, SettledCall } from '../providers/provider-form.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable, usageOf } from '../providers/read-answer.ts';
import { cutOff } from '../providers/sent-calls.ts';
import { isWhole } from './stream.ts';

/** An answer of the Messages API, as far as it is read. */
export interface AnthropicAnswer {
  readonly content: readonly object[];
  readonly stop_reason?: string | null;
}

/** Reasons to stop that may leave the last block unfinished. */
const cutReasons: ReadonlySet<unknown> = new Set(['max_tokens', 'model_context_window_exceeded', 'refusal']);

/** The messages of Anthropic's Messages API. */
export const messagesForm: ProviderForm = {
  adapter: 'anthropic',
  needsId: true,
  lifts: false,
  read(response) {
    const { content, stop_reason: reason, usage } = fieldsOf(response);
    if (!Array.isArray(content)) unreadable('it has no content');
    const blocks = listOf(content);
    const last = blocks.at(-1);
    const { input_tokens: input, output_tokens: output } = fieldsOf(usage);
    return {
      calls: blocks.filter(isToolUse).map((block) => {
        const input = inputOf(block);
        const isCut = cutReasons.has(reason) && block === last && !isWhole(block);
        return { id: textOf(block.id), name: textOf(block.name), args: isCut ? cutOff(input) : input };
      }),
      text: blocks.map(({ type, text }) => (type === 'text' ? textOf(text) : '')).join(''),
      usage: usageOf(input, output),
      isOpen: blocks.some(({ type, toolset_name: toolset }) => type === 'tool_use' && toolset != null),
      // The provider paused its own tools; sent back as it is, the turn goes on.
      ...(reason === 'pause_turn' && { again: {} }),
    };
  },
  toHistory(response, calls) {
    const settled = calls[Symbol.iterator]();
    const blocks = listOf(fieldsOf(response).content);
    const content = blocks.flatMap((block) => (isToolUse(block) ? toBlock(block, settled.next().value) : [block]));
    return content.length === 0 ? [] : [{ role: 'assistant', content }];
  },
  toAnswers(answered, _, dialect) {
    const content = answered.map(({ id, outcome }) => ({
      ...anthropic.encode(textOutcome(outcome, dialect), { strict: true, callId: id }),
      ...(outcome.status === 'error' && { is_error: true }),
    }));
    return content.length === 0 ? [] : [{ role: 'user', content }];
  },
};

/** Recognises a call of a function; members of Anthropic's toolsets are the application's to run. */
function isToolUse({ type, toolset_name: toolset }: Fields): boolean {
  return type === 'tool_use' && toolset == null;
}

/** The client's own streams close input that was cut off, or throw where it is malformed; the text they keep beside it says what came. */
function inputOf(block: Fields): unknown {
  return textOf(block.__json_buf) || block.input;
}

function toBlock(block: Fields, settled: SettledCall | undefined): Fields[] {
  if (settled === undefined) return [];
  const { id, name, args } = settled;
  const { input } = block;
  // Some models encode their input twice: it is a text, and only an object is taken back.
  return [{ ...block, id, name, input: args ?? (typeof input === 'string' ? readExactly(input) : input) }];
}
