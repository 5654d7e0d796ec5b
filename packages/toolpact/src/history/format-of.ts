import { aiSdkFormat } from './ai-sdk-format.ts';
import { anthropicFormat } from './anthropic-format.ts';
import { chatFormat } from './chat-format.ts';
import { fieldsOf } from './fields.ts';
import { geminiFormat } from './gemini-format.ts';
import { responsesFormat } from './responses-format.ts';
import type { Fields, Format, HistoryProvider } from './transcript.ts';

const formats: Readonly<Record<HistoryProvider, Format>> = {
  openai: chatFormat,
  'openai-responses': responsesFormat,
  anthropic: anthropicFormat,
  gemini: geminiFormat,
  'ai-sdk': aiSdkFormat,
};

/** Types of parts that only one form has. */
const partTypes: ReadonlyMap<unknown, HistoryProvider> = new Map([
  ['tool_use', 'anthropic'],
  ['tool_result', 'anthropic'],
  ['thinking', 'anthropic'],
  ['tool-call', 'ai-sdk'],
  ['tool-result', 'ai-sdk'],
  ['tool-approval-request', 'ai-sdk'],
  ['tool-approval-response', 'ai-sdk'],
  ['input_text', 'openai-responses'],
  ['output_text', 'openai-responses'],
]);

/** Returns the format of a message list: the one that was named, or else that of the first message whose format is recognised. */
export function formatOf(messages: readonly unknown[], provider?: HistoryProvider): Format | undefined {
  if (!Array.isArray(messages) || hasForeignCalls(messages)) return undefined;
  const named = provider !== undefined && Object.hasOwn(formats, provider) ? provider : undefined;
  if (named !== undefined && named !== 'openai') return formats[named];
  const detected = messages.map(detectProvider);
  // Calls are what must not be misread, so one chat message with calls outweighs items that may be anything.
  if (named === 'openai') return formats[!detected.includes(named) && detected.includes('openai-responses') ? 'openai-responses' : named];
  const first = detected.find((each) => each !== undefined);
  return first && formats[first];
}

/** Recognises items of the OpenAI Agents SDK, which look like those of the Responses API but are not: nothing is known of their calls. */
export function hasForeignCalls(messages: readonly unknown[]): boolean {
  return messages.some((message) => {
    try {
      const { type, callId, call_id } = fieldsOf(message) ?? {};
      return typeof type === 'string' && callId !== undefined && call_id === undefined;
    } catch {
      return false;
    }
  });
}

function detectProvider(message: unknown): HistoryProvider | undefined {
  try {
    const { role, type, parts, content, tool_calls, tool_call_id } = fieldsOf(message) ?? {};
    if (tool_call_id !== undefined || tool_calls !== undefined) return 'openai';
    if (Array.isArray(parts)) return parts.some((part) => (part as Fields | null)?.type !== undefined) ? undefined : 'gemini';
    if (typeof type === 'string') return type === 'message' || role === undefined ? 'openai-responses' : undefined;
    if (!Array.isArray(content)) return undefined;
    return content.map((part) => partTypes.get((part as Fields | null)?.type)).find((detected) => detected !== undefined);
  } catch {
    return undefined;
  }
}
