import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { Content } from '@google/genai';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { createToolbox, type Outcome } from 'toolpact';
import { type HealOptions, healHistory, type Repair, safeCuts } from 'toolpact/history';

// Every SDK's own message list goes in and comes out without a cast, ready to be sent.

declare const chat: OpenAI.ChatCompletionMessageParam[];
export const healedChat: OpenAI.ChatCompletionMessageParam[] = healHistory(chat, { provider: 'openai' });
export const chatRequest: OpenAI.ChatCompletionCreateParams = { model: 'm', messages: healHistory(chat) };

declare const items: ResponseInputItem[];
export const healedItems: ResponseInputItem[] = healHistory(items, { provider: 'openai-responses' });
export const responsesRequest: OpenAI.Responses.ResponseCreateParams = { model: 'm', input: healHistory(items) };

declare const messages: MessageParam[];
export const healedMessages: MessageParam[] = healHistory(messages, { provider: 'anthropic' });

declare const contents: Content[];
export const healedContents: Content[] = healHistory(contents, { provider: 'gemini' });

declare const modelMessages: readonly ModelMessage[];
export const healedModelMessages: ModelMessage[] = healHistory(modelMessages, { provider: 'ai-sdk' });

export const cuts: number[] = safeCuts(modelMessages);
export const kept: ModelMessage[] = modelMessages.slice(safeCuts(modelMessages, { summarized: true }).at(-1));

// A ledger is a map that a listener of the toolbox fills, an object, or a function that answers at once.

const outcomes = new Map<string, Outcome>();
createToolbox([]).subscribe((event) => event.type === 'call-end' && event.callId && outcomes.set(event.callId, event.outcome));
type Ledger = NonNullable<HealOptions['ledger']>;
export const ledgers: Ledger[] = [
  outcomes,
  Object.fromEntries(outcomes),
  (callId, { name }) => (name === 'book' ? outcomes.get(callId) : undefined),
];

// @ts-expect-error a ledger does not answer later
export const slow: Ledger = async (callId: string) => outcomes.get(callId);

// @ts-expect-error there is no such provider
export const nobody: HealOptions['provider'] = 'nobody';

export const told: Repair['type'][] = [];
healHistory(chat, { onRepair: ({ type }) => told.push(type) });
