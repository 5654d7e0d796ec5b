import type OpenAI from 'openai';
import type { ChatCompletion, ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Response, ResponseCreateParams, ResponseInputItem } from 'openai/resources/responses/responses';
import { createToolbox, defineTool } from 'toolpact';
import { answerToolCalls, evaluate, toTools } from 'toolpact/adapters/openai';

declare const client: OpenAI;
const ping = defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' });
const tenant = defineTool.withContext<{ tenant: string }>()({ name: 'tenant', description: 'Who.', run: (_, { app }) => app.tenant });
const toolbox = createToolbox([ping, tenant]);
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const check = <T extends true>(): T | undefined => undefined;

// The offered tools fit the client's own parameters.
export const searchedTools: ResponseCreateParams['tools'] = toTools(toolbox, { api: 'responses', providerSearch: true });
export const chatTools: NonNullable<ChatCompletionCreateParams['tools']> = toTools(toolbox);
export const chatToolsToo: NonNullable<ChatCompletionCreateParams['tools']> = toTools(toolbox, { api: 'chat', strict: false });
export const responsesTools: NonNullable<ResponseCreateParams['tools']> = toTools(toolbox, { api: 'responses' });

// The client's own answers are taken, and what comes back can be appended to its messages.
export async function answers(completion: ChatCompletion, response: Response): Promise<void> {
  const messages: ChatCompletionMessageParam[] = await answerToolCalls(completion, toolbox, { tenantId: 'acme' }, { concurrency: 2 });
  const items: ResponseInputItem[] = await answerToolCalls(response, toolbox);
  const streamed: ChatCompletionMessageParam[] = await answerToolCalls(
    await client.chat.completions.stream({} as never).finalChatCompletion(),
    toolbox,
  );
  void [messages, items, streamed];
}

// The client is taken as it is; messages and answers have its types.
export async function chat(): Promise<void> {
  const result = await evaluate({
    client,
    toolbox,
    params: {
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0,
      tools: [{ type: 'custom', custom: { name: 'grep' } }],
    },
    onText: (text) => check<Same<typeof text, string>>(),
  });
  check<Same<(typeof result)['messages'], ChatCompletionMessageParam[]>>();
  check<Same<Exclude<(typeof result)['response'], ChatCompletion>, undefined>>();
  await evaluate({ client, toolbox, params: { model: 'gpt-5', messages: result.messages } });
  // @ts-expect-error a message of no role
  await evaluate({ client, toolbox, params: { model: 'gpt-5', messages: [{ content: 'Hi' }] } });
  // @ts-expect-error neither messages nor input
  await evaluate({ client, toolbox, params: { model: 'gpt-5' } });
}

export async function responses(): Promise<void> {
  const result = await evaluate({ client, toolbox, params: { model: 'gpt-5', input: 'Hi', instructions: 'Be kind.' } });
  check<Same<(typeof result)['messages'], ResponseInputItem[]>>();
  check<Same<Exclude<(typeof result)['response'], Response>, undefined>>();
  await evaluate({ client, toolbox, strict: (name) => name === 'ping', params: { model: 'gpt-5', input: result.messages } });
  // @ts-expect-error no such parameter
  await evaluate({ client, toolbox, params: { model: 'gpt-5', input: 'Hi', temprature: 0 } });
}
