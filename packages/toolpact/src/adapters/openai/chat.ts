import { type OpenaiToolMessage, openai } from '../../dialects/index.ts';
import { isObject } from '../../json/index.ts';
import { textOutcome } from '../frameworks/tell-model.ts';
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
    if (!isObject(message)) unreadable('its choice has no message');
    const { content, refusal, audio, tool_calls: sent } = fieldsOf(message);
    const functions = listOf(sent).filter(isFunction);
    const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = fieldsOf(usage);
    return {
      calls: functions.map(({ id, function: called }, index) => {
        const { name, arguments: args } = fieldsOf(called);
        const isCut = reason === 'length' && index === functions.length - 1;
        return { id: textOf(id), name: textOf(name), args: isCut ? cutOff(args ?? '') : args };
      }),
      text: textOf(content) || textOf(refusal) || textOf(fieldsOf(audio).transcript),
      usage: usageOf(input, output, total),
      isOpen: functions.length < listOf(sent).length,
    };
  },
  toHistory(response, calls) {
    const message = fieldsOf(listOf(fieldsOf(response).choices)[0]?.message);
    const { content, refusal, audio, tool_calls: sent } = message;
    if (!content && !refusal && !audio && listOf(sent).length === 0) return [];
    const settled = calls[Symbol.iterator]();
    const kept = listOf(sent).flatMap((call) => (isFunction(call) ? toCall(call, settled.next().value) : [call]));
    // OpenAI wants the id of earlier audio, not the audio itself.
    return [{ ...message, ...(!!audio && { audio: { id: fieldsOf(audio).id } }), ...(kept.length > 0 && { tool_calls: kept }) }];
  },
  toAnswers: (answered, _, dialect) =>
    answered.map(({ id, outcome }) => openai.encode(textOutcome(outcome, dialect), { strict: true, callId: id }) as OpenaiToolMessage),
};

/** Servers that speak like OpenAI may leave the type empty. */
function isFunction({ type, function: called }: Fields): boolean {
  return type === 'function' || (!type && called !== undefined);
}

function toCall(call: Fields, settled: SettledCall | undefined): Fields[] {
  if (settled === undefined) return [];
  const { id, name, args } = settled;
  const called = fieldsOf(call.function);
  return [{ ...call, id, function: { ...called, name, ...(args !== undefined && { arguments: JSON.stringify(args) }) } }];
}
