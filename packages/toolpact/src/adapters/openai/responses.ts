import { openai } from '../../dialects/index.ts';
import { isObject } from '../../json/index.ts';
import type { JsonObject } from '../../outcome/index.ts';
import { textOutcome } from '../frameworks/tell-model.ts';
import type { Collector } from '../providers/collect-stream.ts';
import type { ProviderForm, SettledCall } from '../providers/provider-form.ts';
import { type Fields, fieldsOf, listOf, textOf, unreadable, usageOf } from '../providers/read-answer.ts';
import { cutOff } from '../providers/sent-calls.ts';

/** An answer of the Responses API, as far as it is read. */
export interface ResponsesAnswer {
  readonly output: readonly object[];
}

/** The items of OpenAI's Responses API. */
export const responsesForm: ProviderForm = {
  adapter: 'openai',
  needsId: true,
  lifts: true,
  read(response) {
    const { output, status, error, usage } = fieldsOf(response);
    if (status === 'failed' || status === 'cancelled') raise(error, status);
    if (status === 'queued' || status === 'in_progress') unreadable('it is not finished, and answers in the background are not waited for');
    if (!Array.isArray(output)) unreadable('it has no output');
    const items = listOf(output);
    const last = items.at(-1);
    const { input_tokens: input, output_tokens: out, total_tokens: total } = fieldsOf(usage);
    return {
      calls: items.filter(isFunctionCall).map((item) => {
        const { call_id: id, name, namespace, arguments: args, caller } = item;
        const isCut = item.status === 'incomplete' || (status === 'incomplete' && item === last);
        // A call that a program made is answered to that program.
        const echo = fieldsOf(caller).type === 'program' ? { echo: { caller: caller as JsonObject } } : {};
        const group = typeof namespace === 'string' ? { namespace } : {};
        return { id: textOf(id), name: textOf(name), args: isCut ? cutOff(args ?? '') : args, ...group, ...echo };
      }),
      text: textIn(items),
      usage: usageOf(input, out, total),
      isOpen: items.some((item) => needsApplication(item, items)),
    };
  },
  toHistory(response, calls) {
    const settled = calls[Symbol.iterator]();
    return listOf(fieldsOf(response).output).flatMap((item) => (isFunctionCall(item) ? toItem(item, settled.next().value) : [item]));
  },
  toAnswers: (answered, _, dialect) =>
    answered.map(({ id, echo, outcome }) => ({
      ...openai.encode(textOutcome(outcome, dialect), { form: 'responses', strict: true, callId: id }),
      ...echo,
    })),
};

function isFunctionCall({ type }: Fields): boolean {
  return type === 'function_call';
}

/** Recognises a call that neither a function nor the provider itself answers: a custom tool, a shell of the application, an approval. */
function needsApplication({ type, call_id: id }: Fields, items: readonly Fields[]): boolean {
  if (type === 'mcp_approval_request') return true;
  if (typeof id !== 'string' || type === 'function_call' || !textOf(type).endsWith('_call')) return false;
  return !items.some((other) => other.call_id === id && textOf(other.type).endsWith('_output'));
}

function toItem(item: Fields, settled: SettledCall | undefined): Fields[] {
  if (settled === undefined) return [];
  const { id, name, args } = settled;
  return [{ ...item, call_id: id, name, ...(args !== undefined && { arguments: JSON.stringify(args) }) }];
}

function textIn(items: readonly Fields[]): string {
  return items
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => listOf(content).map(({ text, refusal }) => textOf(text) || textOf(refusal)))
    .join('');
}

function raise(error: unknown, status: string): never {
  const { code, message } = fieldsOf(error);
  throw Object.assign(new Error(textOf(message) || `The response was ${status}.`), typeof code === 'string' && { code });
}

const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Takes the whole response from its last event. */
export function createResponsesCollector(): Collector {
  let response: unknown;
  return {
    add(event) {
      if (event.type === 'error') raise(event, 'failed');
      if (ends.has(event.type)) response = event.response;
      return event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta' ? textOf(event.delta) : '';
    },
    end: () => (isObject(response) ? response : unreadable('the stream ended before the answer did')),
  };
}
