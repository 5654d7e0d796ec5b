import { parseExactly } from '../../json/index.ts';
import type { Collector } from '../providers/collect-stream.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable } from '../providers/read-answer.ts';

/** Blocks whose input was seen to be whole: a stream shows where it ends, an answer in one piece does not. */
const whole = new WeakSet<object>();

/** Checks whether the input of a block is known to be complete. */
export function isWhole(block: object): boolean {
  return whole.has(block);
}

/** Puts the events of a streamed message together. Input that is not JSON stays text, for the toolbox to judge. */
export function createMessageCollector(): Collector {
  const blocks = new Map<unknown, Record<string, unknown>>();
  let message: Fields = {};
  let isDone = false;
  return {
    add({ type, index, message: begun, content_block: block, delta, usage }) {
      switch (type) {
        case 'message_start':
          message = fieldsOf(begun);
          return '';
        case 'content_block_start':
          blocks.set(index, { ...fieldsOf(block) });
          return '';
        case 'content_block_delta':
          return addDelta(blocks.get(index) ?? {}, fieldsOf(delta));
        case 'content_block_stop':
          endBlock(blocks.get(index) ?? {});
          return '';
        case 'message_delta':
          message = { ...message, ...fieldsOf(delta), usage: { ...fieldsOf(message.usage), ...known(fieldsOf(usage)) } };
          return '';
        case 'message_stop':
          isDone = true;
          return '';
        default:
          return '';
      }
    },
    end: () => (isDone ? { ...message, content: [...blocks.values()] } : unreadable('the stream ended before the answer did')),
  };
}

/** Text of inputs that are still coming in. */
const inputs = new WeakMap<object, string>();

/** The field of its block that each kind of delta extends. */
const grown: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking', signature_delta: 'signature' };

function addDelta(block: Record<string, unknown>, delta: Fields): string {
  const type = textOf(delta.type);
  const field = grown[type];
  if (field !== undefined) block[field] = textOf(block[field]) + textOf(delta[field]);
  if (type === 'citations_delta') block.citations = [...listOf(block.citations), delta.citation];
  // It carries the whole block, not a piece of it.
  if (type === 'compaction_delta') Object.assign(block, { ...delta, type: block.type });
  if (type === 'input_json_delta') inputs.set(block, (inputs.get(block) ?? '') + textOf(delta.partial_json));
  return type === 'text_delta' ? textOf(delta.text) : '';
}

function endBlock(block: Record<string, unknown>): void {
  const text = inputs.get(block) ?? '';
  if (text.trim() === '') return;
  try {
    block.input = parseExactly(text);
    whole.add(block);
  } catch {
    block.input = block.type === 'tool_use' ? text : {};
  }
}

/** Later counts replace earlier ones; null says nothing. */
function known(counts: Fields): Fields {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null));
}
