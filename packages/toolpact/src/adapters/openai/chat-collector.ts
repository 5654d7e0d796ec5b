import type { Collector } from '../providers/collect-stream.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable } from '../providers/read-answer.ts';

/** A call that is still coming in. */
interface OpenCall {
  readonly index: unknown;
  fields: Fields;
}

/** Puts the chunks of a chat answer together. */
export function createChatCollector(): Collector {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: OpenCall[] = [];
  let head: Fields = {};
  let usage: unknown;
  let reason: unknown;
  return {
    add(chunk) {
      const { choices, usage: counted, ...rest } = chunk;
      head = { ...rest, ...head };
      usage = counted ?? usage;
      const choice = listOf(choices).find(({ index }) => (index ?? 0) === 0);
      if (choice === undefined) return '';
      reason = choice.finish_reason ?? reason;
      const { tool_calls: pieces, role, ...delta } = fieldsOf(choice.delta);
      if (typeof role === 'string') message.role = role;
      // Other servers add fields of their own, which they want back.
      for (const [key, value] of Object.entries(delta)) message[key] = appended(message[key], value);
      for (const piece of listOf(pieces)) addPiece(calls, piece);
      return textOf(delta.content);
    },
    end() {
      if (typeof reason !== 'string') unreadable('the stream ended before the answer did');
      const whole = calls.toSorted(byIndex).map(({ fields }) => ({ type: 'function', ...fields }));
      const choice = { index: 0, finish_reason: reason, message: { ...message, ...(whole.length > 0 && { tool_calls: whole }) } };
      return { ...head, object: 'chat.completion', choices: [choice], ...(usage !== undefined && { usage }) };
    },
  };
}

/** Adds a piece to its call. Some servers number all calls of a turn alike, or not at all; another id is another call. */
function addPiece(calls: OpenCall[], piece: Fields): void {
  const { index, function: called, custom, ...rest } = piece;
  // Some servers repeat, with nothing in them, the fields that a call began with.
  const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && value !== ''));
  const isOf = ({ fields: { id } }: OpenCall): boolean => filled.id === undefined || id === undefined || filled.id === id;
  const found = calls.findLast((call) => (typeof index === 'number' ? call.index === index : isOf(call)));
  const call = found !== undefined && isOf(found) ? found : { index, fields: {} };
  if (call !== found) calls.push(call);
  const grown = Object.entries({ function: called, custom }).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[key, grow(fieldsOf(call.fields[key]), fieldsOf(value))]],
  );
  call.fields = { ...call.fields, ...filled, ...Object.fromEntries(grown) };
}

/** A name may come again with every piece; all else goes on where it ended. */
function grow(before: Fields, { name, ...pieces }: Fields): Fields {
  const texts = Object.entries(pieces).map(([key, value]) => [key, appended(before[key] ?? '', value)]);
  return { ...before, name: name === before.name ? name : appended(before.name, name), ...Object.fromEntries(texts) };
}

function byIndex(a: OpenCall, b: OpenCall): number {
  return typeof a.index === 'number' && typeof b.index === 'number' ? a.index - b.index : 0;
}

function appended(before: unknown, value: unknown): unknown {
  if (value === undefined || value === null) return before ?? value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return typeof before === 'string' && typeof value === 'string' ? before + value : value;
}
