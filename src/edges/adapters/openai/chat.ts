import { type OpenaiToolMessage, openai } from '../../../core/dialects/index.ts';
import type { Collector } from '../providers/collect-stream.ts';
import type { ProviderForm, SettledCall } from '../providers/provider-form.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable, usageOf } from '../providers/read-answer.ts';
import { cutOff } from '../providers/sent-calls.ts';

/** An answer of the chat API, as far as it is read. */
export interface ChatAnswer {
  readonly choices: readonly { readonly message: object; readonly finish_reason?: string | null }[];
}

/** The messages of OpenAI's chat API. */
export const chatForm: ProviderForm = {
  adapter: 'openai',
  needsId: true,
  lifts: true,
  read(response) {
    const { choices, usage } = fieldsOf(response);
    const { message, finish_reason: reason } = listOf(choices)[0] ?? unreadable('it has no choices');
    if (typeof message !== 'object' || message === null) unreadable('its choice has no message');
    const { content, refusal, tool_calls: sent } = fieldsOf(message);
    const functions = listOf(sent).filter(isFunction);
    const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = fieldsOf(usage);
    return {
      calls: functions.map(({ id, function: called }, index) => {
        const { name, arguments: args } = fieldsOf(called);
        const isCut = reason === 'length' && index === functions.length - 1;
        return { id: textOf(id), name: textOf(name), args: isCut ? cutOff(args ?? '') : args };
      }),
      text: textOf(content) || textOf(refusal),
      usage: usageOf(input, output, total),
      isOpen: functions.length < listOf(sent).length,
    };
  },
  toHistory(response, calls) {
    const message = fieldsOf(listOf(fieldsOf(response).choices)[0]?.message);
    const { content, refusal, tool_calls: sent } = message;
    if (!content && !refusal && listOf(sent).length === 0) return [];
    const settled = calls[Symbol.iterator]();
    const kept = listOf(sent).flatMap((call) => (isFunction(call) ? toCall(call, settled.next().value) : [call]));
    return [{ ...message, ...(kept.length > 0 && { tool_calls: kept }) }];
  },
  toAnswers: (answered) => answered.map(({ id, outcome }) => openai.encode(outcome, { strict: true, callId: id }) as OpenaiToolMessage),
};

function isFunction({ type, function: called }: Fields): boolean {
  return type === 'function' || (type === undefined && called !== undefined);
}

function toCall(call: Fields, settled: SettledCall | undefined): Fields[] {
  if (settled === undefined) return [];
  const { id, name, args } = settled;
  const called = fieldsOf(call.function);
  return [{ ...call, id, function: { ...called, name, ...(args !== undefined && { arguments: JSON.stringify(args) }) } }];
}

/** Puts the chunks of a chat answer together. */
export function createChatCollector(): Collector {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: Record<string, unknown>[] = [];
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
      for (const piece of listOf(pieces)) addCall(calls, piece);
      return textOf(delta.content);
    },
    end() {
      if (typeof reason !== 'string') unreadable('the stream ended before the answer did');
      const whole = calls.filter((call) => call !== undefined);
      const choice = { index: 0, finish_reason: reason, message: { ...message, ...(whole.length > 0 && { tool_calls: whole }) } };
      return { ...head, object: 'chat.completion', choices: [choice], ...(usage !== undefined && { usage }) };
    },
  };
}

function addCall(calls: Record<string, unknown>[], piece: Fields): void {
  const { index, function: called, ...rest } = piece;
  const isNew = typeof rest.id === 'string' && calls.every(({ id }) => id !== rest.id);
  const place = typeof index === 'number' ? index : Math.max(0, isNew ? calls.length : calls.length - 1);
  const known = calls[place] ?? { type: 'function' };
  const { name, arguments: args } = fieldsOf(called);
  const before = fieldsOf(known.function);
  const written =
    called === undefined ? {} : { function: { name: appended(before.name, name), arguments: appended(before.arguments ?? '', args) } };
  calls[place] = { ...known, ...rest, ...written };
}

function appended(before: unknown, value: unknown): unknown {
  if (value === undefined || value === null) return before ?? value;
  return typeof before === 'string' && typeof value === 'string' ? before + value : value;
}
